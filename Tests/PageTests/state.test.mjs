// What the page makes of the agent's events. Run: node --test Tests/PageTests/

import assert from "node:assert/strict";
import { test } from "node:test";
import { STATES, apply, applyMutes, applyPairings, applyStatus, bars, barsText, counts, emptyModel, filtered, indicator, rows, scanTrouble, sorted, waiting, wayOf } from "../../Sources/Page/files/state.js";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const gateway = (id, more = {}) => ({
  id, name: `Gateway ${id}`, dialect: "optaplus", liveness: "answering", readiness: null, latencyMs: 2, bots: [], botCount: 0,
  paths: [{ address: "192.168.1.2", port: 3000, endpoint: "192.168.1.2:3000", reach: "local", liveness: "answering" }], flags: [], problems: [], services: [], ...more,
});
const pairing = (id, row, more = {}) => ({ id, gateway: row, name: `Paired ${row}`, trust: { kind: "pinned" }, endpoints: [], bots: [], connectsAutomatically: true, ...more });
const session = (id, row, state, more = {}) => ({ event: "session", pairing: id, gateway: row, gatewayName: "x", state, reason: null, bots: [], latencyMs: null, requests: null, time: "2026-11-29T11:59:00Z", ...more });

function model({ gateways = [], sessions = [], pairings = [], status = [] } = {}) {
  const m = emptyModel();
  apply(m, "snapshot", { gateways, others: [], services: [], sessions, backends: [] }, NOW);
  applyPairings(m, { pairings });
  applyStatus(m, { gateways: status, agent: null, waiting: [] });
  return m;
}
const only = (m) => rows(m, new Set(), NOW)[0];
const stateFor = (word, more = {}, row = {}) =>
  only(model({ gateways: [gateway("g", row)], pairings: [pairing("p", "g", more)], sessions: [session("p", "g", word)] })).state;

// Every word of a session, as docs/json.md lists them, is shown as one state of the picture.
test("each word of a session is a state", () => {
  const expected = {
    connecting: "connecting", connected: "connected", disconnected: "paired", moved: "moved", "changed-certificate": "moved",
    uncertified: "moved", revoked: "revoked", refused: "refused", waiting: "waiting", sealed: "failed",
  };
  for (const [word, state] of Object.entries(expected)) assert.equal(stateFor(word), state, word);
  assert.equal(stateFor("disconnected", { connectsAutomatically: false }), "disconnected");
  assert.equal(stateFor("held-elsewhere"), "elsewhere");
});

// A mute has the number of the pairing, as the history has it, and not that of the row.
test("a paired gateway of which nothing is told is muted", () => {
  const m = model({ gateways: [gateway("g")], pairings: [pairing("p", "g")] });
  assert.equal(only(m).muted, null);
  applyMutes(m, { mutes: [{ gateway: "p", until: "2026-11-29T13:00:00.000Z" }] });
  assert.equal(only(m).muted.until, "2026-11-29T13:00:00.000Z");
  applyMutes(m, { mutes: [] });
  assert.equal(only(m).muted, null);
});

// Two states never look alike to those who do not see colours.
test("each state has a word of its own", () => {
  const words = Object.values(STATES).map((s) => s.word);
  assert.equal(new Set(words).size, words.length);
});

// A host that was unplugged closes no session: what is missed is not shown as connected until its session is given up.
test("a session whose gateway is missed is reconnecting, not one of a gateway that says too much", () => {
  assert.equal(stateFor("connected", {}, { liveness: "suspect", livenessReason: null }), "reconnecting");
  assert.equal(stateFor("connected", {}, { liveness: "suspect", livenessReason: "floods" }), "connected");
});

// Its end says no more which gateway it is about; whoever reads “Paired” wants to know.
test("a pairing keeps what was offered", () => {
  const m = model({ gateways: [gateway("g")] });
  apply(m, "pairing", { id: "x", state: "confirming", offer: { gateway: "g", name: "Home" } }, NOW);
  apply(m, "pairing", { id: "x", state: "paired", offer: null }, NOW);
  assert.equal(m.open.get("x").offer.name, "Home");
});

// The design: amber while attempts run, grey and red once liveness says that it is gone.
test("a lost session is reconnecting until the gateway is gone, and stays so while it is tried", () => {
  const m = model({ gateways: [gateway("g")], pairings: [pairing("p", "g")], sessions: [session("p", "g", "connected")] });
  assert.equal(only(m).state, "connected");
  apply(m, "session", session("p", "g", "gone"), NOW);
  assert.equal(only(m).state, "reconnecting");
  apply(m, "session", session("p", "g", "connecting"), NOW);
  assert.equal(only(m).state, "reconnecting");
  apply(m, "gateway", { kind: "gateway", event: "changed", changed: ["liveness"], gateway: gateway("g", { liveness: "gone" }) }, NOW);
  assert.equal(only(m).state, "gone");
  apply(m, "session", session("p", "g", "gone"), NOW);
  assert.equal(only(m).state, "gone");
  apply(m, "session", session("p", "g", "connected"), NOW);
  assert.equal(only(m).state, "connected");
  apply(m, "session", session("p", "g", "disconnected"), NOW);
  apply(m, "session", session("p", "g", "connecting"), NOW);
  assert.equal(only(m).state, "connecting");
});

// A green dot alone would say that a gateway works that says itself that it does not.
test("a connected gateway that is not ready says so", () => {
  const row = only(model({ gateways: [gateway("g", { readiness: "notReady", readinessReason: "draining" })], pairings: [pairing("p", "g")], sessions: [session("p", "g", "connected")] }));
  assert.equal(row.state, "notReady");
  assert.equal(row.reason, "draining");
});

// Paired gateways are there at once, also those that the map does not show yet.
test("a pairing without a row in the map has one", () => {
  const row = only(model({ pairings: [pairing("p", "far")], status: [{ pairing: "p", gateway: "far", state: "gone", since: "2026-11-20T12:00:00Z", reason: null, command: "clawradar doctor far" }] }));
  assert.equal(row.name, "Paired far");
  assert.equal(row.state, "gone");
  assert.equal(row.isFolded, true);
  assert.equal(row.command, "clawradar doctor far");
});

// A gateway that has revoked the pairing is found again, with one action to pair anew.
test("a revoked pairing is back to discovered, and says why", () => {
  const m = model({ gateways: [gateway("g")], status: [{ pairing: "p", gateway: "g", state: "revoked", since: "2026-11-29T11:00:00Z", reason: "token revoked" }] });
  assert.equal(only(m).state, "revoked");
  assert.equal(only(m).isPaired, false);
});

// The command of a state that is over would be wrong advice.
test("a command belongs to the state that the agent judged", () => {
  const m = model({ gateways: [gateway("g")], pairings: [pairing("p", "g")], sessions: [session("p", "g", "connected")], status: [{ pairing: "p", gateway: "g", state: "moved", since: null, reason: "r", command: "clawradar trust x" }] });
  assert.equal(only(m).command, "");
});

// Bots of one gateway may be opened by credentials of their own.
test("sessions of two credentials stay apart, and each bot has its own state", () => {
  const bots = ["a", "b", "c"].map((id) => ({ id, name: id, emoji: null, status: null }));
  const stored = [{ id: "a", name: "a" }, { id: "b", name: "b", isArchived: true }];
  const m = model({
    gateways: [gateway("g", { bots, botCount: 3 })], pairings: [pairing("p", "g", { bots: stored })],
    sessions: [session("p", "g", "connected", { bots: ["a"] }), session("p", "g", "refused", { bots: ["b"] })],
  });
  assert.equal(m.sessions.size, 2);
  assert.deepEqual(only(m).bots.map((b) => b.state), ["connected", "archived", "discovered"]);
  assert.equal(only(m).state, "connected");
  apply(m, "session", session("p", "g", "gone", { bots: ["a"] }), NOW);
  assert.equal(m.sessions.size, 2);
});

// Rows that join keep their history, and nothing stays behind.
test("a row that joins another is gone, and hands its latencies over", () => {
  const m = model({ gateways: [gateway("old")] });
  apply(m, "gateway", { kind: "gateway", event: "joined", into: "new", gateway: gateway("old") }, NOW);
  assert.equal(m.gateways.size, 0);
  assert.equal(m.latencies.has("new"), true);
  assert.equal(m.latencies.has("old"), false);
});

// What is no gateway any more is not shown as one.
test("a row changes sides", () => {
  const m = model({ gateways: [gateway("g")] });
  apply(m, "gateway", { kind: "other", event: "changed", other: { id: "g", name: "n", reason: "an SSH server", paths: [], services: [] } }, NOW);
  assert.deepEqual([m.gateways.size, m.others.size], [0, 1]);
});

// A page that is open for days keeps a bounded number of samples.
test("latencies are bounded in number and time", () => {
  const m = model({ gateways: [gateway("g")] });
  for (let i = 0; i < 2000; i++) apply(m, "latency", { gateway: "g", latencyMs: i }, NOW + i * 1500);
  assert.ok(m.latencies.get("g").length <= 240);
  apply(m, "latency", { gateway: "g", latencyMs: "x" }, NOW);
  apply(m, "latency", { gateway: "g", latencyMs: 7 }, NOW + 9e6);
  assert.equal(m.latencies.get("g").length, 1);
});

// The number beside a gateway is that of the last answer, not that of when it connected; rows that are as fast as others keep their order.
test("the latency that is shown is the last one", () => {
  const m = model({ gateways: [gateway("g"), gateway("h")], sessions: [session("1", "g", "connected", { latencyMs: 4.2 })] });
  applyPairings(m, { pairings: [pairing("1", "g")] });
  apply(m, "latency", { gateway: "g", latencyMs: 9.3 }, NOW + 2000);
  apply(m, "latency", { gateway: "h", latencyMs: 9.1 }, NOW + 2000);
  const list = rows(m, new Set(), NOW + 2000);
  assert.deepEqual(list.map((row) => row.latency), [9.3, 9.1]);
  assert.deepEqual(sorted(list, "latency").map((row) => row.id), ["g", "h"]);
  apply(m, "latency", { gateway: "g", latencyMs: 90 }, NOW + 4000);
  assert.deepEqual(sorted(rows(m, new Set(), NOW + 4000), "latency").map((row) => row.id), ["h", "g"]);
});

// The open pairing is shown at the gateway that it is about, until it has ended.
test("a pairing that goes on is the state of its row", () => {
  const m = model({ gateways: [gateway("g")] });
  const open = { id: "1", state: "confirming", offer: { gateway: "g" }, question: { number: 1, kind: "confirm" }, approval: null, detail: null };
  apply(m, "pairing", open, NOW);
  assert.equal(only(m).state, "pairing");
  apply(m, "pairing", { ...open, state: "approvalNeeded", approval: { command: "x" } }, NOW);
  assert.equal(only(m).state, "approval");
  apply(m, "pairing", { ...open, state: "failed" }, NOW);
  assert.equal(only(m).state, "discovered");
});

// Texts of the network are cleaned wherever they are shown.
test("hostile names are made fit to be shown", () => {
  const m = model({ gateways: [gateway("g", { name: "a\u202eb\u0000<b>\u200b", bots: [{ id: "x", name: "\u2066", emoji: "nonsense" }], botCount: 1 })] });
  assert.equal(only(m).name, "ab<b>");
  assert.equal(only(m).bots[0].name, "x");
  const tall = only(model({ gateways: [gateway("g", { name: "x".repeat(500) })] }));
  assert.equal(tall.name.length, 64);
});

test("ways in words", () => {
  assert.equal(wayOf({ address: "100.101.1.1", reach: "local" }), "tailnet");
  assert.equal(wayOf({ address: "100.1.1.1", reach: "remote" }), "internet");
  assert.equal(wayOf({ address: "fe80::1%eth0", reach: "local" }), "LAN");
  assert.equal(wayOf({ address: "10.8.0.1", reach: "local" }, "tunnel"), "tunnel");
  assert.equal(wayOf({ address: "::1", reach: "local" }), "this computer");
  assert.equal(wayOf(null), "");
});

// Rows stay where they are when what they are sorted by is equal.
test("order is stable, and the filter finds names, bots, states and ways", () => {
  const m = model({ gateways: [gateway("b", { name: "Gate 10" }), gateway("a", { name: "Gate 2", bots: [{ id: "j", name: "Jarvis" }] })] });
  const all = rows(m, new Set(["a"]), NOW);
  assert.deepEqual(sorted(all, "name").map((r) => r.id), ["a", "b"]);
  assert.deepEqual(sorted(all, "since").map((r) => r.id), ["a", "b"]);
  assert.deepEqual(filtered(all, "jarvis lan").map((r) => r.id), ["a"]);
  assert.deepEqual(filtered(all, "is:new").map((r) => r.id), ["b"]);
  assert.deepEqual(filtered(all, "<script>"), []);
});

test("counts and the indicator", () => {
  const at = (state, isPaired = true) => ({ state, isPaired, isNew: false });
  assert.equal(indicator(counts([at("connected"), at("disconnected")])), "green");
  assert.equal(indicator(counts([at("connected"), at("reconnecting")])), "amber");
  assert.equal(indicator(counts([at("connected"), at("gone")])), "red");
  assert.equal(indicator(counts([at("discovered", false)])), "plain");
});

// An hour of which nothing is known is not an hour in which it was there.
test("bars of a day", () => {
  const row = { id: "g", endpoint: "", pairing: { id: "p" } };
  const history = {
    gateways: [{ pairing: "p", watchedSince: "2026-11-29T00:00:00Z" }],
    outages: [{ pairing: "p", began: "2026-11-29T11:30:00Z", ended: null }, { pairing: "other", began: "2026-11-29T05:00:00Z", ended: null }],
    notReady: [], unknown: [{ pairing: null, began: "2026-11-29T03:00:00Z", ended: "2026-11-29T04:00:00Z" }],
  };
  const list = bars(history, row, NOW);
  assert.equal(list.length, 24);
  assert.deepEqual(list.slice(0, 12), Array(12).fill(null));
  assert.equal(list[15], null);
  assert.equal(list[23].away, 0.5);
  assert.equal(list[20].away, 0);
  assert.match(barsText(list), /last 11 h: there 95\.5 %, away in 1/);
  assert.equal(barsText([null]), "no history yet");
});

test("devices that wait, and those that were put off", () => {
  const m = model({ sessions: [session("p", "g", "connected", { requests: [{ id: "r1", name: "Phone" }, { id: "r2", name: "Pad" }] })] });
  const list = waiting(m, new Map([["p\nr2", NOW + 1]]), NOW);
  assert.deepEqual(list.map((r) => [r.id, r.isLater]), [["r1", false], ["r2", true]]);
});

// A backend alone that does not work is no trouble while another one does.
test("scanning is unavailable only if nothing scans", () => {
  const m = model();
  assert.equal(scanTrouble(m), null);
  apply(m, "backend", { backend: "avahi", state: "unavailable", reason: "no daemon" }, NOW);
  assert.equal(scanTrouble(m), "no daemon");
  apply(m, "backend", { backend: "embedded", state: "running", reason: null }, NOW);
  assert.equal(scanTrouble(m), null);
});

// Whatever comes in whatever order: one state each, and no exception.
test("any order of events leads to rows with one known state", () => {
  let seed = 7;
  const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n; };
  const words = ["connecting", "connected", "gone", "disconnected", "moved", "changed-certificate", "uncertified", "revoked", "refused", "waiting", "sealed", "held-elsewhere", "a-word-to-come"];
  const m = model({ pairings: [pairing("p0", "g0"), pairing("p1", "g1", { bots: [{ id: "x", name: "x" }] })] });
  for (let i = 0; i < 5000; i++) {
    const n = random(4);
    const kinds = [
      ["gateway", { kind: "gateway", event: ["found", "changed", "lost", "joined"][random(4)], into: "g0", changed: ["liveness"], gateway: gateway(`g${n}`, { liveness: [null, "answering", "suspect", "gone"][random(4)] }) }],
      ["session", session(`p${n % 2}`, `g${n % 2}`, words[random(words.length)], { lost: random(5) === 0 ? "unpaired" : undefined, bots: random(2) ? ["x"] : [] })],
      ["latency", { gateway: `g${n}`, latencyMs: random(100) }],
      ["pairing", { id: `${random(40)}`, state: ["asking", "approvalNeeded", "paired", "failed"][random(4)], offer: { gateway: `g${n}` }, approval: random(2) ? {} : null }],
      ["unknown", {}],
    ];
    apply(m, ...kinds[random(kinds.length)], NOW + i * 1000);
    for (const row of rows(m, new Set(), NOW)) {
      assert.ok(STATES[row.state], row.state);
      for (const bot of row.bots) assert.ok(STATES[bot.state], bot.state);
    }
  }
  assert.ok(m.open.size <= 32);
});
