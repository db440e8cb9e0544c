/** Compressed bodies that a real server decodes, and the settings in models. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { classify, Operation, OptionsError, RequestCompression } from "smithy-waiters";
import { thrownBy } from "./definitions.mjs";
import { served } from "./server.mjs";

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

test("whatever the size where the input has a stream", async () => {
  const traits = { "smithy.api#requestCompression": { encodings: ["gzip"] } };
  const shapes = {
    "demo#Send": { type: "operation", input: { target: "demo#In" }, traits },
    "demo#In": { type: "structure", members: { body: { target: "demo#Stream" } } },
    "demo#Stream": { type: "blob", traits: { "smithy.api#streaming": {} } },
  };
  const streaming = Operation.fromModel({ shapes }, "Send").compression;
  assert.equal(String(gunzipSync((await streaming.compress("abc")).body)), "abc");
  assert.equal(streaming.withSettings({ disableRequestCompression: true }).encodingOf(1), undefined);
  assert.equal(streaming.withSettings({}).encodingOf(0), "gzip");
  assert.match(thrownBy(() => new RequestCompression("gzip")).message, /^`encodings`: must be a list of at least one encoding$/);
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
  for (const token of tokens) assert.match(token, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
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
  assert.match(filled.clientToken, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(filled, { size: 3, clientToken: filled.clientToken });
  assert.equal(allocate.withToken(filled), filled);
  const empty = { clientToken: "" };
  assert.equal(allocate.withToken(empty), empty);
  assert.deepEqual(allocate.withToken({ clientToken: null }, { source: () => "token-1" }), { clientToken: "token-1" });
  assert.deepEqual([allocate.isIdempotent(), allocate.isIdempotent(input), allocate.isIdempotent(filled)], [false, false, true]);
  const get = Operation.fromModel(MODEL, "Get");
  assert.deepEqual([get.isIdempotent(), get.idempotencyToken, get.withToken(input) === input], [true, undefined, true]);
  assert.ok(thrownBy(() => allocate.withToken(input, { source: 5 })) instanceof OptionsError);
});

test("a model says which errors are retryable", () => {
  const operation = Operation.fromModel(MODEL, "Allocate");
  assert.deepEqual(operation.error("Busy"), { fault: "client", retryable: true, throttling: true });
  assert.equal(operation.error("Other"), undefined);
  const busy = Object.assign(new Error("busy"), { name: "Busy", $fault: "client" });
  assert.equal(classify(busy).retry.safety, "no");
  assert.deepEqual([classify(busy, { operation }).retry.safety, classify(busy, { operation }).retry.throttle], ["yes", true]);
});
