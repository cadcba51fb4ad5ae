// Elements. Text is always a text node; nothing here takes markup.

/** Makes an element. Properties that start with `on` are listeners, `class` and `aria-…`, `data-…`, `role`… are attributes. */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  set(element, properties);
  element.append(...flat(children));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element of a drawing. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...flat(children));
  return element;
}

const flat = (children) => children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false && c !== "");

function set(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "colour") element.style.setProperty("--own", value);
    else if (key in element && !key.includes("-") && key !== "role" && key !== "list" && key !== "form") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
}

/** Replaces what is in an element; keeps the focus where a new child has the `id` or `data-key` of the one that had it. */
export function fill(element, ...children) {
  const active = document.activeElement;
  const had = active && element.contains(active) && active !== element ? active.id || active.dataset.key : "";
  const at = had && "selectionStart" in active ? [active.value, active.selectionStart, active.selectionEnd] : null;
  element.replaceChildren(...flat(children));
  if (!had) return;
  const next = byKey(element, had);
  next?.focus({ preventScroll: true });
  if (next && at && "setSelectionRange" in next && next.type !== "checkbox" && next.type !== "color") {
    next.value = at[0];
    try { next.setSelectionRange(at[1], at[2]); } catch { /* this kind of field has no selection */ }
  }
}

const signs = new WeakMap();

/** Replaces what is in an element if its sign is another than the last time. */
export function fillIfNew(element, sign, content) {
  if (signs.get(element) === sign) return;
  signs.set(element, sign);
  fill(element, content());
}

/** Sets a text that changes often, in its place: a row that is drawn anew for it would lose the click that is being made on it. */
export function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

export const byId = (id) => document.getElementById(id);

/** The element with an `id` or a `data-key` in another one. */
export const byKey = (element, key) => [...element.querySelectorAll("[id],[data-key]")].find((e) => (e.id || e.dataset.key) === key);

/** Calls back when Enter is pressed in a field. */
export const onEnter = (field, go) => field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); go(); } });

/** A button. */
export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", onclick, ...properties }, text);
}

/** A row of buttons. */
export const buttons = (...list) => el("div", { class: "buttons" }, list);

/** A line that explains something. */
export const hint = (...content) => el("p", { class: "hint" }, content);

export const code = (text) => el("code", {}, text);

/** Says something to those who do not see it, and, with `politeness` `"assertive"`, at once. */
export function say(text, politeness = "polite") {
  const region = byId(politeness === "assertive" ? "alert-live" : "live");
  region.textContent = "";
  // A region that is emptied and filled at once is not read again.
  setTimeout(() => { region.textContent = text; }, 50);
}

/** The shape of a state, drawn: told apart without colours, too. */
function shape(state) {
  const drawn = {
    ring: [svg("circle", { cx: 8, cy: 8, r: 5.2, class: "line" }), svg("circle", { cx: 8, cy: 8, r: 1.6, class: "fill" })],
    disc: [svg("circle", { cx: 8, cy: 8, r: 5.6, class: "fill" })],
    open: [svg("circle", { cx: 8, cy: 8, r: 5.2, class: "line" })],
    half: [svg("circle", { cx: 8, cy: 8, r: 5.2, class: "line" }), svg("path", { d: "M8 2.8a5.2 5.2 0 0 1 0 10.4z", class: "fill" })],
    dots: [3, 8, 13].map((cx) => svg("circle", { cx, cy: 8, r: 1.9, class: "fill" })),
    hourglass: [svg("path", { d: "M4 2.5h8L8 8l4 5.5H4L8 8z", class: "line" })],
    cross: [svg("path", { d: "M3.5 3.5l9 9m0-9l-9 9", class: "line" })],
    bar: [svg("circle", { cx: 8, cy: 8, r: 5.6, class: "line" }), svg("path", { d: "M4.6 8h6.8", class: "line" })],
    shield: [svg("path", { d: "M8 1.8l5 1.8v4c0 3.2-2.2 5.5-5 6.6-2.8-1.1-5-3.4-5-6.6v-4z", class: "line" }), svg("path", { d: "M8 5v3.4m0 2v.6", class: "line" })],
    twin: [svg("circle", { cx: 5.6, cy: 8, r: 3.6, class: "line" }), svg("circle", { cx: 10.4, cy: 8, r: 3.6, class: "line" })],
  };
  return svg("svg", { viewBox: "0 0 16 16", class: `shape ${state.shape}`, "aria-hidden": "true" }, drawn[state.shape] ?? drawn.open);
}

/** A word of a state with its shape, in its colour. */
export const stateMark = (state, text = state.word) => el("span", { class: `state ${state.tone}` }, shape(state), text);

/** A command with a button that copies it. */
export function command(text) {
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
      say("copied");
    } catch {
      getSelection().selectAllChildren(shown);
      say("selected; copy it with the keyboard");
    }
  }, { class: "small" });
  const shown = code(text);
  return el("div", { class: "command" }, shown, copy);
}

/** Indicates whether a person is writing: then keys are letters. */
export const isWriting = (target) =>
  target instanceof Element && target.closest("input:not([type=checkbox]):not([type=radio]):not([type=color]),textarea,select") !== null;
