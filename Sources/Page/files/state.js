// What the page knows, and what it shows of that: events in, rows with one state each out. Pure: no clock, no page.

import { clean } from "./text.js";

/** Every state: a word, a shape and a colour of its own. `live` are sessions, `rank` sorts what wants attention first. */
export const STATES = {
  discovered: { word: "found", shape: "ring", tone: "accent", rank: 3 },
  revoked: { word: "access revoked", shape: "ring", tone: "red", rank: 1 },
  pairing: { word: "pairing", shape: "dots", tone: "amber", rank: 1 },
  approval: { word: "waits for approval", shape: "hourglass", tone: "amber", rank: 1 },
  paired: { word: "not connected", shape: "open", tone: "plain", rank: 5 },
  disconnected: { word: "disconnected by you", shape: "open", tone: "plain", rank: 5 },
  connecting: { word: "connecting", shape: "dots", tone: "amber", rank: 2 },
  waiting: { word: "waits", shape: "hourglass", tone: "amber", rank: 2 },
  connected: { word: "connected", shape: "disc", tone: "green", rank: 4, live: true },
  notReady: { word: "answers, not ready", shape: "half", tone: "green", rank: 2, live: true },
  reconnecting: { word: "reconnecting…", shape: "dots", tone: "amber", rank: 1 },
  gone: { word: "offline", shape: "cross", tone: "red", rank: 2 },
  refused: { word: "refused", shape: "bar", tone: "red", rank: 0 },
  failed: { word: "failed", shape: "bar", tone: "red", rank: 0 },
  moved: { word: "not the same as at pairing", shape: "shield", tone: "violet", rank: 0 },
  elsewhere: { word: "connected elsewhere", shape: "twin", tone: "plain", rank: 4 },
  archived: { word: "archived", shape: "open", tone: "plain", rank: 6 },
};

/** The time that a gateway is away before it is shown in the fold. */
export const FOLD_AFTER = 3 * 86_400_000;

/** The samples of a round-trip time that are kept, and for how long. */
const SAMPLES = { limit: 240, lifetime: 10 * 60_000 };

/** The model of a page that knows nothing yet. */
export function emptyModel() {
  return {
    loaded: false, // a snapshot has come
    gateways: new Map(), // rows by id
    others: new Map(), // what is no gateway
    sessions: new Map(), // by pairing and bots
    pairings: new Map(), // what is stored, by number
    status: new Map(), // the state of each pairing, as the agent judges it
    bin: [],
    open: new Map(), // pairings that go on, by id
    backends: new Map(),
    history: null,
    agent: null,
    mutes: new Map(),
    latencies: new Map(), // row → [[time, ms]…], the last minutes
    lost: new Set(), // pairings that were connected and have lost that
    changed: new Map(), // row → when its state changed, as far as this page has seen
  };
}

/** Takes in an event of the stream; gives whether what is stored or judged may be another now, and is to be read again. */
export function apply(model, name, data, now) {
  switch (name) {
    case "snapshot": return applySnapshot(model, data, now);
    case "gateway": return applyGateway(model, data, now);
    case "session": return applySession(model, data, now);
    case "latency": addLatency(model, data.gateway ?? rowOf(model, data.pairing), data.latencyMs, now); return false;
    case "backend": model.backends.set(data.backend, data); return false;
    case "pairing": return applyPairing(model, data);
    default: return false;
  }
}

function applySnapshot(model, data, now) {
  model.gateways = new Map((data.gateways ?? []).map((g) => [g.id, g]));
  model.others = new Map((data.others ?? []).map((g) => [g.id, g]));
  model.sessions = new Map();
  for (const session of data.sessions ?? []) applySession(model, session, now);
  model.backends = new Map((data.backends ?? []).map((b) => [b.backend, b]));
  for (const gateway of model.gateways.values()) addLatency(model, gateway.id, gateway.latencyMs, now);
  model.loaded = true;
  return true;
}

function applyGateway(model, data, now) {
  const isGateway = data.kind === "gateway";
  const row = isGateway ? data.gateway : data.other;
  if (!row?.id) return false;
  const before = model.gateways.get(row.id);
  model.gateways.delete(row.id);
  model.others.delete(row.id);
  if (data.event === "joined" && model.latencies.has(row.id)) {
    if (!model.latencies.has(data.into)) model.latencies.set(data.into, model.latencies.get(row.id));
  }
  if (data.event === "lost" || data.event === "joined") {
    model.latencies.delete(row.id);
    return true;
  }
  (isGateway ? model.gateways : model.others).set(row.id, row);
  if (isGateway) addLatency(model, row.id, row.latencyMs, now);
  return !before || before.liveness !== row.liveness || before.readiness !== row.readiness
    || (data.changed ?? []).some((aspect) => aspect !== "latency");
}

const sessionKey = (session) => `${session.pairing}\n${[...(session.bots ?? [])].sort().join("\n")}`;

function applySession(model, session, now) {
  for (const [key, other] of model.sessions) {
    if (other.pairing !== session.pairing) continue;
    const shared = !other.bots?.length || !session.bots?.length || other.bots.some((b) => session.bots.includes(b));
    if (shared) {
      if (other.state === "connected" && session.state !== "connected") model.lost.add(session.pairing);
      model.sessions.delete(key);
    }
  }
  if (session.lost) {
    model.lost.delete(session.pairing);
    return true;
  }
  model.sessions.set(sessionKey(session), session);
  if (!["gone", "connecting"].includes(session.state)) model.lost.delete(session.pairing);
  addLatency(model, rowOf(model, session.pairing) ?? session.gateway, session.latencyMs, now);
  return true;
}

function applyPairing(model, pairing) {
  // What was offered is told no more once it has been answered.
  model.open.set(pairing.id, { ...pairing, offer: pairing.offer ?? model.open.get(pairing.id)?.offer ?? null });
  if (model.open.size > 32) model.open.delete(model.open.keys().next().value);
  return isEnded(pairing);
}

/** Indicates whether a pairing that was begun has come to its end. */
export const isEnded = (pairing) => ["paired", "failed", "cancelled"].includes(pairing.state);

function addLatency(model, row, ms, now) {
  if (!row || typeof ms !== "number" || !Number.isFinite(ms)) return;
  const samples = model.latencies.get(row) ?? [];
  const last = samples.at(-1);
  if (last && last[1] === ms && now - last[0] < 1000) return;
  samples.push([now, ms]);
  while (samples.length > SAMPLES.limit || (samples.length > 1 && samples[0][0] < now - SAMPLES.lifetime)) samples.shift();
  model.latencies.set(row, samples);
}

/** Takes in the states as the agent judges them. */
export function applyStatus(model, document) {
  model.status = new Map((document.gateways ?? []).map((s) => [s.pairing, s]));
  model.agent = document.agent ?? null;
  model.silence = document.silence ?? [];
}

/** Takes in of which gateways nothing is told, by the numbers of pairings, or the identifiers of gateways. */
export function applyMutes(model, document) {
  model.mutes = new Map((document.mutes ?? []).map((m) => [m.gateway, m]));
}

/** Takes in what is stored. */
export function applyPairings(model, document) {
  model.pairings = new Map((document.pairings ?? []).map((p) => [p.id, p]));
}

const pairingOf = (model, row) => {
  for (const pairing of model.pairings.values()) if (pairing.gateway === row) return pairing;
  return null;
};

const rowOf = (model, pairing) =>
  model.pairings.get(pairing)?.gateway ?? [...model.sessions.values()].find((s) => s.pairing === pairing)?.gateway;

/** The state of one session, or of a pairing without one. */
function sessionState(model, word, row, pairing) {
  switch (word) {
    // A session over which nothing comes any more is given up later than its gateway is missed.
    case "connected": return row?.liveness === "suspect" && row.livenessReason !== "floods" ? "reconnecting" : row?.readiness === "notReady" ? "notReady" : "connected";
    case "connecting":
      if (!model.lost.has(pairing.id)) return "connecting";
      return row?.liveness === "gone" ? "gone" : "reconnecting";
    case "gone": return row && row.liveness !== "gone" && row.liveness !== null ? "reconnecting" : "gone";
    case "disconnected":
    case "paired": return pairing.connectsAutomatically === false ? "disconnected" : "paired";
    case "moved": case "changed-certificate": case "uncertified": case "awaits-trust": return "moved";
    case "held-elsewhere": return "elsewhere";
    case "sealed":
    case "failed": return "failed";
    case "waiting":
    case "refused":
    case "revoked": return word;
    default: return "paired";
  }
}

/** The sessions of a pairing, and the judgement of the agent, as a state, its reason and its command. */
function pairedState(model, pairing, row, bot) {
  const judged = model.status.get(pairing.id);
  const sessions = [...model.sessions.values()].filter((s) =>
    s.pairing === pairing.id && (bot === undefined || !s.bots?.length || s.bots.includes(bot)));
  // A session that another process has is judged better by the agent, which reads what that process notes.
  const own = sessions.filter((s) => s.state !== "held-elsewhere");
  const session = own.find((s) => s.state === "connected") ?? own[0];
  const word = session?.state ?? (sessions.length ? "held-elsewhere" : judged?.state) ?? "paired";
  let state = sessionState(model, word, row, pairing);
  if (!session && judged?.heldBy && ["connected", "connecting"].includes(judged.state)) state = "elsewhere";
  const sameWord = judged?.state === word || !session;
  return {
    state,
    reason: clean(session?.reason ?? (sameWord ? judged?.reason : ""), 400),
    command: sameWord ? judged?.command ?? "" : "",
    since: sameWord ? judged?.since ?? null : session?.time ?? null,
    path: session?.path ?? judged?.path ?? null,
    holder: judged?.heldBy ?? null,
  };
}

/** The way by which an endpoint is reached, in words. */
export function wayOf(path, trustKind) {
  if (!path) return "";
  const address = String(path.address ?? "").toLowerCase();
  if (trustKind === "tunnel") return "tunnel";
  if (/^127\.|^::1$/.test(address)) return "this computer";
  const parts = address.split(".").map(Number);
  if (trustKind === "tailnet" || address.startsWith("fd7a:115c:a1e0:")) return "tailnet";
  if (parts.length === 4 && parts[0] === 100 && parts[1] >= 64 && parts[1] < 128) return "tailnet";
  return path.reach === "remote" ? "internet" : "LAN";
}

/** The open pairing that is about a row; one that has ended is none. */
function openFor(model, row) {
  for (const open of model.open.values()) {
    if (!isEnded(open) && open.offer?.gateway === row) return open;
  }
  return null;
}

/** A row for each gateway: everything that is shown of it, with one state. */
export function rows(model, seen, now) {
  const all = [...model.gateways.values()].map((g) => gatewayRow(model, g, seen, now));
  // A pairing whose gateway the map does not show yet is there at once.
  for (const pairing of model.pairings.values()) {
    if (!model.gateways.has(pairing.gateway)) {
      const stored = {
        id: pairing.gateway, name: pairing.name, dialect: pairing.dialect, liveness: null, bots: [], paths: [],
        fingerprint: pairing.fingerprint, flags: [], problems: [], services: [],
      };
      all.push(gatewayRow(model, stored, seen, now));
    }
  }
  return all;
}

function gatewayRow(model, gateway, seen, now) {
  const pairing = pairingOf(model, gateway.id);
  const open = openFor(model, gateway.id);
  const revoked = pairing ? null : revocationOf(model, gateway.id);
  const samples = model.latencies.get(gateway.id) ?? [];
  // What gateway and session told with their last change is older.
  const lastLatency = samples.at(-1)?.[1] ?? gateway.latencyMs ?? null;
  let facts = { state: "discovered", reason: "", command: "", since: null, path: null };
  if (pairing) facts = pairedState(model, pairing, gateway);
  else if (revoked) facts = { ...facts, state: "revoked", reason: clean(revoked.reason), since: revoked.since };
  else if (gateway.liveness === "gone") facts = { ...facts, state: "gone" };
  if (open && !STATES[facts.state].live) facts = { ...facts, state: open.approval ? "approval" : "pairing", reason: clean(open.detail, 400) };
  if (facts.state === "notReady") facts.reason = clean(gateway.readinessReason) || facts.reason;
  const path = gateway.paths?.find((p) => p.endpoint === facts.path) ?? gateway.paths?.[0] ?? null;
  const isLive = gateway.liveness === "answering" || STATES[facts.state].live === true;
  const row = {
    ...facts,
    id: gateway.id,
    name: clean(gateway.name, 64) || "(no name)",
    gateway, pairing, open,
    dialect: gateway.dialect ?? pairing?.dialect ?? "",
    way: wayOf(path, pairing?.trust?.kind),
    endpoint: facts.path ?? path?.endpoint ?? pairing?.endpoints?.[0] ?? pairing?.remoteURL ?? "",
    latency: isLive ? lastLatency : null,
    lastLatency,
    samples,
    isPaired: pairing !== null,
    isNew: pairing === null && !seen.has(gateway.id),
    muted: model.mutes.get(pairing?.id ?? gateway.id) ?? null,
    problems: (gateway.problems ?? []).map((p) => clean(p, 200)),
    flags: gateway.flags ?? [],
  };
  row.bots = botsOf(model, row);
  const away = facts.state === "gone" && facts.since ? now - Date.parse(facts.since) : 0;
  row.isFolded = away > FOLD_AFTER || (row.bots.length > 0 && row.bots.every((b) => b.state === "archived"));
  return row;
}

function revocationOf(model, row) {
  for (const status of model.status.values()) if (status.gateway === row && status.state === "revoked") return status;
  const item = model.bin.find((b) => b.reason === "revoked" && b.pairing?.gateway === row);
  return item ? { reason: item.word, since: item.binnedAt } : null;
}

function botsOf(model, row) {
  const stored = new Map((row.pairing?.bots ?? []).map((b) => [b.id, b]));
  const shown = new Map((row.gateway.bots ?? []).map((b) => [b.id, b]));
  const ids = [...new Set([...shown.keys(), ...stored.keys()])];
  return ids.map((id) => {
    const here = shown.get(id);
    const kept = stored.get(id);
    const paired = kept !== undefined;
    const facts = paired ? pairedState(model, row.pairing, row.gateway, id) : null;
    return {
      id, key: `${row.id}\n${id}`,
      name: clean(here?.name ?? kept?.name, 64) || clean(id, 64) || "(no name)",
      emoji: here?.emoji ?? kept?.emoji ?? null,
      status: clean(here?.status, 40),
      accent: /^#[0-9a-f]{6}$/i.test(kept?.accentColor ?? "") ? kept.accentColor : null,
      isPaired: paired,
      state: kept?.isArchived ? "archived" : paired ? facts.state : row.isPaired ? "discovered" : row.state,
    };
  });
}

/** A step of a quarter for the latency of a row, by which rows are in order: they would change places all the time otherwise. */
const latencyStep = (row) => (row.latency === null ? 99 : Math.round(3 * Math.log2(row.latency + 1)));

const ORDERS = {
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  state: (a, b) => STATES[a.state].rank - STATES[b.state].rank,
  latency: (a, b) => latencyStep(a) - latencyStep(b),
  since: (a, b) => Date.parse(b.since ?? 0) - Date.parse(a.since ?? 0),
};

/** Rows in an order; those that are equal in it by name, and then by id, so that no row moves without a reason. */
export function sorted(list, order) {
  const compare = ORDERS[order] ?? ORDERS.name;
  return [...list].sort((a, b) => {
    const first = compare(a, b);
    return (Number.isNaN(first) ? 0 : first) || ORDERS.name(a, b) || (a.id < b.id ? -1 : 1);
  });
}

/** Rows that have all words of a filter in what is shown of them; a word such as `is:new` or `is:offline` is a state. */
export function filtered(list, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return list;
  return list.filter((row) => {
    const shown = [row.name, STATES[row.state].word, row.way, row.endpoint, row.dialect, row.isNew ? "new" : "",
      ...row.bots.map((b) => b.name)].join(" ").toLowerCase();
    return words.every((w) => shown.includes(w.replace(/^is:/, "")));
  });
}

/** Numbers for title, icon and summary. */
export function counts(list) {
  const paired = list.filter((r) => r.isPaired);
  return {
    connected: paired.filter((r) => STATES[r.state].live).length,
    paired: paired.length,
    trouble: paired.filter((r) => ["red", "violet"].includes(STATES[r.state].tone)).length,
    busy: paired.filter((r) => STATES[r.state].tone === "amber").length,
    fresh: list.filter((r) => r.isNew && r.state === "discovered").length,
  };
}

/** The indicator: green if something is connected and nothing is wrong, amber while something is tried, else red. */
export function indicator(numbers) {
  if (!numbers.paired) return "plain";
  if (numbers.trouble) return "red";
  if (numbers.busy) return "amber";
  return numbers.connected ? "green" : "plain";
}

/** The last 24 hours in bars: for each the share of time that a gateway was away or not ready, or `null` where nothing is known. */
export function bars(history, row, now, number = 24) {
  if (!history) return [];
  const keys = new Set([row.pairing?.id, row.id, row.endpoint].filter(Boolean));
  const of = (list) => (list ?? []).filter((item) => keys.has(item.pairing));
  const watched = of(history.gateways)[0];
  const length = 86_400_000 / number;
  const start = now - 86_400_000;
  const known = watched ? Date.parse(watched.watchedSince) : Infinity;
  const share = (items, from, to) => items.reduce((sum, item) => {
    const begin = Math.max(from, Date.parse(item.began));
    const end = Math.min(to, item.ended ? Date.parse(item.ended) : now);
    return sum + Math.max(0, end - begin);
  }, 0) / length;
  const outages = of(history.outages);
  const slow = of(history.notReady);
  const dark = (history.unknown ?? []).filter((item) => item.pairing === null || keys.has(item.pairing));
  return Array.from({ length: number }, (_, index) => {
    const from = start + index * length;
    const to = from + length;
    if (to <= known || share(dark, from, to) > 0.9) return null;
    return { away: Math.min(1, share(outages, from, to)), notReady: Math.min(1, share(slow, from, to)) };
  });
}

/** Bars in words, for those who do not see them. */
export function barsText(list) {
  const known = list.filter((bar) => bar !== null);
  if (!known.length) return "no history yet";
  const hours = known.filter((bar) => bar.away > 0).length;
  const up = 100 * (1 - known.reduce((sum, bar) => sum + bar.away, 0) / known.length);
  return `last ${known.length} h: there ${up === 100 ? "all the time" : `${up.toFixed(1)} %`}${hours ? `, away in ${hours}` : ""}`;
}

/** The devices that wait at gateways where this device is an admin. */
export function waiting(model, later, now) {
  const requests = [];
  for (const session of model.sessions.values()) {
    for (const request of session.requests ?? []) {
      const key = `${session.pairing}\n${request.id}`;
      const isLater = (later.get(key) ?? 0) > now;
      requests.push({ ...request, key, pairing: session.pairing, gatewayName: clean(session.gatewayName, 64), isLater });
    }
  }
  return requests;
}

/** Why nothing can be found by itself; `null` while something can. */
export function scanTrouble(model) {
  const list = [...model.backends.values()];
  if (!list.length || list.some((b) => b.state !== "unavailable")) return null;
  return clean(list.find((b) => b.reason)?.reason, 300) || "no discovery works on this computer";
}
