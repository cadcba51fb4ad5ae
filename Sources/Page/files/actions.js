// What a person can have done, each once: asks the agent, says what came of it, and offers to undo it.

import { Problem, expect, get, post } from "./api.js";
import { button, byId, el, say } from "./dom.js";
import { durationText } from "./text.js";

/** The time in which an unpairing can be called back; the gateway is told only after it. */
const GRACE = 8000;

let refresh = () => {};

/** Pairings that are to end, with what ends them. */
export const ending = new Map();

export function setUp(onChange) {
  refresh = onChange;
  addEventListener("pagehide", () => { for (const end of [...ending.values()]) end(true); });
}

// Messages

let lastUndo = null;

/** Shows a message for a while, with an action if there is one. */
export function toast(text, { undo, label = "Undo", tone = "plain", lifetime = GRACE } = {}) {
  const stack = byId("toasts");
  const close = () => {
    clearTimeout(timer);
    item.remove();
    if (lastUndo === run) lastUndo = null;
  };
  const run = undo && (() => { close(); undo(); });
  const item = el("div", { class: `toast ${tone}` },
    el("span", {}, text),
    run && button(label, run, { class: "small" }),
    button("✕", close, { class: "small quiet", "aria-label": "Dismiss" }));
  let timer = setTimeout(close, lifetime);
  const hold = () => clearTimeout(timer);
  const resume = () => { clearTimeout(timer); timer = setTimeout(close, lifetime); };
  // Whoever reads or reaches for it has the time for that; what is to end meanwhile does so all the same.
  item.addEventListener("mouseenter", hold);
  item.addEventListener("focusin", hold);
  item.addEventListener("mouseleave", resume);
  item.addEventListener("focusout", resume);
  stack.append(item);
  while (stack.children.length > 4) stack.firstElementChild.remove();
  if (run) lastUndo = run;
  say(run ? `${text}. To undo, press U` : text, tone === "red" ? "assertive" : "polite");
  return close;
}

/** Undoes what was done last, if that can still be undone. */
export function undoLast() {
  if (lastUndo) lastUndo();
  else toast("Nothing to undo. What was unpaired or forgotten is in the bin");
}

/** Does something; says why not, where it fails. */
async function attempt(work, failure) {
  try {
    const result = await work();
    refresh();
    return result ?? true;
  } catch (error) {
    expect(error);
    toast(error.isUnknown ? `${failure}: this agent cannot do that yet` : `${failure}: ${error.message}`, { tone: "red", lifetime: 15_000 });
    refresh();
    return null;
  }
}

// Operations

export const scan = () => attempt(() => post("/api/v1/scan?timeoutMs=5000"), "Not scanned");

export const connect = (row) => attempt(() => post("/api/v1/connect", { pairing: row.pairing.id }), "Not connected");

export async function disconnect(row) {
  const done = await attempt(() => post("/api/v1/disconnect", { pairing: row.pairing.id }), "Not disconnected");
  if (done) toast(`Disconnected ${row.name}`, { undo: () => connect(row) });
}

/** The operations that this agent has of those that not every one has. */
export const can = new Set();

/** Asks which of them it has: it refuses the method of those, and does not know the others. */
export async function learn() {
  await Promise.all(["mute", "link", "diagnose", "accent"].map(async (name) => {
    try { await get(`/api/v1/${name}`); } catch (error) {
      expect(error);
      if (error.status !== 405) return;
    }
    can.add(name);
  }));
}

/** Ends a pairing here and at its gateway, once it can be called back no more. */
export function unpair(row, bot) {
  const id = row.pairing.id;
  if (ending.has(id)) return;
  let isDone = false;
  const finish = async (isLeaving = false) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    ending.delete(id);
    const body = bot ? { pairing: id, bot: bot.id } : { pairing: id };
    const answer = await attempt(() => post("/api/v1/unpair", body, { keepalive: isLeaving }), "Not unpaired");
    if (!answer || isLeaving) return;
    if (answer.withdrawn === false && answer.command) {
      toast(`Unpaired here. Its operator removes this device there with: ${answer.command}`, { lifetime: 30_000 });
    } else if (answer.withdrawn === false) {
      toast(`Unpaired here; ${row.name} is told when it is reached`);
    }
  };
  const timer = setTimeout(finish, GRACE);
  ending.set(id, finish);
  const what = bot ? `${bot.name} at ${row.name}` : row.name;
  toast(`Unpairing ${what} in ${durationText(GRACE)}`, {
    undo: () => {
      if (isDone) return restore(id, row.name);
      isDone = true;
      clearTimeout(timer);
      ending.delete(id);
      refresh();
      toast(`${row.name} stays paired`);
    },
  });
  refresh();
}

export async function forget(row) {
  const done = await attempt(() => post("/api/v1/forget", { pairing: row.pairing.id }), "Not forgotten");
  if (done) toast(`Forgot ${row.name} here. Its gateway was not told`, { undo: () => restore(row.pairing.id, row.name) });
}

export async function restore(pairing, name) {
  if (await attempt(() => post("/api/v1/restore", { pairing }), "Not restored")) toast(`Restored ${name}`);
}

export async function archive(row, bot, isArchived = true) {
  const body = { pairing: row.pairing.id, bot: bot.id, archived: isArchived };
  const done = await attempt(() => post("/api/v1/archive", body), "Not archived");
  if (!done) return;
  const undo = () => archive(row, bot, !isArchived);
  toast(isArchived ? `Archived ${bot.name}` : `${bot.name} is back`, { undo });
}

export const trust = (row, leaf) => attempt(() => post("/api/v1/trust", { pairing: row.pairing.id, leaf, shown: row.pairing.trust }), "Not trusted");

export async function rename(row, name) {
  const before = row.name;
  const done = await attempt(() => post("/api/v1/alias", { gateway: row.id, ...(name ? { name } : { remove: true }) }), "Not renamed");
  // What it was called before may be its own name, which is no name of the user's.
  if (done) toast(name ? `Named it ${name}` : "It has its own name again", name ? {} : { undo: () => rename({ ...row, name }, before) });
}

export async function mute(row, minutes) {
  const time = minutes ? { durationMs: minutes * 60_000 } : { remove: true };
  const done = await attempt(() => post("/api/v1/mute", { gateway: row.pairing?.id ?? row.id, ...time }), "Not muted");
  if (!done) return;
  const text = minutes ? `Nothing is told of ${row.name} for ${durationText(minutes * 60_000)}` : `${row.name} is told of again`;
  toast(text, minutes ? { undo: () => mute(row, null) } : {});
}

/** Gives a bot a colour; tells whether that was done. */
export async function accent(row, bot, color) {
  return await attempt(() => post("/api/v1/accent", { pairing: row.pairing.id, bot: bot.id, color }), "Colour not kept") !== null;
}

/** A link to a gateway for another device. */
export const link = (row) => attempt(() => post("/api/v1/link", { pairing: row.pairing.id }), "No link");

/** Why a gateway cannot be used. */
export const diagnose = (row) =>
  attempt(() => post("/api/v1/diagnose", { gateway: row.id }, { timeout: 60_000 }), "Not diagnosed");

export async function decide(request, decision) {
  const failure = decision === "approve" ? "Not approved" : "Not rejected";
  const body = { pairing: request.pairing, request: request.id };
  const done = await attempt(() => post(`/api/v1/${decision}`, body, { timeout: 60_000 }), failure);
  if (done) toast(decision === "approve" ? "Approved" : "Rejected");
}

/** Reads what is in the bin; `null` where the agent does not tell. */
export async function readBin() {
  try {
    return (await get("/api/v1/bin")).bin ?? [];
  } catch (error) {
    if (error instanceof Problem && error.isUnknown) return null;
    throw error;
  }
}
