// The agent's API: requests with the token of this page, and the stream of events. It knows nothing of what is shown.

const TOKEN = "clawradar.token";
const SESSION = "clawradar.session";

/** The time after which a stream without a word, not even a comment, is taken for dead. */
const SILENCE = 35_000;

/** A problem that the agent has told (RFC 9457), or that it does not answer (`status` 0). */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }

  /** Indicates whether this agent has no such operation. */
  get isUnknown() { return this.status === 404 && /paths/.test(this.message) || this.status === 405 || this.status === 501; }
}

/** Throws an error on that is no problem of the agent's. */
export function expect(error) {
  if (!(error instanceof Problem)) throw error;
}

/** Exchanges the login of the address for a token, once; gives the link that came with it. */
export async function enter() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  const login = fragment.get("login");
  if (!login) return null;
  // One of an agent that has ended would have the login refused.
  forgetToken();
  const answer = await send("POST", "/api/v1/page/session", { login });
  sessionStorage.setItem(TOKEN, answer.token);
  if (answer.key) sessionStorage.setItem(SESSION, JSON.stringify({ key: answer.key, port: answer.port }));
  return answer.link ?? null;
}

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;
export function forgetToken() {
  sessionStorage.removeItem(TOKEN);
  sessionStorage.removeItem(SESSION);
}

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The code of a message (HMAC with SHA-256), as the agent makes it with the same key. */
export async function codeOf(message, key) {
  const bytes = (text) => new TextEncoder().encode(text);
  const made = await crypto.subtle.importKey("raw", bytes(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", made, bytes(message)));
}

/**
 * Returns whether this page can tell its agent from another program. Not by `localhost` or a name below it: that may be ::1 as well, where another user
 * may listen who hands the question on to the agent.
 */
export const canResume = () =>
  sessionStorage.getItem(SESSION) !== null && Boolean(globalThis.crypto?.subtle) && !/(^|\.)localhost\.?$/.test(location.hostname);

/**
 * Goes on with the next run of the agent, if what answers proves to be that: another program may have its port. Only then is
 * there a token for it; the one that others may have been given is worth nothing any more.
 */
export async function resume() {
  if (!canResume()) return false;
  const { key, port } = JSON.parse(sessionStorage.getItem(SESSION));
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const { run, proofs } = await send("POST", "/api/v1/page/proof", { nonce }, { isBare: true, timeout: 5_000 });
  if (!/^[0-9a-f]{64}$/.test(run) || !Array.isArray(proofs)) return false;
  if (!proofs.includes(await codeOf(`clawradar page proof\n${nonce}\n${run}\n${port}`, key))) return false;
  sessionStorage.setItem(TOKEN, await codeOf(`clawradar page token\n${run}`, key));
  return true;
}

const authorization = () => (hasToken() ? { Authorization: `Bearer ${sessionStorage.getItem(TOKEN)}` } : {});

/** How everything is asked for: kept nowhere, followed nowhere, and with nothing of the browser's own. */
const MANNERS = { cache: "no-store", redirect: "error", credentials: "omit", referrerPolicy: "no-referrer" };

const problemOf = (response, answer) => new Problem(response.status, answer?.detail ?? answer?.title ?? `the agent answered ${response.status}`);

/** Asks the agent; bare, without the token. Its body is an object, or bytes. */
export async function send(method, path, body, { keepalive = false, timeout = 30_000, isBare = false } = {}) {
  const isBytes = body instanceof Uint8Array;
  const headers = isBare ? {} : authorization();
  if (body !== undefined) headers["Content-Type"] = isBytes ? "application/octet-stream" : "application/json";
  let response;
  try {
    response = await fetch(path, {
      ...MANNERS, method, headers, keepalive,
      body: body === undefined ? undefined : isBytes ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    });
  } catch (error) {
    throw new Problem(0, error.name === "TimeoutError" ? "the agent did not answer in time" : "the agent does not answer");
  }
  let answer = null;
  try { answer = await response.json(); } catch { /* an answer without a document */ }
  if (!response.ok) throw problemOf(response, answer);
  return answer;
}

export const get = (path) => send("GET", path);
export const post = (path, body = {}, options) => send("POST", path, body, options);

/** Splits a stream of server-sent events: takes text, calls back with each event. Pure but for its buffer. */
export function eventParser(onEvent) {
  let rest = "";
  return (text) => {
    rest += text;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      let name = "message", id = null;
      const data = [];
      for (const line of block.split(/\r?\n/)) {
        const colon = line.indexOf(":");
        if (colon <= 0) continue;
        const value = line.slice(colon + 1).replace(/^ /, "");
        const field = line.slice(0, colon);
        if (field === "event") name = value;
        else if (field === "id") id = value;
        else if (field === "data") data.push(value);
      }
      if (data.length) onEvent(name, data.join("\n"), id);
    }
  };
}

/** The stream of events, opened anew whenever it ends. Closed, it asks nothing. */
export class Events {
  #abort = null;
  #last = null;
  #attempt = 0;
  #timer = null;

  /** `handlers`: `event(name, data)`, `up()`, `down(problem)`; after each batch of bytes `settle()`. */
  constructor(handlers) { this.handlers = handlers; }

  open() {
    if (this.#abort) return;
    clearTimeout(this.#timer);
    this.#abort = new AbortController();
    this.#run(this.#abort);
  }

  close() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
  }

  /** Tries at once, if it waits. */
  retry() {
    this.#attempt = 0;
    if (!this.#abort) this.open();
  }

  async #run(abort) {
    let problem;
    try {
      await this.#read(abort);
      problem = new Problem(0, "the agent has ended");
    } catch (error) {
      problem = error instanceof Problem ? error : new Problem(0, "the agent does not answer");
    }
    if (this.#abort !== abort) return; // closed meanwhile
    this.#abort = null;
    if (!this.handlers.down(problem)) return;
    const delay = Math.min(2000, 250 * 1.6 ** this.#attempt++);
    this.#timer = setTimeout(() => this.open(), delay);
  }

  async #read(abort) {
    const headers = { Accept: "text/event-stream", ...authorization() };
    if (this.#last) headers["Last-Event-ID"] = this.#last;
    const guard = () => setTimeout(() => abort.abort(), SILENCE);
    let silence = guard();
    try {
      const response = await fetch("/api/v1/events?visible=true&latency=true", { ...MANNERS, headers, signal: abort.signal });
      if (!response.ok) throw problemOf(response, await response.json().catch(() => null));
      this.#attempt = 0;
      this.handlers.up();
      const parse = eventParser((name, data, id) => {
        if (id) this.#last = id;
        let value;
        try { value = JSON.parse(data); } catch { return; }
        this.handlers.event(name, value);
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = guard();
        parse(value);
        this.handlers.settle();
      }
    } finally {
      clearTimeout(silence);
    }
  }
}
