// The sheet of a gateway and its bots: everything that is known of it, and everything that can be done with it.

import * as actions from "./actions.js";
import { button, buttons, byId, byKey, code, command, el, fill, hint, onEnter, setText, stateMark, svg } from "./dom.js";
import { barsView, factsOf, primaryAction } from "./list.js";
import { STATES, bars, barsText, wayOf } from "./state.js";
import { ageText, clean, counted, digits, durationText, emojiOf, latencyText, momentText } from "./text.js";

const TRUST = {
  pinned: "Only whoever shows the certificate that it had at pairing gets the token.",
  certified: "It has a certificate for its host name that this computer trusts.",
  address: "It has no encryption. It gets the token where it was at pairing, in the same network, and nowhere else.",
  lan: "It has no encryption. Whoever answers under its fingerprint in this network gets the token.",
  tailnet: "Tailscale names the machine at its address, and is asked again each time.",
  tunnel: "It is behind a tunnel that you vouched for; nothing proves who is at the other end.",
  awaited: "Nobody has trusted it yet. Nothing is sent to it.",
};

const FLAGS = {
  sameFingerprint: "Another one on this network claims the same fingerprint.",
  contradicts: "One of its addresses answers as another gateway, or not as advertised.",
  elsewhere: "It answers at another place than at pairing.",
  "changed-certificate": "Its place shows another certificate than the one it had at pairing. Nothing is sent.",
  moved: "It is not as it was at pairing. Nothing is sent.",
};

let app = null;
let current = null; // { row, bot }
let opener = null;
let drawn = "";
let extras = {}; // answers that were asked for here: why, link, renaming

export function setUp(page) { app = page; }

export const isOpen = () => current !== null;

/** The row whose sheet is open. */
export const openRow = () => current?.row ?? null;

/** Opens the sheet of a row, with the focus on its title; what opened it gets the focus back. */
export function open(row, bot) {
  if (!current) opener = document.activeElement;
  current = { row, bot };
  extras = {};
  drawn = "";
  const sheet = byId("sheet");
  sheet.hidden = false;
  document.body.classList.add("with-sheet");
  update();
  app.render(); // the sky steps aside
  sheet.scrollTop = 0;
  byId("sheet-title")?.focus({ preventScroll: true });
}

export function close() {
  if (!current) return;
  const key = opener?.dataset?.key;
  current = null;
  byId("sheet").hidden = true;
  document.body.classList.remove("with-sheet");
  const again = opener?.isConnected ? opener : byKey(byId("list"), key);
  opener = null;
  app.render();
  (again ?? document.querySelector("#list .stop") ?? byId("filter")).focus();
}

/** Draws what has changed. */
export function update() {
  if (!current) return;
  const row = app.row(current.row);
  if (!row) {
    if (app.model.loaded) close();
    return;
  }
  const now = Date.now();
  const { samples, gateway, latency, lastLatency, ...facts } = row;
  const paths = gateway.paths ?? [];
  const sign = JSON.stringify([facts, paths.map((path) => ({ ...path, latencyMs: 0 })), gateway.services, current, extras, [...actions.can], app.history?.until, row.pairing && actions.ending.has(row.pairing.id)]);
  if (sign !== drawn) {
    drawn = sign;
    draw(row, now);
  }
  setText(byId("sheet").querySelector(".now .facts"), factsOf(row, now).join(" · "));
  byId("sheet").querySelectorAll("td.time").forEach((cell, index) => setText(cell, latencyText(index ? paths[index]?.latencyMs : lastLatency)));
  drawPlot(row, now);
}

function draw(row, now) {
  const bot = row.bots.find((b) => b.id === current.bot) ?? null;
  const shownState = STATES[bot && bot.state !== "archived" ? bot.state : row.state];
  fill(byId("sheet"),
    el("div", { class: "head" },
      el("span", { class: "emoji big", "aria-hidden": "true", colour: bot?.accent }, bot ? emojiOf(bot.emoji) : row.bots.length === 1 ? emojiOf(row.bots[0].emoji) : "🛰️"),
      el("h2", { id: "sheet-title", tabIndex: -1 }, el("bdi", {}, bot ? bot.name : row.name)),
      button("✕", close, { class: "quiet", "aria-label": "Close", id: "sheet-close" })),
    bot && hint("at ", el("bdi", {}, row.name)),
    el("p", { class: "now" }, stateMark(shownState), el("span", { class: "facts" })),
    row.reason && el("p", { class: "reason" }, row.reason),
    row.command && command(clean(row.command, 600)),
    row.holder && row.state === "elsewhere" && hint(`${clean(row.holder.program, 60)} (process ${row.holder.process}) has its session.`),
    mainActions(row, bot),
    row.muted && hint(`Nothing is told of it${row.muted.until ? ` until ${momentText(row.muted.until, now)}` : ""}.`),
    extras.why && diagnosis(extras.why),
    section("Latency", el("div", { id: "plot" })),
    botsSection(row),
    waysSection(row),
    trustSection(row),
    historySection(row, now),
    problemsSection(row),
    moreSection(row, bot));
}

const section = (title, ...content) => el("section", {}, el("h3", {}, title), content);

function mainActions(row, bot) {
  if (row.pairing && actions.ending.has(row.pairing.id)) return hint("It is being unpaired.");
  const primary = primaryAction(row);
  const list = [];
  if (primary && primary.id !== "open") list.push(button(primary.label, () => app.act(primary.id, row.id), { class: "primary", id: "sheet-primary" }));
  if (row.isPaired && (STATES[row.state].live || ["connecting", "reconnecting", "waiting", "gone", "refused"].includes(row.state))) {
    list.push(button("Disconnect", () => actions.disconnect(row), { id: "sheet-disconnect" }));
  }
  if (row.isPaired && actions.can.has("mute")) list.push(row.muted ? button("Tell of it again", () => actions.mute(row, null), { id: "unmute" }) : muteChoice(row));
  if (bot && row.isPaired && !bot.isPaired) list.push(button(`Pair ${bot.name}`, () => app.pair({ gateway: row.id, bots: [bot.id] }), { id: "sheet-pair-bot" }));
  if (!STATES[row.state].live && actions.can.has("diagnose")) list.push(button("Why?", async () => { extras.why = "…"; update(); extras.why = (await actions.diagnose(row)) || null; update(); }, { id: "sheet-why" }));
  if (row.isNew) list.push(button("Mark as seen", () => app.markSeen([row.id]), { id: "sheet-seen" }));
  return buttons(list);
}

function muteChoice(row) {
  const times = [["", "Mute…"], ["60", "for an hour"], ["480", "for the night (8 h)"], ["1440", "for a day"], ["10080", "for a week"]];
  const choice = el("select", { id: "mute", "aria-label": "Mute", onchange: () => { if (choice.value) actions.mute(row, +choice.value); choice.value = ""; } }, times.map(([value, text]) => el("option", { value }, text)));
  return choice;
}

function diagnosis(answer) {
  if (answer === "…") return el("p", { class: "wait", role: "status" }, "Asking all its places…");
  const findings = answer.findings ?? [];
  const where = { gateway: "on the gateway's host", admin: "on a device that is an admin there" };
  return el("div", { class: "panel", role: "status" },
    findings.length === 0 && el("p", {}, "Nothing is wrong with it."),
    findings.map((f) => [el("p", {}, clean(f.sentence, 400)), f.command && command(clean(f.command, 600)), where[f.typedOn] && hint(`To be typed ${where[f.typedOn]}.`)]),
    (answer.notes ?? []).map((note) => hint(clean(note, 300))));
}

function botsSection(row) {
  if (!row.bots.length) return null;
  return section(counted(row.bots.length, "bot"), el("ul", { class: "plain" }, row.bots.map((bot) => el("li", { class: bot.id === current.bot ? "current" : "" },
    el("span", { class: "emoji", "aria-hidden": "true", colour: bot.accent }, emojiOf(bot.emoji)), " ",
    el("bdi", { class: "name" }, bot.name), " ", stateMark(STATES[bot.state]),
    bot.status && el("span", { class: "hint" }, ` says “${bot.status}”`),
    bot.isPaired && el("span", { class: "buttons inline" },
      button(bot.state === "archived" ? "Take out" : "Archive", () => actions.archive(row, bot, bot.state !== "archived"), { class: "small", "data-key": `archive ${bot.id}`, "aria-label": `${bot.state === "archived" ? "Take out of the archive" : "Archive"}: ${bot.name}` }),
      row.bots.length > 1 && button("Unpair", () => actions.unpair(row, bot), { class: "small", "data-key": `unpair ${bot.id}`, "aria-label": `Unpair ${bot.name}` }),
      actions.can.has("accent") && el("input", { type: "color", defaultValue: bot.accent ?? "#8b5cf6", "data-key": `colour ${bot.id}`, "aria-label": `Colour of ${bot.name}`, onchange: (event) => colour(row, bot, event.target) }))))));
}

/** Gives a bot the colour of a field, which shows the one before where that fails. */
async function colour(row, bot, field) {
  if (!(await actions.accent(row, bot, field.value))) field.value = field.defaultValue;
}

function waysSection(row) {
  const paths = row.gateway.paths ?? [];
  if (!paths.length) return row.endpoint ? section("Ways", el("p", {}, "Last at ", code(clean(row.endpoint)))) : null;
  return section("Ways", el("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Ways" }, el("table", {},
    el("thead", {}, el("tr", {}, ["Address", "Way", "Answers", "Time"].map((t) => el("th", { scope: "col" }, t)))),
    el("tbody", {}, paths.map((path) => el("tr", { class: path.endpoint === row.path ? "current" : "" },
      el("td", {}, code(clean(path.endpoint)), path.endpoint === row.path && STATES[row.state].live && [" ", el("span", { class: "badge" }, "in use")]),
      el("td", {}, wayOf(path, row.pairing?.trust?.kind), path.isTypedIn && el("span", { class: "hint" }, " entered")),
      el("td", {}, { answering: "yes", suspect: "not now", gone: "no" }[path.liveness] ?? "unknown", (path.contradicts || path.hearsay) && el("span", { class: "hint" }, path.contradicts ? " as another gateway" : " by hearsay")),
      el("td", { class: "time" })))))),
    hint(clean(paths[0].summary, 200)));
}

function trustSection(row) {
  const kind = row.pairing?.trust?.kind;
  const leaf = row.gateway.tls?.leafSha256;
  if (!kind) return section("Trust", el("p", {}, leaf ? "It is not paired. It shows this certificate:" : row.gateway.dialect ? "It is not paired, and has no encryption." : "It is not paired."), leaf && el("code", { class: "digits" }, digits(leaf)));
  const pinned = row.pairing.trust.leafSha256;
  const isChanged = row.state === "moved" && leaf && pinned && leaf !== pinned;
  return section("Trust", el("p", {}, TRUST[kind] ?? clean(kind)),
    row.pairing.trust.host && el("p", {}, "Host: ", code(clean(row.pairing.trust.host))),
    pinned && el("code", { class: "digits" }, digits(pinned)),
    isChanged && el("div", { class: "panel violet" },
      el("p", {}, "It shows another certificate now. Compare these digits with those that its own host shows. Only if they are the same there:"),
      el("code", { class: "digits" }, digits(leaf)), trustForm(row, leaf)));
}

/** The new digits are accepted where their end was typed: a click alone would be one too few. */
function trustForm(row, leaf) {
  const field = el("input", { id: "trust-digits", autocomplete: "off", spellcheck: false, maxLength: 16 });
  const problem = el("p", { class: "problem", role: "alert" });
  const go = () => {
    const typed = field.value.toLowerCase().replace(/[^0-9a-f]/g, "");
    if (typed.length < 8 || !leaf.toLowerCase().endsWith(typed)) { problem.textContent = "These are not the last eight digits of the certificate that it shows"; return; }
    actions.trust(row, leaf);
  };
  return [el("label", { class: "field" }, "The last eight digits, as its host shows them", field), problem, button("Trust it", go, { id: "trust-go" })];
}

function historySection(row, now) {
  const list = bars(app.history, row, now);
  const keys = new Set([row.pairing?.id, row.id, row.endpoint]);
  const outages = (app.history?.outages ?? []).filter((o) => keys.has(o.pairing)).slice(-5).reverse();
  if (!list.some((b) => b !== null) && !outages.length) return null;
  return section("The last 24 hours", list.length > 0 && barsView(list, 28), hint(barsText(list)),
    outages.length > 0 && el("ul", { class: "plain" }, outages.map((o) => el("li", {},
      `away from ${momentText(o.began, now)}`, o.ended ? ` for ${durationText(o.durationMs ?? Date.parse(o.ended) - Date.parse(o.began))}` : " until now", o.reason && el("span", { class: "hint" }, `: ${clean(o.reason, 200)}`)))));
}

function problemsSection(row) {
  const texts = [...row.flags.map((f) => FLAGS[f]).filter(Boolean), ...row.problems];
  return texts.length ? section("Problems", el("ul", { class: "plain" }, [...new Set(texts)].map((t) => el("li", {}, t)))) : null;
}

function moreSection(row, bot) {
  const name = el("input", { id: "alias", value: row.name, maxLength: 64, autocomplete: "off" });
  const give = () => actions.rename(row, name.value.trim());
  onEnter(name, give);
  return section("More",
    el("div", { class: "fields" }, el("label", { class: "field wide" }, "Your name for it", name), button("Rename", give, { id: "alias-go" })),
    row.isPaired && el("div", { class: "buttons" },
      actions.can.has("link") && button("Link and QR code", async () => { extras.link = (await actions.link(row)) || null; update(); }, { id: "link" }),
      button("Unpair", () => actions.unpair(row), { class: "danger", id: "unpair" }),
      button("Forget here", () => actions.forget(row), { class: "danger", id: "forget" })),
    row.isPaired && hint("Unpair ends it here and at the gateway. Forget ends it here alone: it stays in the bin for 30 days."),
    extras.link && linkPanel(extras.link),
    el("details", { id: "identifiers", open: byId("identifiers")?.open }, el("summary", {}, "Identifiers"), el("dl", { class: "facts" },
      [["Row", row.id], ["Pairing", row.pairing?.id], ["Fingerprint", typeof row.gateway.fingerprint === "string" ? row.gateway.fingerprint : null], ["Paired", row.pairing && momentText(row.pairing.pairedAt, Date.now())], ["Services", (row.gateway.services ?? []).map((s) => `${clean(s.instance, 64)} ${clean(s.type, 40)}`).join(", ")], ["Bot", bot?.id]]
        .filter(([, value]) => value).map(([key, value]) => [el("dt", {}, key), el("dd", {}, code(clean(value)))]))));
}

function linkPanel(answer) {
  const until = answer.validUntil ? ` Works once, until ${momentText(answer.validUntil, Date.now())}.` : "";
  return el("div", { class: "panel" }, el("p", {}, answer.hasSecret ? `Whoever has it can pair a device.${until}` : "It holds no secret."), answer.trouble && el("p", { class: "problem" }, clean(answer.trouble, 300)), command(answer.link), qrPicture(answer.modules));
}

/** A QR code, black on white in every theme, from rows of `0` and `1`. */
function qrPicture(lines) {
  if (!Array.isArray(lines) || !lines.length || lines.length > 177) return null;
  const size = lines.length + 8;
  const dark = lines.flatMap((line, y) => [...String(line)].flatMap((c, x) => (c === "1" ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])));
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": "QR code of the link" }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: dark.join(""), fill: "#000" }));
}

/** The round-trip times of the last minutes. */
function drawPlot(row, now) {
  const place = byId("plot");
  if (!place) return;
  const samples = row.samples.filter(([time]) => time > now - 600_000);
  // The first seconds would be a stroke.
  place.parentElement.hidden = samples.length < 3 || samples.at(-1)[0] - samples[0][0] < 4000;
  if (place.parentElement.hidden) return;
  const [width, height] = [320, 64];
  const most = Math.max(...samples.map(([, ms]) => ms), 1) * 1.15;
  const start = Math.min(samples[0][0], now - 10_000);
  const x = (time) => ((time - start) / (now - start)) * width;
  const y = (ms) => height - (ms / most) * height;
  const points = samples.map(([time, ms]) => `${x(time).toFixed(1)},${y(ms).toFixed(1)}`);
  const values = samples.map(([, ms]) => ms).sort((a, b) => a - b);
  const median = values[values.length >> 1];
  const text = `median ${latencyText(median)}, most ${latencyText(values.at(-1))}, in ${ageText(start, now)}`;
  place.replaceChildren(
    svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": `Latency: ${text}`, preserveAspectRatio: "none" },
      svg("polyline", { points: `${x(samples[0][0]).toFixed(1)},${height} ${points.join(" ")} ${x(samples.at(-1)[0]).toFixed(1)},${height}`, class: "area" }), svg("polyline", { points: points.join(" "), class: "curve" })),
    el("p", { class: "hint", "aria-hidden": "true" }, text));
}
