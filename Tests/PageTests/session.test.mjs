// How a page goes on with an agent that was started anew. Run: node --test Tests/PageTests/

import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { test } from "node:test";
import { codeOf, resume } from "../../Sources/Page/files/api.js";

// Unlike browsers, Node 18 of Debian 12 has it under no name of its own.
globalThis.crypto ??= webcrypto;

const key = "0123456789abcdef".repeat(4);
const run = "ab".repeat(32);

// The agent makes the same: PageKeysTests.theCodesAreThoseOfThePage.
test("the codes are those of the agent", async () => {
  assert.equal(await codeOf(`clawradar page token\n${run}`, key), "272797acb0575265137140246c624fd3257a224948dc5a5ebf5915bf3532ff4e");
  assert.equal(await codeOf(`clawradar page proof\n${"cd".repeat(32)}\n${run}\n7417`, key), "97d0f5ba776a2be7f4ab02394f4521f73b4aa57c1a7a39eaf3c9abc8507aabc1");
});

/** Resumes in a browser's place, where `answer` makes the answer to a nonce; gives what it came to, and what was sent. */
async function resumed(answer, hostname = "127.0.0.1") {
  const kept = new Map([["clawradar.token", "old"], ["clawradar.session", JSON.stringify({ key, port: 7417 })]]);
  globalThis.sessionStorage = { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v), removeItem: (k) => kept.delete(k) };
  globalThis.location = { hostname };
  const sent = [];
  globalThis.fetch = async (path, options) => {
    sent.push(JSON.stringify([path, options.headers, options.body]));
    const body = await answer(JSON.parse(options.body).nonce);
    return { ok: true, json: async () => body };
  };
  return { isBack: await resume(), token: kept.get("clawradar.token"), sent: sent.join() };
}

const proof = (nonce, port = 7417, by = key) => codeOf(`clawradar page proof\n${nonce}\n${run}\n${port}`, by);

test("an agent with the key gets a token of its run, others nothing", async () => {
  const good = await resumed(async (nonce) => ({ run, proofs: ["0", await proof(nonce)] }));
  assert.equal(good.isBack, true);
  assert.equal(good.token, await codeOf(`clawradar page token\n${run}`, key));
  const bad = [
    async (nonce) => ({ run, proofs: [await proof(nonce, 7417, "another")] }),
    async (nonce) => ({ run, proofs: [await proof(nonce, 7418)] }), // the agent's, at the port that it has now
    async () => ({ run, proofs: [await proof("ab".repeat(32))] }), // of another time
    async () => ({ run, proofs: "" }),
    async () => ({}),
  ];
  for (const answer of bad) {
    const { isBack, token, sent } = await resumed(answer);
    assert.equal(isBack, false);
    assert.equal(token, "old");
    assert.ok(!sent.includes("Authorization") && !sent.includes("old") && !sent.includes(key));
  }
  // By these names, which browsers lead to ::1 as well, another user may stand between.
  for (const name of ["localhost", "page.localhost", "localhost."]) {
    const local = await resumed(async (nonce) => ({ run, proofs: [await proof(nonce)] }), name);
    assert.deepEqual([local.isBack, local.sent], [false, ""], name);
  }
});
