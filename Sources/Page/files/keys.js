// The keyboard: every key in one table, which the help shows.

import { undoLast } from "./actions.js";
import { button, buttons, byId, el, fill, hint, isWriting } from "./dom.js";
import { step } from "./list.js";
import * as sheet from "./sheet.js";
import * as skyview from "./skyview.js";

let app = null;

/** Keys, their words, and what they do. */
const KEYS = [
  ["↑ ↓", "move through the list, or the sky"],
  ["← →", "move to the actions of a row"],
  ["Enter", "open the sheet, or do the action"],
  ["Escape", "close what is open, or clear the filter"],
  ["/", "filter", () => { byId("filter").focus(); byId("filter").select(); }],
  ["R", "scan: ask everything anew", () => app.scan()],
  ["A", "add a gateway", () => app.openWays()],
  ["U", "undo what was done last", () => undoLast()],
  ["S", "mark all that is new as seen", () => app.markAllSeen()],
  ["B", "the bin", () => app.openBin()],
  ["V", "list or constellation", () => byId("view").click()],
  ["T", "dark, light or as the system", () => app.nextTheme()],
  ["+ −", "larger or smaller text"],
  ["?", "these keys", () => openHelp()],
];

const byKey = new Map(KEYS.filter((k) => k[2]).map(([key, , run]) => [key.toLowerCase(), run]));

export function setUp(page) {
  app = page;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return; // a dialog has its own keys
    if (handle(event)) event.preventDefault();
  });
}

function handle(event) {
  const { key, target } = event;
  if (key === "Escape") {
    if (skyview.closeMenu()) return true;
    if (sheet.isOpen()) { sheet.close(); return true; }
    if (byId("filter").value) { byId("filter").value = ""; app.render(); return true; }
    if (target === byId("filter")) { document.querySelector("#list .stop[tabindex='0']")?.focus(); return true; }
    return false;
  }
  if (target === byId("filter") && (key === "ArrowDown" || key === "Enter")) {
    document.querySelector("#list .stop[tabindex='0']")?.focus();
    return true;
  }
  if (isWriting(target)) return false;
  if (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) {
    const inList = byId("list").contains(target) || target === document.body;
    return inList && ((skyview.isOn() && skyview.move(key)) || step(key));
  }
  if (key === "+" || key === "=") { app.changeSize(1); return true; }
  if (key === "-" || key === "−") { app.changeSize(-1); return true; }
  const run = byKey.get(key.toLowerCase());
  run?.();
  return run !== undefined;
}

export function openHelp() {
  const dialog = byId("help");
  fill(dialog, el("h2", { id: "help-title" }, "Keys"),
    el("dl", { class: "keys" }, KEYS.map(([key, words]) => [el("dt", {}, key.split(" ").map((k) => el("kbd", {}, k))), el("dd", {}, words)])),
    hint("A link, a code or a picture of a code can be pasted or dropped anywhere."),
    buttons(button("Close", () => dialog.close(), { class: "primary", autofocus: true })));
  if (!dialog.open) dialog.showModal();
}
