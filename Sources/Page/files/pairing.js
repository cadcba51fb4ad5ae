// The conversation by which a gateway is paired with: shows each question of the agent, and sends the answer.

import { expect, post, send } from "./api.js";
import { button, buttons, byId, code, command, el, fill, hint, onEnter, say, stateMark } from "./dom.js";
import { toast } from "./actions.js";
import { STATES, apply, isEnded } from "./state.js";
import { ageText, clean, digits, emojiOf, isSecret } from "./text.js";

const TRUST = {
  address: ["Only where it is now", "It gets its token at this address, in this network, and nowhere else. Anybody on this network can still read what is said."],
  lan: ["Anywhere in this network", "Whoever answers under its fingerprint in this network gets the token."],
  tailnet: ["The machine in your tailnet", "Tailscale names the machine at this address, and is asked again each time."],
  tunnel: ["Whatever this tunnel leads to", "Nothing proves who is at the other end of the tunnel: you answer for that."],
};

const PROOF = {
  pinInLink: "It shows the certificate that your link or code names. It is the gateway that was meant.",
  leafGiven: "It shows the certificate whose digits you gave.",
  certified: "Its certificate is for this host name, and this computer trusts it.",
  pinnedBefore: "It shows the certificate of your pairing with it.",
};

const STEPS = {
  resolving: "Looking up its address…", fetching: "Fetching the code…", asking: "Asking it what it is…", pairing: "Pairing…",
  notReady: "It has asked for time…", storing: "Storing…", withdrawing: "Giving back what was not wanted…",
};

const SECRETS = { sharedToken: "Token of the gateway", password: "Password of the gateway", setupCode: "Setup code", pairingToken: "One-time token or code" };

let app = null;
let shown = null; // the identifier of the pairing that is shown
let token = ""; // what was entered in advance, for its own question alone
let drawn = "";
let begun = null; // what is looked for, until its pairing is there

export function setUp(page) {
  app = page;
  const dialog = byId("pair");
  dialog.addEventListener("close", () => { shown = null; begun = null; drawn = ""; token = ""; app.render(); });
}

const tell = (pairing) => apply(app.model, "pairing", pairing, Date.now());

/** Begins a pairing: with a `gateway`, an `address` or an `invitation`. */
export async function begin(target, advance = "") {
  const dialog = byId("pair");
  token = advance;
  begun = target;
  shown = null;
  drawn = "";
  frame("Pairing", el("p", { class: "wait" }, "Looking for it…"));
  if (!dialog.open) dialog.showModal();
  try {
    const pairing = await post("/api/v1/pair", target);
    // Events may have told already what came of it.
    if (!app.model.open.has(pairing.id)) tell(pairing);
    // The person may have closed the dialog, or looked for another one, meanwhile.
    if (begun === target && dialog.open) { shown = pairing.id; update(); }
    app.render();
  } catch (error) {
    expect(error);
    if (begun !== target || !dialog.open) return toast(`Not paired: ${error.message}`, { tone: "red" });
    showFailure({ detail: error.message });
  }
}

/** Shows a pairing that goes on. */
export function resume(id) {
  begun = null;
  shown = id;
  drawn = "";
  const dialog = byId("pair");
  // What is to be answered can have the focus only in a dialog that is open.
  if (!dialog.open) dialog.showModal();
  update();
}

/** Draws what has changed of the pairing that is shown. */
export function update() {
  const pairing = shown && app.model.open.get(shown);
  if (!pairing) return;
  const sign = JSON.stringify(pairing);
  if (sign === drawn) return;
  drawn = sign;
  const question = pairing.question;
  if (pairing.state === "paired") return showEnd(pairing);
  if (pairing.state === "failed" || pairing.state === "cancelled") return showFailure(pairing);
  if (question?.kind === "confirm") return showOffer(pairing, question);
  if (question?.kind === "secret") return showSecret(pairing, question);
  if (question?.kind === "fetch") return showFetch(pairing, question);
  if (pairing.approval) return showApproval(pairing);
  frame(titleOf(pairing), el("p", { class: "wait", role: "status" }, clean(pairing.detail, 400) || STEPS[pairing.state] || "One moment…"), buttons(giveUp(pairing)));
}

const titleOf = (pairing) => (pairing.offer ? `Pair with ${clean(pairing.offer.name, 64) || "this gateway"}` : "Pairing");

function frame(title, ...content) {
  fill(byId("pair"), el("h2", { id: "pair-title", tabIndex: -1 }, title), content);
}

function giveUp(pairing, label = "Give up") {
  return button(label, async () => {
    try { await send("DELETE", `/api/v1/pair/${pairing.id}`); } catch (error) {
      expect(error);
    }
    byId("pair").close();
  }, { id: "pair-give-up" });
}

const rest = () => button("Later", () => byId("pair").close(), { id: "pair-later" });

async function answer(pairing, body) {
  const problem = byId("pair-problem");
  const asked = document.activeElement;
  const before = app.model.open.get(pairing.id);
  // A control that is disabled loses the focus, at a moment that the browser chooses.
  byId("pair-title").focus();
  const controls = byId("pair").querySelectorAll("button,input");
  controls.forEach((c) => { c.disabled = true; });
  try {
    const next = await post(`/api/v1/pair/${pairing.id}/answer`, { question: pairing.question.number, ...body });
    if (app.model.open.get(next.id) === before) tell(next);
    update();
    app.render();
  } catch (error) {
    expect(error);
    if (problem) problem.textContent = error.message;
    say(error.message, "assertive");
  } finally {
    controls.forEach((c) => { c.disabled = false; });
    if (asked.isConnected) asked.focus();
  }
}

const problemLine = () => el("p", { id: "pair-problem", class: "problem", role: "alert" });

let isHeld = false;
addEventListener("keydown", (event) => { isHeld = event.repeat; }, true);
addEventListener("keyup", () => { isHeld = false; }, true);

function showOffer(pairing, question) {
  const offer = pairing.offer;
  const form = { leaf: offer.leafSha256 ?? undefined };
  const bots = (offer.bots ?? []).map((bot) => ({ ...bot, box: el("input", { type: "checkbox", checked: true, id: `bot-${bot.id}` }) }));
  const choices = question.trust ?? [];
  const radios = choices.map((word) => el("input", { type: "radio", name: "trust", value: word, id: `trust-${word}` }));
  const isProved = PROOF[offer.proof] !== undefined;
  const confirm = button("Pair", () => {
    if (confirm.ariaDisabled) return;
    const trust = radios.find((r) => r.checked)?.value;
    const chosen = bots.filter((b) => b.box.checked).map((b) => b.id);
    if (choices.length && !trust) return note("Choose how it is recognised first");
    if (bots.length && !chosen.length) return note("Choose at least one bot");
    const body = { confirm: true };
    if (form.leaf) body.leaf = form.leaf;
    if (trust) body.trust = trust;
    if (bots.length && chosen.length < bots.length) body.bots = chosen;
    answer(pairing, body);
  }, { class: "primary", id: "pair-confirm" });
  const note = (text) => { byId("pair-problem").textContent = text; };
  frame(titleOf(pairing),
    el("dl", { class: "facts" },
      fact("Where", code(clean(offer.endpoint))), fact("Speaks", clean(offer.dialect)),
      offer.remoteURL && fact("Outside of this network", code(clean(offer.remoteURL)))),
    bots.length > 0 && el("fieldset", {}, el("legend", {}, "Bots"),
      bots.map((b) => el("label", { class: "choice" }, b.box, el("span", { "aria-hidden": "true" }, emojiOf(b.emoji)), " ", el("bdi", {}, clean(b.name, 64) || clean(b.id, 64))))),
    isProved && el("p", { class: "proof" }, stateMark({ shape: "disc", tone: "green" }, PROOF[offer.proof])),
    !isProved && offer.leafSha256 && el("div", { class: "proof" },
      el("p", {}, "Nothing proves yet that it is the gateway that you mean: a name can be anybody's. Compare these digits of its certificate with those that its own host shows."),
      el("code", { class: "digits" }, digits(offer.leafSha256)),
      hint("From then on only whoever shows this certificate gets the token.")),
    choices.length > 0 && el("fieldset", { class: "trust" },
      el("legend", {}, "It has no encryption and can prove nothing. How is it recognised?"),
      choices.map((word, index) => {
        const [name, meaning] = TRUST[word] ?? [clean(word, 40), ""];
        return el("label", { class: "choice" }, radios[index], el("span", {}, el("strong", {}, name), el("span", { class: "hint" }, meaning)));
      })),
    problemLine(), buttons(confirm, giveUp(pairing, "Do not pair"), rest()));
  // A key that is held down, or pressed twice, has agreed to the question before, not to this one.
  confirm.ariaDisabled = "true";
  const enable = () => { if (isHeld) setTimeout(enable, 100); else confirm.ariaDisabled = null; };
  setTimeout(enable, 600);
  focusFirst(choices.length ? radios[0] : confirm);
  say(`${titleOf(pairing)}? It waits for your answer.`);
}

function showSecret(pairing, question) {
  const kinds = question.kinds ?? [];
  const radios = kinds.map((kind, index) => el("input", { type: "radio", name: "kind", value: kind, id: `kind-${kind}`, checked: index === 0, onchange: adjust }));
  const field = el("input", { type: "password", id: "pair-secret", autocomplete: "off", spellcheck: false, value: token, "aria-describedby": "pair-why" });
  const clear = el("input", { type: "checkbox", id: "pair-clear" });
  const clearLine = el("label", { class: "choice" }, clear, el("span", {}, "Send it without encryption. ", el("span", { class: "hint" }, "Everybody on the way can read it, and it opens the whole gateway.")));
  const kindNow = () => radios.find((r) => r.checked)?.value ?? kinds[0];
  function adjust() { clearLine.hidden = !(question.isPlain && ["sharedToken", "password"].includes(kindNow())); }
  const go = () => {
    if (!field.value) return field.focus();
    const body = { kind: kindNow(), secret: field.value };
    if (!clearLine.hidden && clear.checked) body.sendsInClear = true;
    token = "";
    field.value = "";
    answer(pairing, body);
  };
  onEnter(field, go);
  adjust();
  frame(titleOf(pairing), el("p", { id: "pair-why" }, clean(question.message, 400)),
    kinds.length > 1 && el("fieldset", {}, el("legend", {}, "What you have"), kinds.map((kind, i) => el("label", { class: "choice" }, radios[i], SECRETS[kind] ?? clean(kind, 40)))),
    el("label", { class: "field" }, kinds.length > 1 ? "The secret" : SECRETS[kinds[0]] ?? "The secret", field),
    clearLine, problemLine(), buttons(button("Send", go, { class: "primary", id: "pair-confirm" }), giveUp(pairing), rest()));
  focusFirst(field);
}

function showFetch(pairing, question) {
  let host = "";
  try { host = new URL(question.url).host; } catch { /* shown as it is */ }
  frame("Fetch the setup code", el("p", {}, "The link leads to a setup code. It is fetched from ", el("strong", {}, clean(host) || "its host"), ", which works once."),
    problemLine(), buttons(button("Fetch it", () => answer(pairing, { confirm: true }), { class: "primary", id: "pair-confirm" }), giveUp(pairing, "Do not fetch"), rest()));
  focusFirst(byId("pair-confirm"));
}

function showApproval(pairing) {
  const approval = pairing.approval;
  const age = ageText(approval.since, Date.now());
  frame(titleOf(pairing),
    el("p", { role: "status" }, stateMark(STATES.approval), age && ` for ${age}`),
    el("p", {}, clean(pairing.detail, 400)),
    approval.command && [el("p", {}, "Its operator approves this device with:"), command(clean(approval.command, 400))],
    approval.request && hint("Request ", code(clean(approval.request, 80))),
    approval.trouble && el("p", { class: "problem" }, clean(approval.trouble, 300)),
    hint("You may close this: it goes on, and is shown in the list."),
    buttons(button("Close", () => byId("pair").close(), { class: "primary", id: "pair-confirm" }), giveUp(pairing)));
  focusFirst(byId("pair-confirm"));
}

function showEnd(pairing) {
  const name = clean(app.model.pairings.get(pairing.pairing)?.name ?? pairing.offer?.name, 64);
  byId("pair").close();
  toast(`Paired${name ? ` with ${name}` : ""}`, { tone: "green" });
  app.refresh();
}

function showFailure(pairing) {
  if (pairing.state === "cancelled") return byId("pair").close();
  frame("Not paired", el("p", { class: "problem", role: "alert" }, clean(pairing.detail, 600) || clean(pairing.reason)),
    buttons(button("Close", () => byId("pair").close(), { class: "primary", id: "pair-confirm" })));
  focusFirst(byId("pair-confirm"));
}

const fact = (name, value) => [el("dt", {}, name), el("dd", {}, value)];

/** Focuses what is to be answered, unless the person is at something else in the dialog. */
function focusFirst(element) {
  const dialog = byId("pair");
  const active = document.activeElement;
  // The title and the dialog, which have the focus when it opens, are nothing to be at.
  if (dialog.open && !(dialog.contains(active) && active.tabIndex >= 0)) element?.focus();
}

/** Lines for pairings that go on while their dialog is closed. */
export function openLines() {
  return [...app.model.open.values()].filter((p) => !isEnded(p) && p.id !== shown).map((pairing) => {
    const waits = pairing.question ? "waits for your answer" : pairing.approval ? "waits for approval at the gateway" : "goes on";
    return el("div", { class: "banner amber" }, el("span", {}, `${titleOf(pairing)}: ${waits}`), button("Show", () => resume(pairing.id), { class: "small", "data-key": `open ${pairing.id}` }));
  });
}

/** A link that came by itself: shown, and nothing else happens by it until a person agrees. */
export function offerLink(target, from) {
  const text = target.invitation ?? target.address;
  const dialog = byId("pair");
  begun = null;
  shown = null;
  frame("Pair by this link?", el("p", {}, `It came ${from}.`),
    el("code", { class: "digits" }, isSecret(text) ? `${clean(text, 24)}… (its one-time part is not shown)` : clean(text, 300)),
    hint("The gateway that it names is asked what it is. Before anything is sent, you are asked again."),
    buttons(button("Go on", () => begin(target), { class: "primary", id: "pair-confirm" }), button("Close", () => dialog.close())));
  if (!dialog.open) dialog.showModal();
  byId("pair-confirm").focus();
}
