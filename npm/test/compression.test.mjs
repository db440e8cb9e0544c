/** Compressed bodies that a real server decodes, and the tokens and the errors of modeled operations. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { classify, Operation, OptionsError, RequestCompression } from "smithy-waiters";
import { thrownBy } from "./definitions.mjs";
import { served } from "./server.mjs";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TEXT = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ index, name: "größe" })));

async function sent(body, options) {
  return served([{}], async ({ url, requests }) => {
    const compressed = await new RequestCompression(["GZIP"]).compress(body, options);
    const { contentEncoding } = compressed;
    const headers = contentEncoding === undefined ? {} : { "Content-Encoding": contentEncoding };
    await fetch(url, { method: "POST", body: compressed.body, headers, duplex: "half" });
    const [request] = requests;
    const isGzip = request.headers["content-encoding"]?.endsWith("gzip") ?? false;
    return { ...compressed, header: request.headers["content-encoding"], text: String(isGzip ? gunzipSync(request.body) : request.body), size: request.body.length };
  });
}

test("whole bodies of each kind are decoded back by a server", async () => {
  const bytes = new TextEncoder().encode(TEXT);
  for (const body of [TEXT, bytes, bytes.buffer, new DataView(bytes.buffer), Buffer.from(TEXT), new Blob([TEXT])]) {
    const { header, text, size, encoding } = await sent(body);
    assert.deepEqual([header, encoding, text === TEXT], ["gzip", "gzip", true]);
    assert.ok(size < TEXT.length / 4);
  }
});

test("streams are compressed whatever their length, unless that must be known", async () => {
  const chunks = ["a", "bc", "d"].map((text) => new TextEncoder().encode(text));
  for (const body of [new Blob(chunks).stream(), Readable.from(chunks), (async function* () { yield* chunks; })()]) {
    const { header, text } = await sent(body, { contentEncoding: "br" });
    assert.deepEqual([header, text], ["br, gzip", "abcd"]);
  }
  const stream = new Blob(chunks).stream();
  const { body, encoding } = await new RequestCompression(["gzip"]).compress(stream, { requiresLength: true });
  assert.deepEqual([body, encoding], [stream, undefined]);
});

test("a request without a body stays without one, and forms are refused", async () => {
  const always = new RequestCompression(["gzip"], { requestMinCompressionSizeBytes: 0 });
  for (const body of [null, undefined]) {
    assert.deepEqual(await always.compress(body, { contentEncoding: "br" }), { body, encoding: undefined, contentEncoding: "br" });
  }
  // Compression would remove the `Content-Type` that fetch sets.
  await assert.rejects(always.compress(new URLSearchParams({ a: "b" })), /^TypeError: `body` must be bytes, a string, a `Blob` or a stream, got `URLSearchParams`$/);
});

test("a token of a page that came over plain http is a UUID of version 4, too", () => {
  const operation = Operation.fromModel(MODEL, "Allocate");
  const { randomUUID } = crypto;
  const insecure = { value: undefined, configurable: true };
  Object.defineProperty(crypto, "randomUUID", insecure);
  const tokens = Array.from({ length: 200 }, () => operation.withToken({}).clientToken);
  Object.defineProperty(crypto, "randomUUID", { ...insecure, value: randomUUID });
  assert.equal(new Set(tokens).size, 200);
  for (const token of tokens) assert.match(token, UUID);
});

const MODEL = {
  shapes: {
    "demo#Allocate": { type: "operation", input: { target: "demo#AllocateInput" }, errors: [{ target: "demo#Busy" }] },
    "demo#AllocateInput": {
      type: "structure",
      members: { clientToken: { target: "smithy.api#String", traits: { "smithy.api#idempotencyToken": {} } } },
    },
    "demo#Get": { type: "operation", traits: { "smithy.api#readonly": {} } },
    "demo#Busy": { type: "structure", traits: { "smithy.api#error": "client", "smithy.api#retryable": { throttling: true } } },
  },
};

test("a missing token is added to a copy of the input", () => {
  const allocate = Operation.fromModel(MODEL, "Allocate");
  const input = Object.freeze({ size: 3 });
  const filled = allocate.withToken(input);
  assert.match(filled.clientToken, UUID);
  assert.deepEqual(filled, { size: 3, clientToken: filled.clientToken });
  for (const given of [filled, { clientToken: "" }]) assert.equal(allocate.withToken(given), given);
  assert.equal(Operation.fromModel(MODEL, "Get").withToken(input), input);
  assert.equal(allocate.isIdempotent(), false);
  assert.ok(thrownBy(() => allocate.withToken(input, { source: 5 })) instanceof OptionsError);
});

test("a model says which errors are retryable", () => {
  const operation = Operation.fromModel(MODEL, "Allocate");
  const busy = Object.assign(new Error("busy"), { name: "Busy", $fault: "client" });
  assert.equal(classify(busy).retry.safety, "no");
  assert.deepEqual([classify(busy, { operation }).retry.safety, classify(busy, { operation }).retry.throttle], ["yes", true]);
});

test("invalid sizes of bodies are refused", () => {
  const compression = new RequestCompression(["gzip"]);
  for (const size of [-1, -2, "5000000", 20000.5, Number.NaN, undefined, null, true]) {
    const got = { boolean: "a boolean", string: "a string" }[typeof size] ?? size;
    const message = `\`size\` must be an integer from 0 to 2^53 - 1, got ${got}`;
    assert.throws(() => compression.encodingOf(size), { name: "OptionsError", code: "invalid_option", option: "size", message });
  }
});

test("a source of tokens gives texts", () => {
  const allocate = Operation.fromModel(MODEL, "Allocate");
  for (const [token, got] of [[5, "5"], [null, "null"], [undefined, "undefined"], [{}, "an object"], [new Date(), "`Date`"]]) {
    const message = `\`source\` must return a string, got ${got}`;
    assert.throws(() => allocate.withToken({}, { source: () => token }), { name: "OptionsError", code: "invalid_option", option: "source", message });
  }
});
