import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { search } from "smithy-waiters";
import { matching } from "./definitions.mjs";

/** Returns the type and the content of a value in an expression. */
const read = (value) => [search("type(a)", { a: value }), search("join('', [to_string(a)])", { a: value })];
const matches = (path, response, expected = "x", comparator = "stringEquals") =>
  matching(path, expected, comparator).evaluate({ response }).state === "success";

test("strings: boxed ones, bytes as base64, lone surrogates as U+FFFD", () => {
  assert.deepEqual(read(new String("x")), ["string", "x"]);
  assert.deepEqual(read(new (class LazyText extends String {})("x")), ["string", "x"]);
  for (const bytes of [
    new Uint8Array([199]),
    new Uint8Array([0, 199, 0]).subarray(1, 2),
    new Uint8Array([199]).buffer,
    new DataView(new Uint8Array([0, 199]).buffer, 1),
    Buffer.from([199]),
    runInNewContext("new Uint8Array([199])"),
  ]) {
    assert.deepEqual(read(bytes), ["string", "xw=="]);
    assert.ok(matches("a", { a: bytes }, "xw=="));
    assert.ok(matches("a[]", { a: [bytes] }, "xw==", "allStringEquals"));
  }
  assert.deepEqual(read(new Uint8Array(0)), ["string", ""]);
  assert.equal(search("length(a)", { a: new Uint8Array(100_000) }), Math.ceil(100_000 / 3) * 4);
  assert.deepEqual(read("a\ud800b"), ["string", "a\ufffdb"]);
  assert.equal(search("length(a)", { a: "😀" }), 1);
  for (const path of ["a", "a || b"]) assert.ok(matches(path, { a: "\udc00" }, "\ufffd"));
  assert.ok(matches("a[]", { a: ["\udc00"] }, "\ufffd", "anyStringEquals"));
});

test("numbers: bigint, boxed ones, dates in seconds, the AWS SDK's long ones", () => {
  class NumericValue {
    constructor(string, type) {
      this.string = string;
      this.type = type;
    }
  }
  assert.deepEqual(read(5n), ["number", "5"]);
  assert.deepEqual(read(2n ** 64n), ["number", "18446744073709552000"]);
  assert.deepEqual(read(new Number(1.5)), ["number", "1.5"]);
  assert.deepEqual(read(Object(5n)), ["number", "5"]);
  assert.deepEqual(read(new Date(1500)), ["number", "1.5"]);
  assert.deepEqual(read(runInNewContext("new Date(-1500)")), ["number", "-1.5"]);
  assert.deepEqual(read(new NumericValue("1.25", "bigDecimal")), ["number", "1.25"]);
  // An object with the same members is an ordinary object.
  assert.equal(read({ string: "1.25", type: "bigDecimal" })[0], "object");
});

test("numbers that JSON does not have are null", () => {
  for (const value of [Number.NaN, Infinity, -Infinity, new Number(Number.NaN), new Date(Number.NaN)]) {
    assert.deepEqual(read(value), ["null", "null"]);
  }
  for (const path of ["a", "a || b"]) {
    const { reasons } = matching(path, "x").evaluate({ response: { a: Number.NaN } });
    assert.equal(reasons[0].code, "null");
  }
});

test("booleans: boxed ones too", () => {
  assert.deepEqual(read(new Boolean(false)), ["boolean", "false"]);
  assert.ok(matches("a", { a: new Boolean(true) }, "true", "booleanEquals"));
});

test("arrays: sets too, holes are null", () => {
  assert.deepEqual(read(new Set(["x", 1])), ["array", '["x",1]']);
  assert.deepEqual(read(runInNewContext("new Set(['x'])")), ["array", '["x"]']);
  assert.ok(matches("a[].b", { a: new Set([{ b: "x" }]) }, "x", "allStringEquals"));
  assert.ok(matches("a[]", { a: [new Set(["x"]), "x"] }, "x", "allStringEquals"));
  assert.ok(matches("a[].b[]", { a: [{ b: new Set(["x"]) }] }, "x", "allStringEquals"));
  // eslint-disable-next-line no-sparse-arrays
  assert.deepEqual(read([, 1]), ["array", "[null,1]"]);
});

test("maps: the entries whose keys are strings", () => {
  const map = new Map([["k", "x"], [1, "y"], [{}, "z"], ["gone", undefined]]);
  assert.deepEqual(read(map), ["object", '{"k":"x"}']);
  assert.deepEqual(read(runInNewContext("new Map([['k', 'x']])")), ["object", '{"k":"x"}']);
  assert.ok(matches("a.k", { a: map }));
  assert.ok(matches("a.*", { a: map }, "x", "allStringEquals"));
  assert.ok(matches('a."1"', { a: map }, "y") === false);
  for (const name of ["size", "get", "constructor"]) assert.equal(search(`type(a.${name})`, { a: map }), "null");
  assert.equal(search("a.size", { a: new Map([["size", 5]]) }), 5);
});

test("objects: own enumerable properties and the accessors of their classes", () => {
  class Base {
    static made = 0;
    get inherited() { Base.made++; return "x"; }
    method() { return "x"; }
  }
  class Shape extends Base {
    own = "x";
    #hidden = "x";
    get accessor() { return this.#hidden; }
    get constructor_() { return "x"; }
  }
  const shape = Object.defineProperty(new Shape(), "secret", { value: "x", enumerable: false });
  assert.deepEqual(read(shape), ["object", '{"own":"x","accessor":"x","constructor_":"x","inherited":"x"}']);
  for (const path of ["own", "accessor", "inherited"]) assert.ok(matches(path, shape), path);
  for (const path of ["method", "secret", "constructor", "toString", "__proto__"]) {
    assert.equal(matching(path, "x").evaluate({ response: shape }).reasons[0].code, "null", path);
  }
  Base.made = 0;
  matches("inherited", shape);
  assert.equal(Base.made, 1);
  const bare = Object.assign(Object.create(null), { toString: "x", b: "x" });
  for (const path of ["toString", "b"]) assert.ok(matches(path, bare), path);
  const named = Object.assign(Object.create({ get toString() { return "x"; } }), {});
  assert.ok(matches("toString", named));
});

test("null: undefined, functions and symbols, which are no members either", () => {
  const value = { a: undefined, b: () => {}, c: Symbol("x"), d: null, e: class {} };
  assert.equal(search("to_string(@)", value), '{"d":null}');
  assert.equal(search("length(*)", value), 0);
  for (const name of ["a", "b", "c", "d", "e"]) {
    assert.equal(matching(name, "x").evaluate({ response: value }).reasons[0].code, "null");
    assert.equal(matching(`${name}.f[]`, "x", "anyStringEquals").evaluate({ response: value }).reasons[0].code, "null");
  }
  assert.deepEqual(read([undefined, () => {}]), ["array", "[null,null]"]);
});

test("a circular response is read along the path", () => {
  const node = { name: "x", items: [] };
  node.self = node;
  node.items.push(node);
  assert.ok(matches("self.self.items[0].name", node));
  assert.ok(matches("items[].items[].name", node, "x", "allStringEquals"));
});

test("values outside of a path are not read", () => {
  const touched = [];
  const spy = (name, members) => new Proxy(members, { get: (target, key) => (touched.push(`${name}.${String(key)}`), target[key]) });
  const response = spy("", { Table: spy("Table", { TableStatus: "ACTIVE", get Other() { throw new Error("no"); } }) });
  assert.ok(matches("Table.TableStatus", response, "ACTIVE"));
  assert.deepEqual(touched, [".Table", "Table.TableStatus"]);
});
