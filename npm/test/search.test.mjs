import assert from "node:assert/strict";
import { test } from "node:test";
import { delay, ExpressionError, search } from "smithy-waiters";

test("a search gives the host's own values", () => {
  const date = new Date(0);
  const value = { a: [{ b: date }, { b: null }, { c: 1 }], m: new Map([["k", 5n]]) };
  assert.equal(search("a[0].b", value), date);
  assert.deepEqual(search("a[].b", value), [date]);
  assert.equal(search("m.k", value), 5n);
  assert.equal(search("@", value), value);
  assert.equal(search("missing", value), null);
  assert.equal(search("@", undefined), null);
  assert.equal(search("@", () => {}), null);
  assert.deepEqual(search("{\"__proto__\": s}", { s: "x" }), JSON.parse('{"__proto__": "x"}'));
});

test("a search that cannot be made says why", () => {
  assert.throws(() => search("a", { get a() { throw new Error("closed"); } }), { code: "evaluation_error", message: /closed/ });
  assert.throws(() => search(5, {}), ExpressionError);
});

test("a delay of bad input is refused", () => {
  for (const [none, shown] of [[undefined, "undefined"], [null, "null"], [5, "a number"], [[], "an array"]]) {
    assert.throws(() => delay(none), { code: "invalid_option", message: `the input must be an object, got ${shown}` });
  }
  assert.throws(() => delay({ attempt: 3, remaining: 295, minDelay: 2, maxDelay: 120, random: 0.7, Random: 1 }), { name: "OptionsError", code: "unknown_option", option: "Random" });
});

test("results of functions preserve nulls", () => {
  assert.deepEqual(search("map(&@, @)", [null, 1, undefined]), [null, 1, null]);
  assert.deepEqual(search("[values(@), to_array(@.a)]", { a: null }), [[null], [null]]);
});

test("numbers are read and printed to the last bit, as JavaScript does it", () => {
  const bits = new DataView(new ArrayBuffer(8));
  for (let seed = 1; seed <= 2_000; seed++) {
    bits.setUint32(0, Math.imul(seed, 0x9e3779b1));
    bits.setUint32(4, Math.imul(seed, 0x85ebca6b));
    const number = bits.getFloat64(0);
    if (!Number.isFinite(number)) continue;
    const text = String(number);
    assert.equal(search(`\`${text}\``, null), number);
    assert.deepEqual(search(`\`{"a\\\`": [1, ${text}]}\``, null), { "a`": [1, number] });
    assert.equal(search(`to_number('${text}')`, null), number);
    assert.equal(search("to_string(@)", number), text);
  }
});
