// The constellation in the page: size, pointers and keys. It opens what the list opens; for those who do not see it, the list is there.

import * as actions from "./actions.js";
import { button, byId, byKey, el, fill, say } from "./dom.js";
import { primaryAction } from "./list.js";
import * as prefs from "./prefs.js";
import * as sheet from "./sheet.js";
import { Sky } from "./sky.js";
import { nodesOf } from "./slots.js";
import { STATES } from "./state.js";
import { counted } from "./text.js";

const LONG_PRESS = 500;
const COLORS = ["void", "elevated", "text", "secondary", "border", "accent", "primary", "green", "amber", "red", "violet"];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const coarse = matchMedia("(pointer: coarse)");
const dark = matchMedia("(prefers-color-scheme: dark)");

let app = null;
let sky = null;
let looks = "";
let since = 0; // when the constellation was shown first, or was to show all again
let left = 0; // the width that messages take, or
let above = 0; // the height, on a phone
let isScanning = false;
let known = new Set(); // the rows that were there when the scan began

/** Returns whether the constellation is shown: where nobody chose, unless motion is to be little. */
export const isOn = () => (prefs.pref("view") || (calm.matches ? "list" : "sky")) === "sky";

export function setUp(page) {
  app = page;
  const canvas = byId("live-sky");
  sky = new Sky(byId("still-sky"), canvas);
  byId("view").addEventListener("click", () => choose(isOn() ? "list" : "sky"));
  byId("motion").addEventListener("change", () => { prefs.setPref("particles", byId("motion").value); app.render(); });
  byId("motion").value = prefs.pref("particles");
  byId("fold").addEventListener("click", () => { sky.isUnfolded = !sky.isUnfolded; app.render(); });
  byId("zoom-in").addEventListener("click", () => sky.zoomBy(1.4));
  byId("zoom-out").addEventListener("click", () => sky.zoomBy(1 / 1.4));
  byId("zoom-fit").addEventListener("click", () => { since = 0; sky.isMoved = false; app.render(); sky.fit(); });
  for (const media of [calm, coarse, dark]) media.addEventListener("change", () => app.render());
  new ResizeObserver(() => { looks = ""; app.render(); }).observe(document.documentElement);
  document.addEventListener("visibilitychange", () => { sky.show(isOn() && !document.hidden); });
  for (const name of ["focusin", "focusout"]) document.addEventListener(name, () => setTimeout(followFocus));
  addEventListener("contextmenu", (event) => {
    if (!isOn()) return;
    const node = event.target === canvas ? at(event) : sky.nodes.get(event.target.dataset?.key);
    if (node && openMenu(node)) event.preventDefault();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const [x, y] = point(event);
    sky.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), x, y, true);
  }, { passive: false });
  byId("quick").addEventListener("keydown", (event) => {
    const items = [...byId("quick").children];
    const by = { ArrowDown: 1, ArrowUp: items.length - 1 }[event.key];
    if (by) items[(items.indexOf(document.activeElement) + by) % items.length]?.focus();
    if (by || event.key === "Tab") event.preventDefault();
  });
  followPointers(canvas);
}

function choose(view) {
  prefs.setPref("view", view);
  say(view === "sky" ? "Constellation" : "List");
  app.render();
}

/** Draws what is new, where it is shown. `shown` are the rows that a filter leaves. */
export function update(list, shown) {
  const isShown = isOn();
  document.body.classList.toggle("with-sky", isShown);
  byId("sky").hidden = !isShown;
  byId("view").textContent = isShown ? "List" : "Constellation";
  sky.show(isShown);
  if (!isShown) return;
  const wish = prefs.pref("particles");
  sky.motion = calm.matches ? "off" : wish !== "auto" ? wish : coarse.matches ? "subtle" : "full";
  measure();
  const faces = nodesOf(list);
  const number = faces.filter((f) => f.isFolded).length;
  byId("fold").hidden = number === 0;
  byId("fold").textContent = `Away: ${number}`;
  byId("fold").ariaExpanded = `${sky.isUnfolded}`;
  const fresh = freshOf(list);
  sky.caption = isScanning ? `Scanning${fresh ? `: ${fresh} new` : "…"}` : "";
  sky.update(faces, shown.length < list.length ? new Set(shown.map((row) => row.id)) : null);
  stepAside();
}

/** The number of what is new since the scan began, of that which is called new elsewhere. */
export const freshOf = (list) => list.filter((row) => row.isNew && !known.has(row.id)).length;

export function scanning(isNow, list) {
  isScanning = isNow;
  if (isNow) known = new Set(list.map((row) => row.id));
  if (isOn() || !isNow) sky.sweep(isNow);
  app.render();
}

let opened = null;
let aside = 0;

/** A sheet that opens over its node lets the sky step aside until it is closed. */
function stepAside() {
  if (opened === sheet.openRow()) return;
  opened = sheet.openRow();
  const places = [...sky.nodes.values()].filter((n) => n.face.row === opened && !n.isHidden).map((n) => sky.place(n)[0]);
  // Where they will be: on the way aside for the sheet before, they would be counted twice.
  const over = Math.max(...places) + sky.panX.target - sky.panX.value + 60 - byId("sheet").offsetLeft;
  const by = opened === null ? -aside : innerWidth > 900 ? Math.max(0, over) : 0;
  aside = opened === null ? 0 : aside + by;
  // What moved would lie below the messages: they wait until the sheet is closed.
  document.body.classList.toggle("aside", aside > 0);
  if (by && (by > 0 || !sky.isMoved)) { sky.panX.target -= by; sky.touch(); }
}

function measure() {
  const root = document.documentElement;
  root.style.setProperty("--top", `${byId("top").offsetHeight}px`);
  since ||= performance.now();
  // Messages that are there from the beginning have their own room; those that come later move nothing.
  if (performance.now() - since < 3000) {
    const main = document.querySelector("main");
    const isWide = innerWidth > 720;
    left = isWide && main.scrollHeight > 40 ? main.getBoundingClientRect().right : 0;
    above = isWide ? 0 : main.offsetHeight;
  }
  const sign = [left, above, root.dataset.theme, root.dataset.size, dark.matches, innerWidth, innerHeight].join(" ");
  if (sign === looks) return;
  looks = sign;
  const probe = document.body.appendChild(el("span"));
  const colors = {};
  for (const name of COLORS) {
    probe.style.color = `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  sky.rem = parseFloat(getComputedStyle(root).fontSize);
  sky.setColors(colors);
  const bottom = document.querySelector("footer").offsetHeight + (innerWidth > 720 ? 0 : byId("zoom-in").offsetHeight);
  sky.setSize(innerWidth, innerHeight, left, byId("top").offsetHeight + above, bottom, Math.min(2, devicePixelRatio));
}

const point = (event) => { const box = byId("live-sky").getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
const at = (event) => sky.at(...point(event), event.pointerType === "touch" ? 16 : 6);

/** Returns where a bot is in the window. */
export const pointOf = (id) => sky.place(sky.nodes.get(id));

const twin = (node) => byKey(byId("list"), node.face.id);

/** The list is what has the focus: the node whose twin has it is shown with it. */
function followFocus() {
  const active = document.activeElement;
  const key = active?.matches?.("#list :focus-visible") ? active.dataset.key?.split("\nact")[0] : null;
  const node = key && (sky.nodes.get(key) ?? [...sky.nodes.values()].find((n) => n.face.row === key));
  sky.focused = node ? node.face.id : null;
  if (isOn()) sky.touch();
}

/** Moves the focus to the nearest node in a direction. */
export function move(key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [];
  if (dx === undefined) return false;
  const from = sky.nodes.get(sky.focused);
  const [x, y] = from ? sky.place(from) : [sky.cx, sky.cy];
  let best = null;
  let least = Infinity;
  for (const node of sky.nodes.values()) {
    const [u, v] = sky.place(node);
    const ahead = (u - x) * dx + (v - y) * dy;
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (node === from || node.isHidden || ahead < 1 || aside > 2 * ahead + 20 || ahead + 2 * aside > least || !twin(node)) continue;
    [best, least] = [node, ahead + 2 * aside];
  }
  sky.hovered = null;
  if (best) twin(best).focus({ preventScroll: true });
  // Whoever is nowhere yet gets somewhere: to the first of the list.
  return Boolean(best ?? from);
}

function open(node) {
  twin(node)?.focus({ preventScroll: true });
  app.open(node.face.row, node.face.bot ?? undefined);
}

// Quick actions

let subject = null; // the node that they are about

function openMenu(node) {
  const row = app.row(node.face.row);
  if (!row) return false;
  const primary = primaryAction(row);
  const item = (text, run, more) => button(text, () => { closeMenu(); run(); }, { role: "menuitem", ...more });
  const menu = byId("quick");
  subject = node;
  fill(menu,
    item(`Open ${node.face.name}`, () => open(node)),
    primary && primary.id !== "open" && item(primary.label, () => app.act(primary.id, row.id)),
    row.isPaired && STATES[row.state].live && item("Disconnect", () => actions.disconnect(row)),
    row.isPaired && STATES[row.state].live && item("Reconnect", () => actions.connect(row)),
    row.isPaired && item("Forget here", () => actions.forget(row), { class: "danger" }));
  const [x, y] = sky.place(node);
  menu.hidden = false;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y + 12, innerHeight - menu.offsetHeight - 8))}px`;
  menu.firstElementChild.focus();
  return true;
}

/** Closes the quick actions; gives whether they were open. */
export function closeMenu() {
  if (byId("quick").hidden) return false;
  const hadFocus = byId("quick").contains(document.activeElement);
  byId("quick").hidden = true;
  // Its twin may be another element by now.
  if (hadFocus && subject) twin(subject)?.focus({ preventScroll: true });
  return true;
}

// Pointers

function followPointers(canvas) {
  const fingers = new Map();
  let press = null; // { x, y, node, timer, isMoved }
  const hover = (node) => {
    const id = node?.face.id ?? null;
    if (id === sky.hovered) return;
    sky.hovered = id;
    canvas.classList.toggle("over", id !== null);
    sky.touch();
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, point(event));
    const [x, y] = point(event);
    const node = at(event);
    clearTimeout(press?.timer);
    press = { x, y, node, isMoved: fingers.size > 1, isTop: y < innerHeight * 0.35 && event.pointerType === "touch" };
    if (node) press.timer = setTimeout(() => { press = null; openMenu(node); }, LONG_PRESS);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = point(event);
    if (!fingers.size) return hover(at(event));
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, [x, y]);
    if (press && !press.isMoved && Math.hypot(x - press.x, y - press.y) < 8) return;
    clearTimeout(press?.timer);
    if (press) press.isMoved = true;
    if (!other) return sky.panBy(x - last[0], y - last[1]);
    const factor = Math.hypot(x - other[0], y - other[1]) / (Math.hypot(last[0] - other[0], last[1] - other[1]) || 1);
    sky.zoomBy(factor, (x + other[0]) / 2, (y + other[1]) / 2, true);
  });
  const end = (event) => {
    const [x, y] = point(event);
    fingers.delete(event.pointerId);
    clearTimeout(press?.timer);
    const was = press;
    press = null;
    if (!was || event.type === "pointercancel") return;
    // Pulled down from above: as in other programs, that asks for what is new.
    if (was.isMoved && was.isTop && y - was.y > 110 && Math.abs(x - was.x) < 60 && !fingers.size) { sky.fit(); app.scan(); }
    if (was.isMoved || closeMenu()) return;
    if (was.node) open(was.node); else if (sheet.isOpen()) sheet.close();
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => hover(null));
}
