// A made-up agent for looking at the page without a network: node Tests/PageTests/mock-agent.mjs [PORT] [SCENE]
// Scenes: first (nothing found), found (nothing paired), few (3 bots), usual, many (40 bots), crowd (500 bots). Prints the address of the page.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";

const port = Number(process.argv[2] ?? 7499);
const scene = process.argv[3] ?? "usual";
const files = new URL("../../Sources/Page/files/", import.meta.url);
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const types = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml", png: "image/png" };
const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const leaf = "14e35d5c8be1a2f0".repeat(4);

const gateways = new Map(), sessions = new Map(), pairings = new Map(), status = new Map(), open = new Map(), readers = new Set();
let bin = [], number = 0;

function addGateway(id, name, { bots = [], state = null, ...more } = {}) {
  const ip = more.ip ?? `192.168.1.${20 + gateways.size}`;
  gateways.set(id, {
    id, name, fingerprint: `fp-${id}`, dialect: "optaplus", liveness: "answering", livenessReason: null, readiness: null, readinessReason: null, latencyMs: 2 + gateways.size * 3.3,
    bots: bots.map(([bot, emoji], i) => ({ id: `bot-${i}`, name: bot, emoji, status: "online", state: "discovered", isPaired: state !== null })), botCount: bots.length, tls: { leafSha256: leaf },
    paths: [{ address: ip, port: 3000, endpoint: `${ip}:3000`, reach: "local", isTypedIn: false, finding: "gateway", summary: `gateway “${name}” with ${bots.length} bots`, liveness: more.liveness ?? "answering", latencyMs: 2.6, contradicts: false, hearsay: false, elsewhere: false }],
    services: [{ instance: name, type: "_optaplus._tcp", domain: "local" }], flags: more.flags ?? [], problems: more.problems ?? [], ...more.row,
  });
  if (more.liveness) gateways.get(id).liveness = more.liveness;
  if (state) pair(id, state, more);
}

function pair(id, state = "connected", { reason = null, since = ago(7200), trust = { kind: "pinned", leafSha256: leaf }, command = null, requests = null, noSession = false, heldBy = null, auto = true } = {}) {
  const g = gateways.get(id), key = `pairing-${id}`;
  pairings.set(key, { id: key, gateway: id, name: g.name, dialect: g.dialect, fingerprint: g.fingerprint, trust, endpoints: [g.paths[0]?.endpoint], remoteURL: null, bots: g.bots.map((b) => ({ id: b.id, name: b.name, emoji: b.emoji, isArchived: false, accentColor: null })), connectsAutomatically: auto, pairedAt: ago(9e5), lastConnected: since, credentials: [] });
  status.set(key, { pairing: key, name: g.name, gateway: id, state, since, path: g.paths[0]?.endpoint, reason, command, readiness: g.readiness, readinessReason: g.readinessReason, heldBy, bots: g.bots.map((b) => b.id) });
  if (!noSession) setSession(key, state, reason, requests, since);
}

function setSession(key, state, reason = null, requests = null, since = ago(0)) {
  const p = pairings.get(key);
  const session = { event: "session", time: ago(0), pairing: key, gatewayName: p.name, name: p.name, gateway: p.gateway, state, reason, path: state === "connected" ? p.endpoints[0] : null, elsewhere: false, latencyMs: state === "connected" ? 4.2 : null, bots: p.bots.map((b) => b.id), requests };
  sessions.set(key, session);
  status.set(key, { ...status.get(key), state, reason, since });
  send("session", session);
}

if (scene === "found" || scene === "usual") {
  addGateway("n1", "Studio", { bots: [["Muse", "🎨"], ["Echo", "🎧"]] });
  addGateway("n2", "192.168.1.77:18789", { row: { dialect: "openclaw", tls: null } });
}
if (scene === "usual") {
  const waits = [{ id: "a1b2c3d4e5", kind: "device", name: "Anna's phone", platform: "android", address: "192.168.1.88", roles: ["operator"], scopes: ["operator.read", "operator.write"], requestedAt: ago(20) }];
  addGateway("g1", "Home Gateway", { bots: [["Jarvis", "🤖"], ["Friday", "🧹"], ["Edith", "🕶️"]], state: "connected", requests: waits });
  addGateway("g2", "Office", { bots: [["Ledger", "📒"]], state: "connected", ip: "100.101.2.3", row: { readiness: "notReady", readinessReason: "discord, telegram" } });
  addGateway("g3", "Attic", { bots: [["Ratchet", "🔧"]], state: "gone", since: ago(5400), liveness: "gone" });
  addGateway("g4", "Kitchen", { bots: [["Remy", "🐀"]], state: "gone", liveness: "suspect" });
  addGateway("g5", "Garage", { bots: [["KITT", "🚗"]], state: "changed-certificate", reason: "Its place shows another certificate. To accept it: clawradar trust g5", command: "clawradar trust g5", flags: ["changed-certificate"], row: { tls: { leafSha256: "99aa".repeat(16) } } });
  addGateway("g6", "Lab", { bots: [["Bunsen", "🧪"], ["Beaker", "⚗️"]], state: "refused", reason: "It refuses the token: token mismatch", command: "clawradar doctor Lab" });
  addGateway("g7", "Laptop", { bots: [["Pixel", "🐱"]], state: "disconnected", auto: false });
  addGateway("g8", "Shed", { bots: [["Fern", "🌱"]], state: "held-elsewhere", heldBy: { process: 4242, program: "clawradar connect" } });
  addGateway("g9", "Island", { bots: [["Friday", "🏝️"]], state: "gone", since: ago(6 * 86400), liveness: "gone" });
  addGateway("g10", "<b>Evil</b>\u202e \u2066x", { bots: [["<img src=x onerror=alert(1)>", "👩‍💻"]], problems: ["its address 10.0.0.9 answers as another gateway"], flags: ["sameFingerprint"] });
}
if (scene === "few") addGateway("g1", "Home Gateway", { bots: [["Jarvis", "🤖"], ["Friday", "🧹"], ["Edith", "🕶️"]], state: "connected" });
if (scene === "many") {
  const names = ["Home", "Office", "Studio", "Garage", "Attic", "Kitchen", "Library", "Shed"];
  const symbols = ["🤖", "🐙", "🦊", "🌵", "🛸", "🦉", "🧭", "🐳", "🧪", "🎨", "📚", "🔭", "🪴"];
  const bots = ["Jarvis", "Friday", "Edith", "Ledger", "Muse", "Echo", "Remy", "Fern", "Pixel", "Atlas", "Juno", "Nova", "Iris"];
  names.forEach((name, i) => addGateway(`g${i}`, name, {
    bots: Array.from({ length: 5 }, (_, b) => [`${bots[(5 * i + b) % 13]}${i > 2 ? ` ${i}` : ""}`, symbols[(5 * i + b) % 13]]),
    state: i === 4 ? "gone" : i === 6 ? null : "connected", liveness: i === 4 ? "gone" : "answering", row: { latencyMs: [1.2, 34, 8, 3, 12, 2, 70, 180][i] },
  }));
}
if (scene === "crowd") {
  for (let i = 0; i < 50; i++) addGateway(`c${i}`, `Gateway ${i}`, { bots: Array.from({ length: 10 }, (_, b) => [`Bot ${i}-${b}`, ["🤖", "🐙", "🦊", "🌵", "🛸"][(i + b) % 5]]), state: i % 3 ? "connected" : null });
}

function send(name, data) {
  for (const response of readers) response.write(`event: ${name}\nid: 1-${++number}\ndata: ${JSON.stringify(data)}\n\n`);
}

const offerOf = (g) => ({ gateway: g.id, name: g.name, dialect: g.dialect, fingerprint: g.fingerprint, endpoint: g.paths[0].endpoint, leafSha256: g.tls?.leafSha256 ?? null, advertisedLeaves: null, certifiedHost: null, proof: "unproved", remoteURL: null, pairing: null, bots: g.bots });
function step(id, fields) { open.set(id, { ...open.get(id), ...fields }); send("pairing", open.get(id)); return open.get(id); }
const blank = { question: null, offer: null, approval: null, pairing: null, reason: null, detail: null };

const mutes = new Map();
const routes = {
  "GET /api/v1/status": () => ({ gateways: [...status.values()], unpaired: [], waiting: [], agent: { version: "1", process: 1, folder: "/home/me/.local/share/clawradar" }, silence: [], lastOutage: null }),
  "GET /api/v1/pairings": () => ({ pairings: [...pairings.values()] }),
  "GET /api/v1/bin": () => ({ bin }),
  "GET /api/v1/history": () => ({ gateways: [...pairings.keys()].map((p) => ({ pairing: p, name: p, watchedSince: ago(20 * 3600), outages: 1, uptimePercent: 97 })), outages: [{ pairing: "pairing-g3", gatewayName: "Attic", began: ago(5400), ended: null, durationMs: 5.4e6, reason: "it does not answer" }, { pairing: "pairing-g1", gatewayName: "Home", began: ago(40000), ended: ago(38000), durationMs: 2e6, reason: "its host was down" }], notReady: [{ pairing: "pairing-g2", began: ago(9000), ended: null }], transitions: [], unknown: [], since: ago(86400), until: ago(0) }),
  "GET /api/v1/mute": () => ({ mutes: [...mutes].map(([gateway, until]) => ({ gateway, until })) }),
  "POST /api/v1/mute": ({ gateway, durationMs, remove }) => { if (remove) mutes.delete(gateway); else mutes.set(gateway, ago(-durationMs / 1000)); return { mutes: [] }; },
  "POST /api/v1/link": ({ pairing }) => ({ link: "wss://192.168.1.2:3000", code: null, pairing, gatewayName: pairings.get(pairing).name, hasSecret: false, validUntil: null, access: null, modules: ["101", "010", "101"] }),
  "POST /api/v1/scan": () => ({ gateways: [] }),
  "POST /api/v1/connect": ({ pairing }) => { pairings.get(pairing).connectsAutomatically = true; setSession(pairing, "connecting"); setTimeout(() => setSession(pairing, "connected"), 400); return { pairing: pairings.get(pairing) }; },
  "POST /api/v1/disconnect": ({ pairing }) => { pairings.get(pairing).connectsAutomatically = false; setSession(pairing, "disconnected"); return { pairing: pairings.get(pairing) }; },
  "POST /api/v1/unpair": ({ pairing }) => end(pairing, "unpaired"),
  "POST /api/v1/forget": ({ pairing }) => end(pairing, "forgotten"),
  "POST /api/v1/restore": ({ pairing }) => { const item = bin.find((b) => b.pairing.id === pairing); bin = bin.filter((b) => b !== item); pairings.set(pairing, item.pairing); status.set(pairing, item.status); setSession(pairing, "connected"); return { pairing: item.pairing }; },
  "POST /api/v1/archive": ({ pairing, bot, archived }) => { pairings.get(pairing).bots.find((b) => b.id === bot).isArchived = archived; return { pairing: pairings.get(pairing) }; },
  "POST /api/v1/approve": ({ pairing }) => { setSession(pairing, "connected", null, []); return {}; },
  "POST /api/v1/reject": ({ pairing }) => { setSession(pairing, "connected", null, []); return {}; },
  "POST /api/v1/qr": (body) => ({ texts: body.subarray(0, 2).toString() === "P5" ? ["optaplus://pair?host=192.168.1.20&port=3000&token=abc"] : [] }),
  "POST /api/v1/pair": ({ gateway }) => {
    const g = gateways.get(gateway) ?? gateways.get("n1") ?? [...gateways.values()][0];
    const id = `p${++number}`;
    open.set(id, { id, state: "asking", startedAt: ago(0), expiresAt: ago(-1800), ...blank });
    const isPlain = !g.tls;
    setTimeout(() => step(id, { state: "confirming", offer: offerOf(g), question: { number: 1, kind: "confirm", trust: isPlain ? ["address", "lan"] : [] } }), 300);
    return [201, open.get(id)];
  },
};

function end(pairing, reason) {
  const p = pairings.get(pairing);
  bin.push({ pairing: p, status: status.get(pairing), isWhole: true, reason, withdrawn: reason === "unpaired", word: null, command: null, binnedAt: ago(0), keptUntil: ago(-30 * 86400) });
  pairings.delete(pairing); status.delete(pairing);
  send("session", { ...sessions.get(pairing), lost: "unpaired" });
  sessions.delete(pairing);
  return { pairing: p, withdrawn: true };
}

function answer(id, body) {
  const p = open.get(id);
  if (!p) return [404, { detail: "there is no such pairing, or it has ended long ago", status: 404 }];
  if (body.confirm === false) return step(id, { ...blank, state: "cancelled" });
  if (p.question.kind === "confirm" && p.offer.dialect === "openclaw") return step(id, { state: "secretNeeded", question: { number: 2, kind: "secret", kinds: ["sharedToken", "password", "setupCode"], message: "Expected its token, password or a setup code.", isPlain: true } });
  if (p.question.kind === "secret") {
    if (body.secret !== "right") return [409, { detail: "expected the token, found another one. Nothing was sent", status: 409 }];
    return step(id, { state: "approvalNeeded", question: null, approval: { request: "req-1", command: "openclaw devices approve req-1", since: ago(3), askedAgainAt: ago(-2), trouble: null }, detail: "Its operator has to approve this device." });
  }
  const g = p.offer.gateway;
  setTimeout(() => { pair(g); send("gateway", { kind: "gateway", event: "changed", changed: ["bots"], gateway: gateways.get(g), time: ago(0) }); step(id, { ...blank, state: "paired", pairing: `pairing-${g}` }); }, 300);
  return step(id, { state: "pairing", question: null });
}

createServer(async (request, response) => {
  const url = new URL(request.url, "http://x");
  const reply = (code, body) => { response.writeHead(code, { "Content-Type": "application/json", "Clawradar-Version": "mock" }); response.end(JSON.stringify(body)); };
  // What comes of a pairing may be told by an event before the answer says that it has begun.
  const late = (code, body) => setTimeout(() => reply(code, body), 400);
  const name = url.pathname === "/" ? "index.html" : url.pathname.match(/^\/page\/([a-z0-9-]+\.\w+)$/)?.[1];
  if (name) {
    try {
      const data = await readFile(new URL(name, files));
      response.writeHead(200, { "Content-Type": `${types[name.split(".").pop()]}; charset=utf-8`, "Content-Security-Policy": CSP, "Cache-Control": "no-store" });
      return response.end(data);
    } catch { return reply(404, { detail: "no such file" }); }
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  if (url.pathname === "/api/v1/page/session") return reply(201, { token: "mock", expiresAt: ago(-43200) });
  if (request.headers.authorization !== "Bearer mock") return reply(401, { detail: "expected the token of the page, found none" });
  if (url.pathname === "/api/v1/events") {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const backends = [{ backend: "avahi", state: scene === "first" ? "unavailable" : "running", reason: scene === "first" ? "no network interface is up" : null, warnings: [] }];
    response.write(`event: snapshot\nid: 1-${++number}\ndata: ${JSON.stringify({ gateways: [...gateways.values()], others: [{ id: "o1", name: "desk", reason: "an SSH server: “SSH-2.0-OpenSSH_9.2p1”", paths: [{ endpoint: "192.168.1.4:22" }], services: [] }], services: [], sessions: [...sessions.values()], backends })}\n\n`);
    for (const p of open.values()) response.write(`event: pairing\ndata: ${JSON.stringify(p)}\n\n`);
    readers.add(response);
    const latencies = url.searchParams.get("latency") === "true" && setInterval(() => {
      for (const g of gateways.values()) response.write(`event: latency\ndata: ${JSON.stringify({ gateway: g.id, latencyMs: g.latencyMs + Math.random(), time: ago(0) })}\n\n`);
    }, 2000);
    return request.on("close", () => { readers.delete(response); clearInterval(latencies); });
  }
  let body = raw;
  if (request.headers["content-type"] === "application/json") body = JSON.parse(raw);
  const conversation = url.pathname.match(/^\/api\/v1\/pair\/(\w+)(\/answer)?$/);
  if (conversation) {
    const result = answer(conversation[1], request.method === "DELETE" ? { confirm: false } : body);
    return late(...(Array.isArray(result) ? result : [200, result]));
  }
  const route = routes[`${request.method} ${url.pathname}`];
  if (!route) return reply(404, { detail: "expected one of the paths that the guide of the agent lists, found another" });
  const result = route(body);
  return url.pathname === "/api/v1/pair" ? late(...result) : Array.isArray(result) ? reply(...result) : reply(200, result);
}).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/#login=mock`));
