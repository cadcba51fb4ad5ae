// What this browser remembers of how it is looked at: no secret, and nothing without which the page does not work.

const KEY = "clawradar.view";
export const SIZES = ["compact", "normal", "large", "largest"];
export const THEMES = ["auto", "dark", "light"];

const defaults = { theme: "auto", size: "normal", order: "name", seen: [], later: [], hasNudged: false, view: "", particles: "auto" };

let values = { ...defaults };
try {
  const read = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  if (THEMES.includes(read.theme)) values.theme = read.theme;
  if (SIZES.includes(read.size)) values.size = read.size;
  if (["list", "sky"].includes(read.view)) values.view = read.view;
  if (["full", "subtle", "off"].includes(read.particles)) values.particles = read.particles;
  if (typeof read.order === "string") values.order = read.order;
  if (Array.isArray(read.seen)) values.seen = read.seen.filter((v) => typeof v === "string").slice(-2000);
  if (Array.isArray(read.later)) values.later = read.later.filter((v) => Array.isArray(v) && v[1] > Date.now()).slice(-100);
  values.hasNudged = read.hasNudged === true;
} catch { /* nothing is remembered here */ }

export const seen = new Set(values.seen);
export const later = new Map(values.later);
export const pref = (name) => values[name];

export function setPref(name, value) {
  values = { ...values, [name]: value };
  keep();
  show();
}

export function markSeen(ids) {
  for (const id of ids) seen.add(id);
  keep();
}

/** Puts off the question about a device. */
export function putOff(key, until) {
  later.set(key, until);
  keep();
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...values, seen: [...seen].slice(-2000), later: [...later].slice(-100) }));
  } catch { /* private windows may not keep anything */ }
}

/** Applies theme and size of text to the page. */
export function show() {
  const root = document.documentElement;
  root.dataset.theme = values.theme;
  root.dataset.size = values.size;
}
