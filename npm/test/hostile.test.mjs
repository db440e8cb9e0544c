/** Values whose code throws, lies or never ends: each causes a recorded evaluation error, and the engine continues. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { classify, ExpressionError, Paginator, PaginationError, retry, search, Waiter } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, matching, tableExists } from "./definitions.mjs";
import { inner } from "./installed.mjs";

/** The number of evaluations of each kind, about 100,000 in total. */
const ROUNDS = 400;

const { slotCount, initSync } = await inner();

const refuse = () => {
  throw new Error("no");
};
const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, refuse]));
/** Creates a proxy whose traps all throw. */
const throwing = (target) => new Proxy(target, traps);
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const arrayOf = (length) => new Proxy(["x"], { get: (target, name) => (name === "length" ? length() : target[name]) });
const transferred = () => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};
const shrunk = () => {
  const buffer = new ArrayBuffer(16, { maxByteLength: 16 });
  const bytes = new Uint8Array(buffer, 8, 8);
  buffer.resize(4);
  return bytes;
};
const inGrownMemory = () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const bytes = new Uint8Array(memory.buffer);
  memory.grow(1);
  return bytes;
};
const branded = (brand, members = {}) => ({ __proto__: { get [Symbol.toStringTag]() { return brand(); } }, ...members });
const endless = function* () {
  for (;;) yield "x";
};
class ThrowingSet extends Set {
  [Symbol.iterator]() {
    throw new Error("no");
  }
}
class ThrowingMap extends Map {
  get = refuse;
  keys = refuse;
}
const overflow = () => overflow() + 1;
const odd = { toString: refuse, valueOf: refuse, [Symbol.toPrimitive]: refuse };

/** Values whose reads, or those of their members, fail. */
const HOSTILE = {
  "a getter": () => ({ get b() { return refuse(); } }),
  "a getter that throws itself": () => { const self = { get b() { throw self; } }; return self; },
  "a getter that throws a proxy": () => ({ get b() { throw throwing({}); } }),
  "a getter that throws a revoked proxy": () => ({ get b() { throw revoked({}); } }),
  "a getter that throws nothing": () => ({ get b() { throw undefined; } }),
  "a getter that overflows": () => ({ get b() { return overflow(); } }),
  "a throwing proxy": () => throwing({}),
  "a throwing proxy of an array": () => throwing([]),
  "a revoked proxy": () => revoked({}),
  "a revoked proxy of an array": () => revoked([]),
  "a length that throws": () => arrayOf(refuse),
  "a length that is below 0": () => arrayOf(() => -5),
  "a length that is not whole": () => arrayOf(() => 1.5),
  "a length that is not a number": () => arrayOf(() => odd),
  "a length that is a symbol": () => arrayOf(() => Symbol("x")),
  "a number that throws": () => Object.assign(new Number(1), { valueOf: refuse, [Symbol.toPrimitive]: refuse }),
  "a string that throws": () => Object.assign(new String("x"), odd),
  "a brand that throws": () => branded(refuse),
  "a set that is none": () => branded(() => "Set"),
  "a map that is none": () => branded(() => "Map"),
  "a date that is none": () => branded(() => "Date"),
  "a boolean that is none": () => branded(() => "Boolean"),
  "a set with another iterator": () => new ThrowingSet(["x"]),
  "a map with other methods": () => new ThrowingMap([["b", 1]]),
  "an object of a throwing class": () => Object.create(throwing({})),
  "transferred bytes": transferred,
  "a prototype that never ends": () => {
    const next = () => new Proxy({}, { getPrototypeOf: next, getOwnPropertyDescriptor: () => undefined });
    return next();
  },
  ...(ArrayBuffer.prototype.resize === undefined ? {} : { "shrunk bytes": shrunk }),
  "bytes in grown memory": inGrownMemory,
};
/** Values that are read as empty, or with the methods of another class. */
const HARMLESS = /bytes|that is none|map/;
const LISTS = /array|length|iterator/;
/** The paths that read the items of a list. */
const ITEMS = ["a[*].b", "a[].b", "length(a)", "a == c", "a[-1]", "sort(a)"];
const PATHS = ["a.b", "a", "a[*].b", "a[].b", "length(a)", "a == c", "to_string(a)", "keys(a)", "a.*", "type(a)", "a[-1]", "sort(a)"];

const reasonsOf = (path, response) => matching(path, "x", "stringEquals").evaluate({ response }).reasons;
const works = () => {
  assert.equal(tableExists().evaluate({ response: ACTIVE }).state, "success");
  assert.equal(search("length(a)", { a: [1, 2] }), 2);
  assert.equal(slotCount(), 0);
};

test("100,000 hostile evaluations leave the engine as it was", { timeout: 300_000 }, () => {
  const waiters = PATHS.map((path) => matching(path, "x", "stringEquals"));
  const run = (rounds) => {
    const codes = new Map();
    for (const [name, make] of Object.entries(HOSTILE)) {
      const seen = new Set();
      for (let round = 0; round < rounds; round++) {
        const waiter = waiters[round % waiters.length];
        const verdict = waiter.evaluate({ response: { a: make(), c: [] } });
        if (round < waiters.length) verdict.reasons.forEach(({ code }) => seen.add(code));
        if (round % 10 === 0 && !HARMLESS.test(name)) assert.throws(() => search("a.b.c[0] == `1` || length(a)", { a: make() }), ExpressionError, name);
      }
      codes.set(name, seen);
    }
    return codes;
  };
  const memory = () => initSync().memory.buffer.byteLength;
  run(50);
  const before = memory();
  for (const [name, codes] of run(Math.max(ROUNDS, 100_000 / Object.keys(HOSTILE).length))) {
    if (!HARMLESS.test(name)) assert.ok(codes.has("evaluation_error"), `${name}: ${[...codes]}`);
  }
  works();
  assert.equal(memory(), before);
});

test("each is an evaluation error of its own, in one line", () => {
  for (const name of Object.keys(HOSTILE)) {
    for (const path of PATHS) {
      const [{ code, text }] = reasonsOf(path, { a: HOSTILE[name](), c: [] });
      // A list that cannot be read is not an empty one.
      if (LISTS.test(name) && ITEMS.includes(path)) assert.equal(code, "evaluation_error", `${name}: ${path}`);
      assert.ok(!/\n|borrow|memory access|undefined is not/.test(text), `${name}: ${text}`);
    }
  }
  works();
});

test("waits, requests and pages end with an error of theirs", async () => {
  const hostile = { a: throwing({}) };
  for (let round = 0; round < 200; round++) {
    const waiter = matching("a.b", "x", "stringEquals");
    const wait = waiter.start({ maxWaitTime: 10 });
    wait.poll(0);
    assert.equal(wait.handle({ type: "response", response: hostile }, 1).type, "sleep");
    wait.free();
    await assert.rejects(waiter.wait(() => hostile, { maxWaitTime: 3, clock: new FakeClock() }), { code: "timed_out" });
    const policy = { policy: waiter, clock: new FakeClock(), maxRetries: 1 };
    await assert.rejects(retry(() => hostile, policy));
    const thrown = throwing({});
    await retry(() => Promise.reject(thrown), { clock: new FakeClock(), maxRetries: 1 }).then(assert.fail, (error) => assert.ok(error === thrown));
    assert.equal(classify(throwing({})).retry, undefined);
    assert.equal(classify(revoked({})).retry, undefined);
    const pages = new Paginator({ inputToken: "t", outputToken: "a.b", items: "a.c" });
    await assert.rejects(async () => {
      for await (const _ of pages.pages(() => hostile));
    }, PaginationError);
  }
  works();
});

test("an iterator that never ends is cut", { timeout: 60_000 }, () => {
  const set = Object.assign(new Set(), { [Symbol.iterator]: endless });
  const map = Object.assign(new Map(), { keys: endless });
  for (const a of [set, map]) {
    const [{ code, text }] = reasonsOf("length(a)", { a });
    assert.equal(code, "evaluation_error", text);
    assert.match(text, /more than 1000000 items/);
  }
  works();
});

test("a list of a fleet without an end is refused", { timeout: 60_000 }, async () => {
  const Volumes = new Proxy([], { get: (target, name) => (name === "length" ? 2 ** 32 - 1 : { Id: "q" }) });
  const fleet = Waiter.until("Volumes[].State", "ok").fleet(async () => ({ Volumes }), { items: "Volumes[]", key: "Id", clock: new FakeClock() });
  await assert.rejects(fleet.wait("a", { maxWaitTime: 1 }), { name: "StateError" });
  works();
});

test("a revoked proxy that is thrown is the cause of a failure", async () => {
  const thrown = revoked({});
  const error = await tableExists().wait(() => Promise.reject(thrown), { maxWaitTime: 60 }).catch((error) => error);
  assert.deepEqual([error.name, error.cause === thrown], ["WaiterFailed", true]);
  works();
});

test("a getter that evaluates its own response is refused at a depth of 8", () => {
  const waiter = matching("a", "x", "stringEquals");
  let depth = 0;
  let deepest = 0;
  let inner;
  const response = {
    get a() {
      deepest = Math.max(deepest, ++depth);
      try {
        const [reason] = waiter.evaluate({ response }).reasons;
        if (reason.code === "evaluation_error") inner ??= reason.text;
        return "y";
      } finally {
        depth--;
      }
    },
  };
  assert.equal(reasonsOf("a", response)[0].code, "not_equal");
  assert.match(inner, /nested deeper than 8 levels/);
  assert.ok(deepest <= 9, `${deepest}`);
  works();
});

test("a step inside a step is refused", () => {
  const wait = matching("a", "x", "stringEquals").start({ maxWaitTime: 10 });
  wait.poll(0);
  const response = { get a() { return wait.handle({ type: "response", response: {} }, 1); } };
  assert.equal(wait.handle({ type: "response", response }, 1).type, "sleep");
  assert.match(wait.progress().reasons[0].text, /another step of this wait is in progress/);
  works();
});

test("items are unchanged if a getter makes the engine's memory grow", () => {
  let grown = false;
  const items = Array.from({ length: 100 }, (_, index) => ({
    get state() {
      if (index === 50 && !grown) {
        grown = true;
        const before = initSync().memory.buffer.byteLength;
        search("length(reverse(@))", "\u20ac".repeat(4_000_000));
        assert.ok(initSync().memory.buffer.byteLength > before);
      }
      return `s${index}`;
    },
  }));
  assert.deepEqual(search("items[*].state", { items }), items.map((_, index) => `s${index}`));
  assert.ok(grown);
  works();
});

/** Calls a function at every depth of the stack, starting from a full stack. */
function atEveryDepth(most, call) {
  let left = most;
  const down = () => {
    try {
      down();
    } catch {
      // The stack is full at this depth.
    }
    if (left-- > 0) call();
  };
  down();
}

test("a stack that is full leaves the engine as it was", { timeout: 120_000 }, () => {
  let deep = "x";
  for (let level = 0; level < 120; level++) deep = level % 2 === 0 ? { a: deep } : [deep];
  const response = { a: deep, b: structuredClone(deep), Table: { TableStatus: "CREATING" } };
  const memory = () => initSync().memory.buffer.byteLength;
  let before;
  for (const path of ["Table.TableStatus", "a == b", "to_string(a)", "!".repeat(60) + "a", `a${"[*]".repeat(60)}`, "values(a)", "a.*.*"]) {
    const waiter = matching(path, "x", "stringEquals");
    const wait = waiter.start({ maxWaitTime: 10_000 });
    const seen = new Set();
    atEveryDepth(4000, () => {
      try {
        wait.poll(0);
        wait.handle({ type: "response", response }, 0);
        seen.add(waiter.evaluate({ response }).reasons[0].code);
      } catch (error) {
        seen.add(error.name);
      }
    });
    assert.ok(seen.has("RangeError"), path);
    seen.delete("RangeError");
    for (const code of seen) assert.match(code, /^(not_equal|wrong_type|null|evaluation_error|limit_exceeded|StateError)$/);
    assert.notEqual(wait.poll(0).type, undefined);
    wait.free();
    before ??= memory();
  }
  works();
  assert.ok(memory() - before < 2 ** 20, `${memory() - before} bytes more`);
});

test("a getter that fills the stack is an evaluation error", () => {
  const response = { get a() { return overflow(); }, list: [{ get a() { return overflow(); } }] };
  for (let round = 0; round < 100; round++) {
    for (const path of ["a", "list[0].a", "to_string(@)", "length(@)"]) assert.equal(reasonsOf(path, response)[0].code, "evaluation_error");
  }
  works();
});

test("the message of another evaluation is never reported", () => {
  const secret = { get a() { throw new Error("secret of tenant A"); } };
  const fill = () => Array.from({ length: 20 }, () => reasonsOf("a", secret));
  fill();
  assert.equal(search("length(a)", { a: new Array(2 ** 31) }), 2 ** 31);
  assert.equal(search("length(a)", { a: new Array(2 ** 32 - 1) }), 2 ** 32 - 1);
  for (const length of [-1, -5, -(2 ** 31), 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, "5", null]) {
    fill();
    const [{ code, text }] = reasonsOf("length(a)", { a: arrayOf(() => length) });
    assert.equal(code, "evaluation_error", `${length}`);
    assert.ok(!text.includes("tenant"), text);
  }
});

test("a message is cut", () => {
  const message = " ".repeat(5_000_000);
  const [{ code, text }] = reasonsOf("a", { get a() { throw new Error(message); } });
  assert.equal(code, "evaluation_error");
  assert.ok(text.length < 2000);
});

test("a blob is converted only as far as it is read", () => {
  const a = new Uint8Array(400_000_000);
  assert.equal(reasonsOf("a", { a })[0].code, "not_equal");
  assert.equal(search("a && `1`", { a }), 1);
  assert.equal(search("starts_with(a, 'AAAA')", { a }), true);
  assert.equal(reasonsOf("[a]", { a })[0].code, "wrong_type");
  for (const path of ["length(a)", "reverse(a)", "contains(a, 'B')", "to_string(a)", "a == a", "sort([a, a])"]) {
    assert.equal(reasonsOf(path, { a })[0].code, "limit_exceeded", path);
  }
  assert.equal(search("length(a)", { a: new Uint8Array(50_000_000) }), 66_666_668);
  assert.equal(search("a == 'AAAA'", { a: new Uint8Array(3) }), true);
  works();
});

test("a text of 5*10^8 characters is bounded", () => {
  const a = "x".repeat(500_000_000);
  assert.equal(reasonsOf("reverse(a)", { a })[0].code, "limit_exceeded");
  assert.equal(reasonsOf("length(a)", { a })[0].code, "limit_exceeded");
  assert.equal(reasonsOf("a", { a })[0].code, "not_equal");
  assert.equal(search("length(a)", { a: "a\u{1f600}\ud83d" }), 3);
});

test("a shared structure is shown in part", () => {
  const shared = (level, make) => {
    let value = { x: 1 };
    for (let at = 0; at < level; at++) value = make(value);
    return value;
  };
  const pair = (value) => ({ a: value, b: value });
  const list = (value) => [value, value];
  for (const make of [pair, list]) {
    const a = shared(60, make);
    const acceptors = ["a", "a.a", "[a]", "a.b", "{a: a}"].map((path) => (
      { state: "success", matcher: { output: { path, comparator: "stringEquals", expected: "x" } } }
    ));
    assert.equal(new Waiter({ acceptors }).evaluate({ response: { a } }).reasons.length, 5);
  }
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`n${index}`, index]));
  assert.equal(reasonsOf("a", { a: wide })[0].code, "wrong_type");
  assert.equal(tableExists().evaluate({ response: CREATING }).state, "retry");
});
