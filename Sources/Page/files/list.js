// The list: gateways with their bots, drawn anew only where something that is shown has changed.

import { button, byId, byKey, el, setText, stateMark, svg } from "./dom.js";
import { STATES, bars, barsText } from "./state.js";
import { ageText, counted, emojiOf, latencyText } from "./text.js";

const drawn = new Map(); // group and id → { sign, item }

/** The one action that a row offers beside its sheet. */
export function primaryAction(row) {
  switch (row.state) {
    case "discovered": return row.isPaired ? null : { id: "pair", label: "Pair" };
    case "revoked": return { id: "pair", label: "Pair again" };
    case "pairing": return { id: "resume", label: "Continue" };
    case "approval": return { id: "resume", label: "Show" };
    case "gone": return row.isPaired ? { id: "connect", label: "Retry" } : null;
    case "refused":
    case "failed": return { id: "connect", label: "Retry" };
    case "waiting": return { id: "connect", label: "Ask now" };
    case "elsewhere": return { id: "connect", label: "Use here" };
    case "paired":
    case "disconnected": return { id: "connect", label: "Connect" };
    case "moved": return { id: "open", label: "What to do" };
    default: return null;
  }
}

/** The history of a day in bars; their text says the same. */
export function barsView(list, height = 18) {
  const width = list.length * 4;
  const rects = list.map((bar, index) => {
    const x = index * 4;
    if (bar === null) return svg("rect", { x, y: height - 2, width: 3, height: 2, class: "none" });
    const away = Math.max(bar.away > 0 ? 3 : 0, bar.away * height);
    return [
      svg("rect", { x, y: 0, width: 3, height, class: bar.notReady > 0 ? "slow" : "there" }),
      bar.away > 0 && svg("rect", { x, y: 0, width: 3, height: away, class: "away" }),
    ];
  });
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "bars", preserveAspectRatio: "none", role: "img", "aria-label": barsText(list) }, rects);
}

/** The facts of a row in words: since when, which way, how fast. */
export function factsOf(row, now) {
  const facts = [];
  const age = ageText(row.since, now);
  if (row.state === "gone") facts.push(age ? `last connected ${age} ago` : row.isPaired ? "not seen yet" : "");
  else if (age && row.isPaired) facts.push(`for ${age}`);
  if (row.way) facts.push(row.way);
  if (row.latency !== null) facts.push(latencyText(row.latency));
  else if (row.lastLatency !== null) facts.push(`was ${latencyText(row.lastLatency)}`);
  if (row.muted) facts.push("muted");
  return facts.filter(Boolean);
}

function gatewayItem(row, now, history, on, isEnding) {
  const state = STATES[row.state];
  const action = isEnding ? null : primaryAction(row);
  const word = isEnding ? "being unpaired" : state.word;
  const list = bars(history, row, now);
  const head = el("button", {
    type: "button", class: "row stop", "data-key": row.id, tabIndex: -1, onclick: () => on.open(row.id), "aria-haspopup": "dialog",
  },
    el("span", { class: "title" }, el("bdi", { class: "name" }, row.name), row.isNew && row.state === "discovered" && [" ", el("span", { class: "badge" }, "new")]),
    stateMark(state, word),
    el("span", { class: "facts" }, factsOf(row, now).join(" · ")),
    list.some((bar) => bar !== null) && barsView(list));
  return el("li", { class: `gateway ${state.tone}`, "data-id": row.id, "data-state": row.state },
    el("div", { class: "line" }, head,
      action && button(action.label, () => on.act(action.id, row.id), {
        class: "act stop", tabIndex: -1, "data-key": `${row.id}\nact`, "aria-label": `${action.label} ${row.name}`,
      })),
    row.reason && el("p", { class: "reason" }, row.reason),
    row.bots.length > 0 && el("ul", { class: "bots", "aria-label": `Bots of ${row.name}` }, row.bots.filter((b) => b.state !== "archived").map((bot) => botItem(row, bot, on))),
    row.gateway.botCount > row.bots.length && el("p", { class: "reason" }, `and ${counted(row.gateway.botCount - row.bots.length, "more bot")}`));
}

function botItem(row, bot, on) {
  const state = STATES[bot.state];
  // A bot whose state is that of its gateway repeats neither word nor colour.
  const differs = bot.state !== row.state;
  return el("li", {}, el("button", {
    type: "button", class: `bot stop ${state.tone}`, "data-key": bot.key, tabIndex: -1, colour: bot.accent,
    onclick: () => on.open(row.id, bot.id), "aria-haspopup": "dialog",
  },
    el("span", { class: "emoji", "aria-hidden": "true" }, emojiOf(bot.emoji)),
    el("bdi", { class: "name" }, bot.name),
    differs ? stateMark(state) : el("span", { class: "sr" }, state.word)));
}

const signOf = (row, now, history, isEnding) => JSON.stringify([
  row.name, row.state, row.reason, row.isNew, row.isPaired, row.gateway.botCount, isEnding,
  row.bots.map((b) => [b.id, b.name, b.emoji, b.state, b.accent]), bars(history, row, now),
]);

/** Draws a group of rows into a list. */
export function drawGroup(name, element, list, { now, history, on, ending }) {
  const wanted = list.map((row) => {
    const key = `${name}\n${row.id}`;
    const isEnding = row.pairing !== null && ending.has(row.pairing.id);
    const sign = signOf(row, now, history, isEnding);
    let entry = drawn.get(key);
    if (!entry || entry.sign !== sign) {
      const item = gatewayItem(row, now, history, on, isEnding);
      if (entry?.item.contains(document.activeElement)) moveFocus(entry.item, item);
      else entry?.item.remove();
      entry = { sign, item };
      drawn.set(key, entry);
    }
    setText(entry.item.querySelector(".row .facts"), factsOf(row, now).join(" · "));
    return entry.item;
  });
  const kept = new Set(wanted);
  for (const child of [...element.children]) if (!kept.has(child)) removeKeepingFocus(child);
  wanted.forEach((item, index) => {
    if (element.children[index] !== item) element.insertBefore(item, element.children[index] ?? null);
  });
  const ids = new Set(list.map((row) => `${name}\n${row.id}`));
  for (const key of [...drawn.keys()]) if (key.startsWith(`${name}\n`) && !ids.has(key)) drawn.delete(key);
  element.parentElement.hidden = list.length === 0;
}

/** Puts an item in the place of one that has the focus, and the focus on the same thing in it. */
function moveFocus(before, after) {
  const key = document.activeElement.dataset.key;
  before.replaceWith(after);
  const next = byKey(after, key) ?? after.querySelector(".stop");
  next?.focus({ preventScroll: true });
}

function removeKeepingFocus(item) {
  if (item.contains(document.activeElement)) {
    const id = item.dataset.id;
    item.remove();
    const twin = [...document.querySelectorAll(".gateway")].find((e) => e.dataset.id === id)?.querySelector(".stop");
    (twin ?? document.querySelector("#list .stop") ?? byId("filter")).focus({ preventScroll: true });
  } else item.remove();
}

/** Lets one stop of the list, that which was used last, be reached by Tab: the others by arrows. */
export function updateStops() {
  const stops = [...byId("list").querySelectorAll(".stop")].filter((e) => e.offsetParent !== null);
  const current = stops.find((e) => e === document.activeElement) ?? stops.find((e) => e.tabIndex === 0) ?? stops[0];
  for (const stop of byId("list").querySelectorAll(".stop")) {
    const wanted = stop === current ? 0 : -1;
    if (stop.tabIndex !== wanted) stop.tabIndex = wanted;
  }
}

/** Moves the focus within the list: by rows, by stops in a row, or to an end. */
export function step(key) {
  const stops = [...byId("list").querySelectorAll(".stop")].filter((e) => e.offsetParent !== null);
  if (!stops.length) return false;
  const at = stops.indexOf(document.activeElement);
  const isMain = (e) => !e.classList.contains("act");
  let next;
  switch (key) {
    case "ArrowDown": next = stops.slice(at + 1).find(isMain); break;
    case "ArrowUp": next = at < 0 ? stops.at(-1) : stops.slice(0, at).reverse().find(isMain); break;
    case "ArrowRight": next = stops[at + 1]; break;
    case "ArrowLeft": next = at > 0 ? stops[at - 1] : undefined; break;
    case "Home": next = stops[0]; break;
    case "End": next = stops.filter(isMain).at(-1); break;
  }
  if (!next) return at >= 0;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  updateStops();
  return true;
}
