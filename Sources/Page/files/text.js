// Texts: network text made fit for people, and values in words. Pure.

// Control, bidi, zero-width and other invisible characters; a joiner stays between emoji, and a variation selector, too.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
const LONE_JOINER = /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** Text from the network for people: without what is invisible, on one line, at most `limit` characters. */
export function clean(text, limit = 200) {
  if (text === null || text === undefined) return "";
  const given = typeof text === "string" ? text : typeof text === "object" ? "(bytes)" : String(text);
  const visible = given.replace(INVISIBLE, (c) => (c === "\n" || c === "\t" ? " " : "")).replace(LONE_JOINER, "").trim();
  const parts = [...visible];
  return parts.length > limit ? `${parts.slice(0, limit - 1).join("")}…` : visible;
}

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/** The first symbol of an emoji that a gateway gives, or that of a bot without one. */
export function emojiOf(text) {
  const cleaned = clean(text, 16);
  if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(cleaned)) return "🤖";
  return segmenter ? segmenter.segment(cleaned)[Symbol.iterator]().next().value.segment : [...cleaned][0];
}

/** A round-trip time in words. */
export function latencyText(ms) {
  if (typeof ms !== "number" || !Number.isFinite(ms)) return "";
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}

/** A duration in words, in one unit. */
export function durationText(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400 * 2) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** The time since a moment, `""` for none. */
export function ageText(time, now) {
  const at = typeof time === "number" ? time : Date.parse(time ?? "");
  return Number.isNaN(at) ? "" : durationText(now - at);
}

/** A moment as the clock or the calendar shows it. */
export function momentText(time, now) {
  const at = new Date(typeof time === "number" ? time : Date.parse(time ?? ""));
  if (Number.isNaN(at.getTime())) return "";
  const isToday = new Date(now).toDateString() === at.toDateString();
  return at.toLocaleString([], isToday
    ? { hour: "2-digit", minute: "2-digit" }
    : { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** A number with its noun. */
export const counted = (number, noun, plural = `${noun}s`) => `${number} ${number === 1 ? noun : plural}`;

/** The digits of a certificate in groups of four, by which people compare them. */
export const digits = (hex) => (clean(hex, 128).match(/.{1,4}/g) ?? []).join(" ");

/** Returns the way in that a pasted text is: an `invitation`, an `address`, or nothing of use. */
export function wayIn(text) {
  const given = (text ?? "").trim();
  if (!given || given.length > 8192) return null;
  if (/^(optaplus|oc-pair):/i.test(given) || /^https?:\/\/[^/\s]+\/j\/\S+$/i.test(given)) return { invitation: given };
  if (/^eyJ[\w+/=-]{16,}$/.test(given)) return { invitation: given };
  if (/\s/.test(given)) return null;
  if (/^wss?:\/\/\S+$/i.test(given)) return { address: given };
  if (/^(\[[0-9a-f:.%\w]+\]|[\w.-]+):\d{1,5}$/i.test(given)) return { address: given };
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(given)) return { address: given };
  return null;
}

/** Indicates whether a link itself gives away something that works once; it is not shown then. */
export const isSecret = (text) => /token=|^eyJ|^oc-pair:|\/j\//i.test(text);
