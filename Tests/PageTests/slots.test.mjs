// The places and the motion of the constellation. Run: node --test Tests/PageTests/

import assert from "node:assert/strict";
import { test } from "node:test";
import { STEPS, Slots, hash, nodesOf, radius, ringOf } from "../../Sources/Page/files/slots.js";
import { SPRINGS, spring, step } from "../../Sources/Page/files/springs.js";
import { emptyModel, rows } from "../../Sources/Page/files/state.js";

/** Random numbers that are the same in every run. */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Nothing moves without a reason: 1,000 arrivals, departures, losses and latency changes, and only that moves whose ring changed.
test("no node moves unless its own ring changed", () => {
  for (const seed of [1, 2, 3]) {
    const next = random(seed);
    const slots = new Slots();
    const bots = new Map();
    let before = new Map();
    let moved = 0;
    for (let i = 0; i < 1000; i++) {
      const ids = [...bots.keys()];
      const one = bots.get(ids[Math.floor(next() * ids.length)]);
      const kind = next();
      if (!one || kind < 0.4) {
        const group = `g${Math.floor(next() * 12)}`;
        const id = `${group}\nb${Math.floor(next() * 1e6)}`;
        bots.set(id, { id, group, latency: next() < 0.1 ? null : next() * 250, isAway: next() < 0.1 });
      } else if (kind < 0.55) bots.delete(one.id);
      else if (kind < 0.7) one.isAway = !one.isAway;
      else one.latency = next() * 250;
      const places = slots.place([...bots.values()].sort(() => next() - 0.5));
      assert.equal(places.size, bots.size);
      assert.equal(new Set([...places.values()].map((p) => p.key)).size, bots.size, "two in one slot");
      for (const [id, place] of places) {
        const was = before.get(id);
        if (!was || was.ring !== place.ring || was.isAway !== place.isAway) continue;
        assert.deepEqual(place, was, `${id} moved in step ${i} of seed ${seed}`);
      }
      moved += [...places].filter(([id, p]) => before.has(id) && before.get(id).key !== p.key).length;
      before = new Map([...places].map(([id, p]) => [id, { ...p }]));
    }
    assert.ok(moved > 100, "nothing was tried");
  }
});

// The same bots have the same places after a reload, in whatever order they come.
test("places do not depend on the order of arrival in one look", () => {
  const bots = Array.from({ length: 60 }, (_, i) => ({ id: `g${i % 7}\nb${i}`, group: `g${i % 7}`, latency: i * 3, isAway: i % 9 === 0 }));
  assert.deepEqual([...new Slots().place(bots)].sort(), [...new Slots().place([...bots].reverse())].sort());
});

// A latency that wavers about a step moves nothing.
test("a ring has hysteresis", () => {
  assert.deepEqual([0.5, 5, 20, 60, 150, 900].map((ms) => ringOf(ms)), [0, 1, 2, 3, 4, 4]);
  assert.equal(ringOf(null), STEPS.length);
  assert.equal(ringOf(5.5, 0), 0);
  assert.equal(ringOf(4.5, 1), 1);
  assert.equal(ringOf(7, 0), 1);
  assert.equal(ringOf(3, 1), 0);
  assert.equal(ringOf(null, 2), 2);
  assert.equal(ringOf(500, 0), 4);
});

// What is lost is found where it was: the same angle, one step out, and the same place when it is back.
test("what is away keeps its angle", () => {
  const slots = new Slots();
  const bots = ["a", "b", "c"].map((id) => ({ id, group: "g", latency: 2, isAway: false }));
  const was = { ...slots.place(bots).get("b") };
  bots[1].isAway = true;
  bots[1].latency = 400;
  const away = slots.place(bots).get("b");
  assert.deepEqual([away.turn, away.track], [was.turn, was.track + 1]);
  assert.ok(radius(away.track) > radius(was.track));
  Object.assign(bots[1], { isAway: false, latency: 2 });
  assert.deepEqual(slots.place(bots).get("b"), was);
});

// 500 bots of the same latency are 500 places that do not touch, and bots of a gateway are near each other.
test("500 bots have room", () => {
  const bots = Array.from({ length: 500 }, (_, i) => ({ id: `g${i % 50}\nb${i}`, group: `g${i % 50}`, latency: 2, isAway: false }));
  const at = [...new Slots().place(bots)].map(([, p]) => [radius(p.track) * Math.cos(p.turn * 2 * Math.PI), radius(p.track) * Math.sin(p.turn * 2 * Math.PI)]);
  let least = Infinity;
  at.forEach(([x, y], i) => { for (const [u, v] of at.slice(i + 1)) least = Math.min(least, Math.hypot(x - u, y - v)); });
  assert.ok(least > 28, `${least}`);
  assert.ok(Math.max(...at.map(([x, y]) => Math.hypot(x, y))) < 520);
  assert.ok(hash("g1") !== hash("g2") && hash("g1") >= 0 && hash("g1") < 1);
});

// A line is a session, and nothing else.
test("what is only found has no tether", () => {
  const model = emptyModel();
  model.gateways.set("n", { id: "n", name: "New", liveness: "answering", latencyMs: 3, bots: [{ id: "x", name: "X" }], paths: [] });
  model.gateways.set("g", { id: "g", name: "Own", liveness: "answering", latencyMs: 3, bots: [], paths: [] });
  model.pairings.set("p", { id: "p", gateway: "g", name: "Own", bots: [], connectsAutomatically: true });
  model.sessions.set("s", { pairing: "p", gateway: "g", state: "connected", bots: [] });
  const nodes = new Map(nodesOf(rows(model, new Set(), 0)).map((n) => [n.row, n]));
  assert.deepEqual([nodes.get("n").tether, nodes.get("n").isNew, nodes.get("n").id], [null, true, "n\nx"]);
  assert.deepEqual([nodes.get("g").tether, nodes.get("g").isLive, nodes.get("g").id], ["green", true, "g"]);
});

// A spring comes to rest at its target, at the same time for any rate of frames, and then needs no frame.
test("springs come to rest", () => {
  for (const kind of Object.values(SPRINGS)) {
    const [slow, fast] = [spring(0, kind), spring(0, kind)];
    slow.target = fast.target = 100;
    for (let i = 0; i < 4; i++) step(slow, 0.05);
    for (let i = 0; i < 200; i++) step(fast, 0.001);
    assert.ok(Math.abs(slow.value - fast.value) < 1e-6);
    for (let i = 0; i < 300; i++) step(slow, 1 / 60);
    assert.equal(slow.value, 100);
    assert.equal(step(slow, 1 / 60), false);
  }
  const long = spring(0);
  long.target = 10;
  step(long, 3600);
  assert.equal(long.value, 10);
});

/** A constellation without a window, and what runs its frames. */
async function sky() {
  const { Sky } = await import("../../Sources/Page/files/sky.js");
  const context = new Proxy({}, {
    get: (_, name) => (name === "canvas" ? {} : name === "measureText" ? () => ({ width: 30 }) : () => ({ addColorStop() {} })),
    set: () => true,
  });
  const canvas = { getContext: () => context };
  const frames = { asked: null, time: 0 };
  globalThis.document = { hidden: false, createElement: () => ({ getContext: () => context }) };
  globalThis.requestAnimationFrame = (run) => { frames.asked = run; return 1; };
  const it = new Sky(canvas, canvas);
  it.rem = 16;
  it.setColors({});
  it.colors = new Proxy({}, { get: () => "rgb(1, 2, 3)" });
  it.setSize(1000, 800, 0, 50, 50, 1);
  const run = (seconds) => {
    let number = 0;
    for (let i = 0; i < seconds * 60 && frames.asked; i++, number++) {
      const { asked } = frames;
      frames.asked = null;
      asked((frames.time += 1000 / 60));
    }
    return number;
  };
  return { it, run };
}
const face = (id, more = {}) => ({ id, group: id, row: id, bot: null, name: id, emoji: "🤖", accent: null, state: "discovered", tone: "accent", word: "found", shape: "ring", latency: 2, isAway: false, isFolded: false, isNew: false, tether: null, isDashed: false, isLive: false, ...more });

// While the radar turns, what is found is shown when the arc has passed it, within one turn; without it at once.
test("the radar reveals, and never for longer than a turn", async () => {
  const { it, run } = await sky();
  it.update([face("a")], null);
  run(1);
  it.sweep(true);
  run(0.2);
  it.update([face("a"), ...[..."bcdefgh"].map((id) => face(id))], null);
  const shown = () => [...it.nodes.values()].filter((n) => n.scale.target === 1).length;
  assert.equal(shown(), 1);
  run(1.5);
  assert.ok(shown() > 1 && shown() < 8, `${shown()}`);
  run(1.7);
  assert.equal(shown(), 8);
  it.sweep(false);
  run(6);
  assert.equal(run(1), 0, "a radar that has ended asks for frames");
  it.update([face("a"), face("i")], null);
  assert.equal(it.nodes.get("i").scale.target, 1);
  run(3);
  assert.deepEqual([...it.nodes.keys()], ["a", "i"]);
});

// Without motion everything is in its place in the next frame, and nothing turns.
test("without motion there is one frame for a change", async () => {
  const { it, run } = await sky();
  it.motion = "off";
  it.update([face("a", { tether: "green", tone: "green", isLive: true })], null);
  run(1);
  it.sweep(true);
  it.update([face("a", { tether: "red", tone: "red", isAway: true }), face("b", { isNew: true })], null);
  assert.ok(run(5) <= 2);
  assert.equal(it.nodes.get("b").scale.value, 1);
});
