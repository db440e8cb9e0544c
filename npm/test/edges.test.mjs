/** Edge cases of retries, pages, sizes and tokens. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  classify,
  Operation,
  OptionsError,
  PaginationError,
  Paginator,
  RequestCompression,
  retry,
  RetryTimeout,
  StandardRetryStrategy,
} from "smithy-waiters";

const RESET = Object.assign(new Error("reset"), { code: "ECONNRESET" });
const PAGINATOR = new Paginator({ inputToken: "T", outputToken: "N", items: "I", pageSize: "Max" });
const MODEL = {
  shapes: {
    "demo#Get": { type: "operation", traits: { "smithy.api#readonly": {} } },
    "demo#Create": { type: "operation", input: { target: "demo#CreateInput" } },
    "demo#CreateInput": {
      type: "structure",
      members: { token: { target: "smithy.api#String", traits: { "smithy.api#idempotencyToken": {} } } },
    },
  },
};

class NumericValue {
  type = "bigDecimal";
  constructor(string) {
    this.string = string;
  }
}

class Opaque {
  #secret;
  constructor(secret) {
    this.#secret = secret;
  }
  tell() {
    return this.#secret;
  }
}

/** Returns true if the second token is treated as equal to the first. */
async function comesBack(one, other) {
  const pages = [{ N: { k: one } }, { N: { k: other } }, {}];
  let count = 0;
  try {
    for await (const _ of PAGINATOR.pages(() => pages[count++]));
    return false;
  } catch (error) {
    assert.ok(error instanceof PaginationError, String(error));
    assert.equal(error.code, "repeated_token");
    return true;
  }
}

test("tokens that are not the same", async () => {
  const opaque = new Opaque(1);
  assert.equal(opaque.tell(), 1);
  for (const [one, other] of [
    [2 ** 53, 2n ** 53n + 1n],
    [new NumericValue("0.1"), new NumericValue("0.10000000000000000001")],
    ["\ud800", "\ud801"],
    [new Map([[1, "a"]]), new Map([[1, "a"]])],
    [new Map([["a", 1]]), new Map([["a", 2]])],
    [opaque, new Opaque(2)],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new Date(1), new Date(2)],
  ]) {
    assert.equal(await comesBack(one, other), false, `${String(one)} ${String(other)}`);
  }
});

test("tokens that are the same", async () => {
  const opaque = new Opaque(1);
  const numbered = new Map([[1, "a"]]);
  for (const [one, other] of [
    [1, 1n],
    [new NumericValue("1.0"), new NumericValue("1.00")],
    [new NumericValue("-1200.50"), -1200.5],
    [{}, new Map()],
    [new NumericValue("0.0"), 0],
    ["\ud800", "\ud800"],
    [numbered, numbered],
    [new NumericValue("9007199254740993"), 2n ** 53n + 1n],
    [new NumericValue("1e3"), 1000],
    [new NumericValue("0.10000000000000000001"), new NumericValue("10.000000000000000001E-2")],
    [opaque, opaque],
    [new Date(1), new Date(1)],
  ]) {
    assert.equal(await comesBack(one, other), true, `${String(one)} ${String(other)}`);
  }
});

const refused = (option, message) => (error) => {
  assert.ok(error instanceof OptionsError, String(error));
  assert.deepEqual([error.code, error.option, error.message], ["invalid_option", option, message]);
  return true;
};

test("an empty start token is ignored, and a number is refused", async () => {
  for (const startToken of ["", {}, [], null, undefined]) {
    const asked = [];
    for await (const _ of PAGINATOR.pages((input) => ({ asked: asked.push(input) }), { T: "mine" }, { startToken }));
    assert.deepEqual(asked, [{ T: "mine" }]);
  }
  for (const [startToken, got] of [[5, "5"], [true, "a boolean"], [1n, "1"]]) {
    assert.throws(() => PAGINATOR.pages(() => ({}), {}, { startToken }), refused("startToken", `\`startToken\` must be a string or a map, got ${got}`));
  }
});

test("invalid sizes of bodies are refused", () => {
  const compression = new RequestCompression(["gzip"]);
  for (const size of [-1, -2, "5000000", 20000.5, Number.NaN, undefined, null, true]) {
    const got = { boolean: "a boolean", string: "a string" }[typeof size] ?? size;
    assert.throws(() => compression.encodingOf(size), refused("size", `\`size\` must be an integer from 0 to 2^53 - 1, got ${got}`));
  }
});

test("a source of tokens gives texts", () => {
  const create = Operation.fromModel(MODEL, "Create");
  for (const [token, got] of [[5, "5"], [null, "null"], [undefined, "undefined"], [{}, "an object"], [new Date(), "`Date`"]]) {
    const expected = refused("source", `\`source\` must return a string, got ${got}`);
    assert.throws(() => create.withToken({}, { source: () => token }), expected);
  }
});

test("a pause is a number of seconds", () => {
  const strategy = new StandardRetryStrategy();
  for (const [retryAfter, got] of [[-1, "-1"], [Number.NaN, "NaN"], [Number.POSITIVE_INFINITY, "infinity"], ["5", "a string"], [true, "a boolean"]]) {
    const token = strategy.acquireInitialToken();
    const refresh = () => strategy.refreshRetryToken(token, { retry: { safety: "yes", retryAfter } });
    assert.throws(refresh, refused("retryAfter", `\`retryAfter\` must be a number of seconds, at least 0, got ${got}`));
  }
});

test("an operation is an `Operation`", async () => {
  const expected = refused("operation", "`operation` must be an `Operation`, got an object");
  await assert.rejects(retry(() => 1, { operation: {} }), expected);
  assert.throws(() => classify(RESET, { operation: {} }), expected);
});

test("no attempt begins when the time is over", async () => {
  let now = 0;
  const strategy = new StandardRetryStrategy({ fixedDelay: 4.5 });
  const sleep = async (ms) => void (now += ms + 1000);
  const calling = retry(() => Promise.reject(RESET), { strategy, idempotent: true, maxTime: 5, clock: () => now, sleep });
  await assert.rejects(calling, (error) => error instanceof RetryTimeout && error.attempts === 1);
  assert.equal(strategy.quota.available, 500);
});
