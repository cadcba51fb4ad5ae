// Places in the constellation: a ring by latency, a slot in it by id; nothing moves unless its own ring changes. Pure.

import { STATES } from "./state.js";
import { emojiOf } from "./text.js";

/** The latencies in ms at which the next ring begins. */
export const STEPS = [5, 20, 60, 150];

/** The factor by which a latency must be beyond a step before the ring changes. */
const SLACK = 1.3;

/** The ring of a latency; one that had a ring keeps it near its ends. */
export function ringOf(latency, before = null) {
  if (latency === null) return before ?? STEPS.length;
  const ring = (ms) => STEPS.filter((s) => ms >= s).length;
  if (before === null) return ring(latency);
  return Math.max(Math.min(before, ring(latency * SLACK)), ring(latency / SLACK));
}

/** A number from 0 to 1 that is always the same for a text. */
export function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
}

// A ring is two tracks: its own, and one step out for what is away. A full ring goes on in the tracks outside.

export const radius = (track) => 150 + 32.5 * track;
const slots = (track) => 2 * Math.floor((2 * Math.PI * radius(track & ~1)) / 72);

/** The slots to try, best first: every second one of a track; then, in a crowd, near the turn outwards; then any. */
function* candidates(track, turn, hadPlace) {
  const at = (t, i = 0) => [t, (Math.round(turn * slots(t)) + i) % slots(t)];
  if (hadPlace) yield at(track);
  const even = 2 * Math.round((turn * slots(track)) / 2);
  for (let i = 0; i < slots(track); i += 2) yield [track, (even + i) % slots(track)];
  for (let t = track; t < track + 6; t++) for (let i = 0; i < slots(t) / 10; i++) yield at(t, i);
  for (let t = track; ; t++) for (let i = 0; i < slots(t); i++) yield at(t, i);
}

export class Slots {
  #places = new Map(); // id → its place
  #taken = new Set();

  /** Gives places to `{ id, group, latency, isAway }`: those of a group begin at the same turn. */
  place(wanted) {
    const ids = new Set(wanted.map((w) => w.id));
    for (const [id, place] of this.#places) {
      if (ids.has(id)) continue;
      this.#taken.delete(place.key);
      this.#places.delete(id);
    }
    for (const w of [...wanted].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const old = this.#places.get(w.id);
      // What is away tells no latency: its ring is that in which it was lost.
      const ring = w.isAway && old ? old.ring : ringOf(w.latency, old?.ring ?? null);
      if (old && old.ring === ring && old.isAway === w.isAway) continue;
      if (old) this.#taken.delete(old.key);
      const track = old && old.ring === ring ? Math.max(0, old.track + (w.isAway ? 1 : -1)) : 2 * ring + (w.isAway ? 1 : 0);
      for (const [t, slot] of candidates(track, old?.turn ?? hash(w.group), old !== undefined)) {
        const key = `${t} ${slot}`;
        if (this.#taken.has(key)) continue;
        const turn = slot / slots(t);
        this.#taken.add(key);
        this.#places.set(w.id, { ring, isAway: w.isAway, track: t, slot, key, turn, isTight: t % 2 !== (w.isAway ? 1 : 0) || slot % 2 === 1 });
        break;
      }
    }
    return this.#places;
  }
}

/** The nodes of rows: one for each bot, and one for a gateway without any. */
export function nodesOf(list) {
  const middle = (samples) => samples.slice(-5).map(([, ms]) => ms).sort((a, b) => a - b)[Math.min(samples.length, 5) >> 1];
  return list.flatMap((row) => {
    const latency = row.samples.length ? middle(row.samples) : row.latency ?? row.lastLatency;
    const own = { id: null, key: row.id, name: row.name, emoji: "🛰️", accent: null, isPaired: row.isPaired, state: row.state };
    return (row.bots.length ? row.bots : [own]).map((bot) => {
      const { tone, word, shape, live } = STATES[bot.state];
      const isHeld = bot.isPaired && bot.state !== "revoked" || tone === "amber";
      return {
        id: bot.key, group: row.id, row: row.id, bot: bot.id, gateway: row.name, name: bot.name, emoji: emojiOf(bot.emoji),
        accent: bot.accent, state: bot.state, tone, word, shape, latency, isLive: live === true,
        isAway: ["red", "violet"].includes(tone) || ["paired", "disconnected"].includes(bot.state),
        isFolded: row.isFolded || bot.state === "archived",
        isNew: row.isNew && bot.state === "discovered",
        tether: !isHeld || ["plain", "accent"].includes(tone) ? null : tone === "violet" ? "red" : tone,
        isDashed: ["red", "violet"].includes(tone) || bot.state === "reconnecting",
      };
    });
  });
}
