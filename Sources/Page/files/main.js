// The page: puts together what the others do, and keeps it in step with the agent while somebody looks.

import * as actions from "./actions.js";
import { Events, canResume, enter, expect, forgetToken, get, hasToken, resume } from "./api.js";
import { button, buttons, byId, code, command, el, fill, fillIfNew, hint, say, setText, stateMark } from "./dom.js";
import * as keys from "./keys.js";
import { drawGroup, updateStops } from "./list.js";
import * as pairing from "./pairing.js";
import * as prefs from "./prefs.js";
import * as sheet from "./sheet.js";
import * as skyview from "./skyview.js";
import { STATES, apply, applyMutes, applyPairings, applyStatus, counts, emptyModel, filtered, indicator, rows, scanTrouble, sorted, waiting } from "./state.js";
import { ageText, clean, counted, momentText, wayIn } from "./text.js";
import * as ways from "./ways.js";

/** The time for which a device that was put off is not shown. */
const LATER = 30 * 60_000;

const model = emptyModel();
let list = []; // the rows as they were drawn last
let lostAt = null; // since when the agent is away
let isLocked = false; // without a token
let isScanning = false;
let hasRead = false; // what is stored
let hasLooked = false; // what a first start scans for by itself
let storeProblem = "";
const states = new Map(); // what was said last of each paired gateway

const app = {
  model,
  get history() { return model.history; },
  row: (id) => list.find((row) => row.id === id),
  render: () => schedule(),
  refresh: () => refreshSoon(),
  pair: (target) => pairing.begin(target),
  openWays: () => ways.openWays(),
  open, openBin, scan, markAllSeen,
  markSeen(ids) { prefs.markSeen(ids); schedule(); },
  nextTheme() {
    const next = prefs.THEMES[(prefs.THEMES.indexOf(prefs.pref("theme")) + 1) % prefs.THEMES.length];
    prefs.setPref("theme", next);
    drawIcon();
    showSettings();
    schedule();
    say(`Theme: ${next}`);
  },
  changeSize(by) {
    const at = prefs.SIZES.indexOf(prefs.pref("size"));
    const next = prefs.SIZES[Math.max(0, Math.min(prefs.SIZES.length - 1, at + by))];
    prefs.setPref("size", next);
    showSettings();
    schedule();
    say(`Text: ${next}`);
  },
  act(action, id) {
    const row = app.row(id);
    if (!row) return;
    switch (action) {
      case "pair": prefs.markSeen([id]); pairing.begin({ gateway: id }); break;
      case "resume": if (row.open) pairing.resume(row.open.id); break;
      case "connect": actions.connect(row); break;
      default: open(id);
    }
  },
};

function open(id, bot) {
  sheet.open(id, bot);
  if (app.row(id)?.isNew) app.markSeen([id]);
}

// In step with the agent

const events = new Events({
  event(name, data) {
    if (apply(model, name, data, Date.now())) refreshSoon();
  },
  settle: () => schedule(),
  up() {
    if (lostAt !== null) say("The agent is back");
    lostAt = null;
    refreshSoon();
    schedule();
  },
  /** Returns whether it is asked again. */
  down(problem) {
    const isLost = problem.status === 0;
    // Another program may have its port now, which must not be given the token.
    if (!canResume()) {
      if (problem.status === 401) return lock(problem.message);
      if (isLost && lostAt !== null) return lock("The agent has ended.");
    }
    lostAt ??= Date.now();
    // One that is back at once was not away.
    setTimeout(() => { if (lostAt !== null && !isLocked) { schedule(); say("The agent is away", "assertive"); } }, 800);
    if (!canResume() || !isLost && problem.status !== 401) return true;
    renew(problem.message);
    return false;
  },
});

let refreshTimer = null;
let isRefreshing = false;

function refreshSoon() {
  if (document.hidden || isLocked) return;
  refreshTimer ??= setTimeout(refresh, 120);
}

/** Reads what the agent judges and keeps, which no event tells. */
async function refresh() {
  if (isRefreshing) { refreshTimer = setTimeout(refresh, 200); return; }
  refreshTimer = null;
  if (isLocked || lostAt !== null) return;
  isRefreshing = true;
  try {
    const [status, stored, bin, mutes] = await Promise.all([get("/api/v1/status"), get("/api/v1/pairings"), actions.readBin(), readIfThere("/api/v1/mute")]);
    applyStatus(model, status);
    applyPairings(model, stored);
    if (mutes) applyMutes(model, mutes);
    model.bin = bin ?? [];
    model.hasBin = bin !== null;
    storeProblem = "";
  } catch (error) {
    expect(error);
    if (error.status === 401) return void (canResume() ? renew(error.message) : lock(error.message));
    if (error.status !== 0) storeProblem = error.message;
  } finally {
    isRefreshing = false;
    hasRead = true;
  }
  schedule();
}

async function readHistory() {
  if (document.hidden || isLocked || lostAt !== null) return;
  model.history = (await readIfThere("/api/v1/history?days=1")) ?? model.history;
  schedule();
}

/** Reads what the page goes on without; `null` while the agent cannot read it. */
async function readIfThere(path) {
  try { return await get(path); } catch (error) {
    expect(error);
    return null;
  }
}

let ageTimer = null;
let historyTimer = null;

/** A page that nobody sees asks nothing and draws nothing. */
function followVisibility() {
  clearInterval(ageTimer);
  clearInterval(historyTimer);
  if (document.hidden || isLocked) {
    events.close();
    clearTimeout(refreshTimer);
    refreshTimer = null;
    return;
  }
  again();
  refreshSoon();
  readHistory();
  ageTimer = setInterval(schedule, 10_000);
  historyTimer = setInterval(readHistory, 120_000);
}

/** The time after which an agent that is away is asked again. */
const PAUSE = 1000;

let isRenewing = false;
let renewTimer = null;

/** Goes on with the agent, once what answers has proved to be that; locks the page if it is another program. */
async function renew(reason) {
  clearTimeout(renewTimer);
  if (isRenewing || isLocked || document.hidden) return;
  isRenewing = true;
  let isProved = false;
  let isAway = false;
  try { isProved = await resume(); } catch (error) {
    expect(error);
    // One that has just begun may have to say so (400), or not be able to answer yet.
    isAway = error.status === 0 || error.status === 400 || error.status >= 500;
  } finally {
    isRenewing = false;
  }
  if (isAway) renewTimer = setTimeout(() => renew(reason), PAUSE);
  else if (isProved) events.retry();
  else lock(reason);
}

/** Asks the agent again; one that was away has to prove itself before. */
function again() {
  if (lostAt !== null && canResume()) renew("The agent has ended.");
  else events.retry();
}

function lock(reason) {
  isLocked = true;
  forgetToken();
  followVisibility();
  fill(byId("banners"), el("div", { class: "banner red", role: "alert" },
    el("span", {}, el("strong", {}, "This page may not ask the agent any more. "), "Type in a terminal, and use the page that opens:"),
    code("clawradar page"), reason && el("span", { class: "hint" }, clean(reason, 200))));
  document.body.classList.add("lost");
  drawTitle();
  return false;
}

// Drawing

let frame = 0;

function schedule() {
  if (!frame && !document.hidden && !isLocked) frame = requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  const now = Date.now();
  list = rows(model, prefs.seen, now);
  announce();
  const shown = sorted(filtered(list, byId("filter").value), prefs.pref("order"));
  const options = { now, history: model.history, ending: actions.ending, on: { open, act: app.act } };
  const isAway = (row) => row.isFolded;
  drawGroup("paired", byId("paired"), shown.filter((r) => r.isPaired && !isAway(r)), options);
  drawGroup("found", byId("found"), shown.filter((r) => !r.isPaired && !isAway(r)), options);
  drawGroup("away", byId("away"), shown.filter(isAway), options);
  byId("away-title").textContent = `Away for days, or archived (${shown.filter(isAway).length})`;
  drawOthers();
  drawBanners(now);
  drawApprovals(now);
  drawEmpty(shown);
  drawTitle();
  updateStops();
  skyview.update(hasRead ? list : [], shown);
  if (!hasLooked && hasRead && model.loaded && list.every((r) => !r.isPaired) && skyview.isOn()) scan();
  hasLooked ||= hasRead && model.loaded;
  sheet.update();
  pairing.update();
  document.body.classList.toggle("lost", lostAt !== null);
}

function drawOthers() {
  const others = [...model.others.values()];
  byId("others").hidden = others.length === 0;
  byId("others-title").textContent = `Other things (${others.length})`;
  if (!byId("others").open) return;
  fillIfNew(byId("others-list"), JSON.stringify(others.map((o) => [o.id, o.name, o.reason])), () => others.slice(0, 500).map((o) => el("li", {}, el("bdi", { class: "name" }, clean(o.name, 64)), " ", code(clean(o.paths?.[0]?.endpoint)), hint(clean(o.reason, 200)))));
}

function drawBanners(now) {
  const items = [];
  if (lostAt !== null && now - lostAt >= 700) {
    items.push(["lost", () => el("div", { class: "banner amber" }, stateMark(STATES.reconnecting, "The agent is away."), el("span", {}, `What is shown is as of ${momentText(lostAt, now)}.`),
      button("Try now", again, { class: "small", "data-key": "banner lost" }))]);
  }
  const trouble = scanTrouble(model);
  if (trouble && lostAt === null) {
    items.push([`scan ${trouble} ${model.pairings.size > 0}`, () => el("div", { class: "banner amber" }, el("span", {}, el("strong", {}, "Local scanning unavailable. "), trouble), model.pairings.size > 0 && ways.wayButtons())]);
  }
  if (storeProblem) items.push([`store ${storeProblem}`, () => el("div", { class: "banner red" }, el("span", {}, clean(storeProblem, 400)))]);
  for (const row of list) {
    if (row.state === "refused" && /token|credential|password/i.test(row.reason)) {
      items.push([`token ${row.id} ${row.reason}`, () => el("div", { class: "banner red" }, el("span", {}, el("strong", {}, "Token invalid: "), el("bdi", {}, row.name)), button("Pair again", () => app.act("pair", row.id), { class: "small", "data-key": `token ${row.id}` }))]);
    }
  }
  for (const sentence of model.silence ?? []) items.push([`silence ${sentence}`, () => el("div", { class: "banner" }, el("span", {}, clean(sentence, 300)))]);
  const goesOn = pairing.openLines();
  if (!prefs.pref("hasNudged") && model.pairings.size > 0 && model.agent?.folder) {
    items.push(["nudge", () => el("div", { class: "banner" },
      el("span", {}, "Your pairings can be backed up: copy ", code(clean(model.agent.folder)), " and, kept apart from it, the key of this store."),
      button("Got it", () => { prefs.setPref("hasNudged", true); schedule(); }, { class: "small", "data-key": "banner nudge" }))]);
  }
  const sign = JSON.stringify([items.map(([key]) => key), goesOn.map((line) => line.textContent), lostAt]);
  fillIfNew(byId("banners"), sign, () => [items.map(([, make]) => make()), goesOn]);
}

let approvalsSign = "";

function drawApprovals(now) {
  const all = waiting(model, prefs.later, now);
  const shown = all.filter((r) => !r.isLater);
  const sign = JSON.stringify([shown.map((r) => [r.key, r.name]), all.length]);
  const factsOf = (r) => {
    const age = ageText(r.requestedAt, now);
    return [r.kind === "node" ? "node" : "device", clean(r.platform, 40), clean(r.address, 60), age && `for ${age}`].filter(Boolean).join(" · ");
  };
  if (sign === approvalsSign) return byId("approvals-list").querySelectorAll(".facts").forEach((line, index) => setText(line, factsOf(shown[index])));
  const fresh = shown.length > 0 && approvalsSign === "" ? shown[0] : null;
  approvalsSign = shown.length ? sign : "";
  byId("approvals").hidden = all.length === 0;
  fill(byId("approvals-list"), shown.map((request) => {
    const name = clean(request.name, 64) || "A device without a name";
    const asks = [...(request.roles ?? []), ...(request.scopes ?? [])].map((w) => clean(w, 48)).join(", ");
    const key = (what) => ({ class: what === "approve" ? "primary" : "", "data-key": `${what} ${request.key}`, "aria-label": `${what[0].toUpperCase()}${what.slice(1)} ${name}` });
    return el("li", { class: "approval" },
      el("div", {}, el("bdi", { class: "name" }, name), ` wants in at `, el("bdi", {}, request.gatewayName),
        el("p", { class: "facts" }, factsOf(request)),
        asks && hint(`Asks for: ${asks}`),
        hint("Compare this with what the device shows: ", code(clean(request.id, 80)))),
      el("div", { class: "buttons" },
        button("Approve", () => actions.decide(request, "approve"), key("approve")),
        button("Reject", () => actions.decide(request, "reject"), key("reject")),
        button("Later", () => { prefs.putOff(request.key, Date.now() + LATER); schedule(); }, key("later"))));
  }), shown.length < all.length && el("li", {}, button(`Show ${counted(all.length - shown.length, "that was put off", "that were put off")}`, () => { prefs.later.clear(); schedule(); }, { class: "small", "data-key": "approvals all" })));
  if (fresh) say(`${clean(fresh.name, 64) || "A device"} waits for your approval`, "assertive");
}

function drawEmpty(shown) {
  const isEmpty = model.loaded && list.length === 0;
  const isFirst = model.loaded && model.pairings.size === 0;
  byId("first").hidden = !(isEmpty || isFirst) || byId("filter").value !== "";
  byId("no-match").hidden = shown.length > 0 || list.length === 0;
  byId("loading").hidden = model.loaded;
  const isBlind = scanTrouble(model) !== null;
  fillIfNew(byId("first"), `${isEmpty} ${isBlind}`, () => [
    isEmpty && !isBlind && el("div", { class: "radar", "aria-hidden": "true" }, el("span", { class: "you" }, "💻")),
    el("h2", {}, isEmpty && !isBlind ? "Looking around…" : "Pair your first gateway"),
    el("p", {}, isBlind ? "Nothing can be found by itself now. There are other ways:" : isEmpty ? "Gateways on this network appear here by themselves. If yours does not, there are other ways:" : "Choose one of those that were found, or take another way:"),
    ways.wayButtons()]);
}

function drawTitle() {
  const numbers = counts(list);
  const tone = isLocked ? "red" : lostAt !== null ? "amber" : indicator(numbers);
  document.title = isLocked ? "locked – clawradar" : lostAt !== null ? "… – clawradar" : numbers.paired ? `${numbers.connected} of ${numbers.paired} connected – clawradar` : "clawradar";
  const asking = waiting(model, prefs.later, Date.now()).filter((r) => !r.isLater).length;
  const words = [asking && `${asking} to approve`, numbers.paired ? `${numbers.connected} of ${numbers.paired} connected` : "nothing paired yet",
    numbers.trouble && `${numbers.trouble} in trouble`, numbers.fresh && `${numbers.fresh} new`].filter(Boolean).join(" · ");
  const mark = { green: STATES.connected, amber: STATES.connecting, red: STATES.refused, plain: STATES.paired }[tone];
  fillIfNew(byId("summary"), `${tone} ${words}`, () => stateMark(mark, words));
  drawIcon(tone, numbers.connected);
}

let iconSign = "";

function drawIcon(tone = "plain", number = 0) {
  if (iconSign === `${tone}${number}`) return;
  iconSign = `${tone}${number}`;
  const colour = { green: "#22c55e", amber: "#f59e0b", red: "#ef4444", plain: "#8b5cf6" }[tone];
  const text = number > 99 ? "99" : number > 0 ? `${number}` : "";
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#050505"/><circle cx="16" cy="16" r="12.5" fill="none" stroke="${colour}" stroke-width="4"/>`
    + (text ? `<text x="16" y="21.5" font-family="sans-serif" font-size="15" font-weight="700" fill="#fff" text-anchor="middle">${text}</text>` : `<circle cx="16" cy="16" r="4" fill="${colour}"/>`) + "</svg>";
  byId("icon").href = `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/** Tells those who do not look what has changed of what is paired. */
function announce() {
  const said = [];
  for (const row of list) {
    if (!row.isPaired) { states.delete(row.id); continue; }
    const before = states.get(row.id);
    if (before && before !== row.state && STATES[before].word !== STATES[row.state].word) said.push(`${row.name}: ${STATES[row.state].word}`);
    states.set(row.id, row.state);
  }
  if (said.length) say(said.slice(0, 5).join(". "));
}

// What the head of the page does

async function scan() {
  if (isScanning) return;
  isScanning = true;
  byId("scan").setAttribute("aria-busy", "true");
  skyview.scanning(true, list);
  say("Scanning");
  const done = await actions.scan();
  isScanning = false;
  byId("scan").removeAttribute("aria-busy");
  const number = skyview.freshOf(list);
  skyview.scanning(false, list);
  if (!done) return;
  actions.toast(number ? `Found ${counted(number, "new gateway")}` : "Asked everything: nothing new", { lifetime: 4000 });
}

function markAllSeen() {
  prefs.markSeen(list.filter((row) => row.isNew).map((row) => row.id));
  schedule();
}

async function openBin() {
  await refresh();
  const dialog = byId("bin");
  const now = Date.now();
  const reasons = { unpaired: "unpaired", revoked: "revoked by its gateway", forgotten: "forgotten here" };
  fill(dialog, el("h2", { id: "bin-title" }, "Bin"),
    model.bin.length === 0 && el("p", {}, model.hasBin === false ? "The agent does not tell what is in the bin: clawradar pairings --bin does." : "Nothing is in the bin."),
    el("ul", { class: "plain" }, model.bin.map((item) => {
      const name = clean(item.pairing.name, 64);
      // A token that its gateway has withdrawn opens nothing, restored or not.
      const isDead = item.reason === "unpaired" && item.withdrawn;
      return el("li", { class: "binned" }, el("div", {}, el("bdi", { class: "name" }, name),
        el("p", { class: "facts" }, `${reasons[item.reason] ?? clean(item.reason)} · ${ageText(item.binnedAt, now)} ago · kept until ${momentText(item.keptUntil, now)}`),
        isDead && hint("Its gateway has withdrawn it: pair again to use it."),
        item.command && command(clean(item.command, 600))),
        isDead && model.gateways.has(item.pairing.gateway) ? button("Pair again", () => { dialog.close(); pairing.begin({ gateway: item.pairing.gateway }); }, { "data-key": `again ${item.pairing.id}`, "aria-label": `Pair again with ${name}` })
          : button("Restore", async () => { await actions.restore(item.pairing.id, name); openBin(); }, { "data-key": `restore ${item.pairing.id}`, "aria-label": `Restore ${name}` }));
    })),
    buttons(button("Close", () => dialog.close(), { class: "primary" })));
  if (!dialog.open) dialog.showModal();
}

function showSettings() {
  byId("theme").textContent = { auto: "Theme: auto", dark: "Theme: dark", light: "Theme: light" }[prefs.pref("theme")];
  byId("size").value = prefs.pref("size");
}

// The beginning

async function start() {
  prefs.show();
  drawIcon();
  actions.setUp(() => { refreshSoon(); schedule(); });
  for (const part of [sheet, pairing, keys, skyview]) part.setUp(app);
  ways.setUp();
  byId("filter").addEventListener("input", schedule);
  byId("order").value = prefs.pref("order");
  byId("order").addEventListener("change", () => { prefs.setPref("order", byId("order").value); schedule(); });
  byId("size").addEventListener("change", () => prefs.setPref("size", byId("size").value));
  byId("theme").addEventListener("click", app.nextTheme);
  byId("scan").addEventListener("click", scan);
  byId("add").addEventListener("click", app.openWays);
  byId("open-bin").addEventListener("click", openBin);
  byId("open-help").addEventListener("click", keys.openHelp);
  byId("others").addEventListener("toggle", schedule);
  byId("away-fold").addEventListener("toggle", () => { schedule(); });
  byId("list").addEventListener("focusin", updateStops);
  showSettings();
  let link = null;
  let problem = "";
  try { link = await enter(); } catch (error) {
    expect(error);
    problem = error.message;
  }
  // An address with another login, typed or pasted where the page is open.
  addEventListener("hashchange", () => { if (/[#&]login=/.test(location.hash)) location.reload(); });
  if (!hasToken()) return lock(problem);
  document.addEventListener("visibilitychange", followVisibility);
  addEventListener("online", followVisibility);
  followVisibility();
  actions.learn().then(schedule, () => {});
  const target = link && wayIn(link);
  if (target) pairing.offerLink(target, "from a link that you opened");
  else if (link) actions.toast("What was opened is no link of a gateway", { tone: "red" });
}

start();
