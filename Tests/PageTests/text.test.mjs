// Texts as people see them, and what a pasted text is taken for. Run: node --test Tests/PageTests/

import assert from "node:assert/strict";
import { test } from "node:test";
import { clean, digits, durationText, emojiOf, isSecret, latencyText, wayIn } from "../../Sources/Page/files/text.js";
import { eventParser } from "../../Sources/Page/files/api.js";

// Nothing from the network may reorder, hide or break what stands beside it.
test("invisible characters go, emoji sequences stay", () => {
  assert.equal(clean("a\u202eb\u2066c\u200bd\u0007e\ufeff"), "abcde");
  assert.equal(clean("one\ntwo"), "one two");
  assert.equal(clean("👩‍💻 👨‍👩‍👧‍👦"), "👩‍💻 👨‍👩‍👧‍👦");
  assert.equal(clean("pay\u200dpal"), "paypal");
  assert.equal(clean({ base64: "eA==" }), "(bytes)");
  assert.equal(clean(null), "");
  assert.equal([...clean("🤖".repeat(300), 64)].length, 64);
  assert.equal(clean("<img src=x onerror=alert(1)>"), "<img src=x onerror=alert(1)>");
});

test("an emoji is one symbol", () => {
  assert.equal(emojiOf("👩‍💻👩‍💻"), "👩‍💻");
  assert.equal(emojiOf("🇩🇪x"), "🇩🇪");
  assert.equal(emojiOf("abc"), "🤖");
  assert.equal(emojiOf(null), "🤖");
});

test("numbers in words", () => {
  assert.equal(latencyText(2.345), "2.3 ms");
  assert.equal(latencyText(140.4), "140 ms");
  assert.equal(latencyText(null), "");
  assert.equal(durationText(59_000), "59 s");
  assert.equal(durationText(3 * 86_400_000), "3 days");
  assert.equal(digits("0123456789abcdef"), "0123 4567 89ab cdef");
});

// A link leads to a question, and what is none leads to nothing.
test("what is pasted", () => {
  assert.deepEqual(wayIn(" optaplus://pair?host=10.0.0.2&port=3000 "), { invitation: "optaplus://pair?host=10.0.0.2&port=3000" });
  assert.deepEqual(wayIn("oc-pair://eyJhIjoxfQ"), { invitation: "oc-pair://eyJhIjoxfQ" });
  assert.ok(wayIn("eyJhIjoxLCJiIjoyLCJjIjozfQ").invitation);
  assert.ok(wayIn("https://example.org/j/ABC").invitation);
  assert.deepEqual(wayIn("192.168.1.5:3000"), { address: "192.168.1.5:3000" });
  assert.deepEqual(wayIn("[fe80::1%eth0]:3000"), { address: "[fe80::1%eth0]:3000" });
  assert.deepEqual(wayIn("wss://bot.example.org/x"), { address: "wss://bot.example.org/x" });
  for (const text of ["", "hello world", "https://example.org/", "javascript:alert(1)", "x".repeat(9000), "word"]) assert.equal(wayIn(text), null, text);
  assert.equal(isSecret("optaplus://pair?host=x&token=abc"), true);
  assert.equal(isSecret("optaplus://pair?host=x&fp=abc"), false);
});

// Pieces of a stream end anywhere, in the middle of an event too.
test("events are read whatever the pieces", () => {
  const text = ":\n\nevent: snapshot\nid: 5-1\ndata: {\"a\":1}\n\nevent: gateway\ndata: {\ndata: }\n\n:\n\n";
  for (let size = 1; size < text.length; size++) {
    const got = [];
    const parse = eventParser((...event) => got.push(event));
    for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
    assert.deepEqual(got, [["snapshot", "{\"a\":1}", "5-1"], ["gateway", "{\n}", null]]);
  }
});
