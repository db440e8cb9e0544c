import assert from "node:assert/strict";
import { test } from "node:test";
import { delay, ExpressionError, OptionsError, search } from "smithy-waiters";

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
});

test("a search returns computed values", () => {
  const value = { a: [1, 2, 3], s: "x" };
  assert.deepEqual(search("{n: length(a), s: s, l: [`true`, s, a[0]]}", value), { n: 3, s: "x", l: [true, "x", 1] });
  assert.deepEqual(search("{\"__proto__\": s}", value), JSON.parse('{"__proto__": "x"}'));
  assert.equal(search("sum(a)", value), 6);
});

test("a search that cannot be made says why", () => {
  assert.throws(() => search("a.[", {}), (error) => error instanceof ExpressionError && error.code === "invalid_expression" && error.column > 0);
  assert.throws(() => search("length(@)", 5), { name: "ExpressionError", code: "evaluation_error" });
  assert.throws(() => search("a", { get a() { throw new Error("closed"); } }), { code: "evaluation_error", message: /closed/ });
  assert.throws(() => search(5, {}), ExpressionError);
});

test("a delay of bad input is refused", () => {
  const input = { attempt: 3, remaining: 295, minDelay: 2, maxDelay: 120, random: 0.7 };
  const refused = (change, code, option) =>
    assert.throws(() => delay({ ...input, ...change }), (error) => {
      assert.ok(error instanceof OptionsError);
      assert.deepEqual([error.code, error.option], [code, option]);
      return true;
    });
  for (const [none, shown] of [[undefined, "undefined"], [null, "null"], [5, "a number"], [[], "an array"]]) {
    assert.throws(() => delay(none), { code: "invalid_option", message: `the input must be an object, got ${shown}` });
  }
  refused({ Random: 1 }, "unknown_option", "Random");
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
