import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { OptionsError } from "smithy-waiters";
import { ACTIVE, CREATING, matching, ServiceError, table, tableExists } from "./definitions.mjs";

const short = ({ state, acceptor }) => [state, acceptor];
const matches = (path, response, expected = "x", comparator = "stringEquals") =>
  matching(path, expected, comparator).evaluate({ response }).state === "success";

test("the first acceptor that matches decides", () => {
  const waiter = tableExists();
  assert.deepEqual(short(waiter.evaluate({ response: ACTIVE })), ["success", 0]);
  assert.deepEqual(short(waiter.evaluate({ response: table("LOST") })), ["failure", 1]);
  assert.deepEqual(short(waiter.evaluate({ response: CREATING })), ["retry", undefined]);
  assert.deepEqual(short(waiter.evaluate({ error: "ResourceNotFoundException" })), ["retry", 2]);
  assert.deepEqual(short(waiter.evaluate({ error: "AccessDenied" })), ["failure", undefined]);
});

test("the verdict carries what it was given on", () => {
  const error = new ServiceError("Gone");
  assert.equal(tableExists().evaluate({ response: ACTIVE }).response, ACTIVE);
  assert.equal(tableExists().evaluate({ error }).error, error);
});

test("that a response is there counts, not its value", () => {
  for (const response of [undefined, null, 0, ""]) {
    assert.deepEqual(short(tableExists().evaluate({ response })), ["retry", undefined]);
    assert.deepEqual(short(tableExists().evaluate({ error: response === "" ? null : response })), ["failure", undefined]);
  }
});

test("both or none is the caller's mistake", () => {
  const waiter = tableExists();
  assert.throws(() => waiter.evaluate({}), { name: "OptionsError", code: "missing_option", option: "response" });
  assert.throws(() => waiter.evaluate(undefined), OptionsError);
  assert.throws(() => waiter.evaluate({ response: 1, error: 1 }), { code: "conflicting_options" });
  assert.throws(() => waiter.evaluate({ response: 1 }, { Input: 1 }), { code: "unknown_option", option: "Input" });
});

test("inputOutput looks at the input too", () => {
  const waiter = matching("input.Wanted == output.Status", "true", "booleanEquals", "inputOutput");
  assert.equal(waiter.evaluate({ response: { Status: "A" } }, { input: { Wanted: "A" } }).state, "success");
  assert.equal(waiter.evaluate({ response: { Status: "A" } }, { input: { Wanted: "B" } }).state, "retry");
});

test("reasons tell every acceptor that was looked at", () => {
  const { reasons } = tableExists().evaluate({ response: table("LOST") });
  assert.deepEqual(reasons.map(({ acceptor, code }) => [acceptor, code]), [[0, "not_equal"], [1, "matched"]]);
  assert.equal(reasons[0].text, 'Table.TableStatus gave "LOST", expected "ACTIVE"');
  const failed = tableExists().evaluate({ error: new ServiceError("AccessDenied", "go away") });
  assert.deepEqual(failed.reasons.map(({ code }) => code), ["not_applicable", "not_applicable", "not_equal"]);
});

test("a verdict stays as it was, and its reasons are those of the response when they are first read", () => {
  const response = table("CREATING");
  const verdict = tableExists().evaluate({ response });
  response.Table.TableStatus = "ACTIVE";
  const read = verdict.reasons;
  assert.deepEqual([verdict.state, verdict.acceptor], ["retry", undefined]);
  response.Table.TableStatus = "LOST";
  assert.equal(verdict.reasons, read);
  assert.deepEqual(read.map(({ code }) => code), ["matched"]);
});

test("many acceptors have a reason each", async () => {
  const { Waiter } = await import("smithy-waiters");
  const output = (expected) => ({ state: "success", matcher: { output: { path: "s", comparator: "stringEquals", expected } } });
  const waiter = new Waiter({ acceptors: Array.from({ length: 40 }, (_, index) => output(`${index}`)) });
  const { acceptor, reasons } = waiter.evaluate({ response: { s: "33" } });
  assert.equal(acceptor, 33);
  assert.equal(reasons.length, 34);
  assert.deepEqual(new Set(reasons.slice(0, 33).map(({ code }) => code)), new Set(["not_equal"]));
  assert.equal(reasons[33].code, "matched");
});

test("errors are matched by the service's name, else by their class, never by a generic one", () => {
  const of = (expected, error) => {
    const waiter = matchingError(expected);
    const { state, reasons } = waiter.evaluate({ error });
    return [state, reasons[0].code];
  };
  class Throttled extends Error {}
  const renamed = Object.assign(new Error("x"), { name: "Renamed" });
  assert.deepEqual(of("a.b#Gone", new ServiceError("Gone")), ["success", "matched"]);
  assert.deepEqual(of("Gone", "x#Gone:http://y"), ["success", "matched"]);
  assert.deepEqual(of("Renamed", renamed), ["success", "matched_by_class"]);
  assert.deepEqual(of("TypeError", new TypeError("x")), ["success", "matched_by_class"]);
  assert.equal(of("Error", new Error("x"))[0], "failure");
  assert.deepEqual(of("Throttled", new Throttled()), ["success", "matched_by_class"]);
  for (const odd of [null, undefined, 5, Symbol("x"), () => {}, Object.create(null)]) assert.equal(of("Gone", odd)[0], "failure");
});

test("an error whose own code throws is an error without a name", () => {
  const hostile = new Proxy({}, { get() { throw new Error("no"); }, has() { throw new Error("no"); } });
  assert.deepEqual(short(tableExists().evaluate({ error: hostile })), ["failure", undefined]);
});

test("the data model: what reads as what", () => {
  assert.ok(matches("a", new Map([["a", "x"]])));
  assert.ok(matches("a[0]", { a: new Set(["x"]) }));
  assert.ok(matches("a", { a: new Uint8Array([199]) }, "xw=="));
  assert.ok(matches("a", { a: new Uint8Array([0, 199, 0]).subarray(1, 2) }, "xw=="));
  assert.ok(matches("a", { a: new Uint8Array([199]).buffer }, "xw=="));
  assert.ok(matches("a", { a: new String("x") }));
  assert.ok(matches("a == `1.5`", { a: new Date(1500) }, "true", "booleanEquals"));
  assert.ok(matches("a == `5`", { a: 5n }, "true", "booleanEquals"));
  assert.ok(matches("type(a)", { a: Number.NaN }, "null"));
  assert.ok(matches("type(a)", { a: () => {} }, "null"));
  assert.ok(matches("type(a)", { a: new Date(Number.NaN) }, "null"));
  assert.ok(matches("a", { a: true }, "true", "booleanEquals"));
  assert.ok(!matches("a", { a: 1 }, "true", "booleanEquals"));
  assert.ok(!matches("a", { a: "true" }, "true", "booleanEquals"));
});

test("the data model holds for values of another realm", () => {
  const foreign = runInNewContext("({ map: new Map([['a', 'x']]), set: new Set(['x']), date: new Date(1500), plain: { a: 'x' } })");
  assert.ok(matches("map.a", foreign));
  assert.ok(matches("set[0]", foreign));
  assert.ok(matches("plain.a", foreign));
  assert.ok(matches("date == `1.5`", foreign, "true", "booleanEquals"));
  assert.ok(matches("type(plain.toString)", foreign, "null"));
});

test("objects have their own properties and their classes' accessors, nothing else", () => {
  class Base {
    get Inherited() { return "x"; }
    method() { return "x"; }
  }
  class Response extends Base {
    Own = "x";
    get Accessor() { return "x"; }
  }
  Base.prototype.Shared = "x";
  const response = new Response();
  Object.defineProperty(response, "Hidden", { value: "x", enumerable: false });
  for (const name of ["Own", "Accessor", "Inherited"]) assert.ok(matches(name, response), name);
  for (const name of ["method", "Shared", "Hidden", "constructor", "__proto__", "toString"]) assert.ok(matches(`type(${name})`, response, "null"), name);
  assert.ok(matches("length(keys(@)) == `3`", response, "true", "booleanEquals"));
  for (const name of ["constructor", "__proto__", "toString"]) assert.ok(matches(`type(${name})`, {}, "null"), name);
  assert.ok(matches("toString", { toString: "x" }));
  assert.ok(matches("length", { length: "x" }));
  assert.ok(matches("type(@.length)", [], "null"));
});

test("what one evaluation read is not left for the next", () => {
  const all = matching("a", "x", "allStringEquals");
  const states = ["x", "y", "x"].map((item) => all.evaluate({ response: { a: new Set([item]) } }).state);
  assert.deepEqual(states, ["success", "retry", "success"]);
});

test("unset members are not there", () => {
  const response = { a: undefined, b: () => {}, c: null, d: "x" };
  assert.ok(matches("join(',', sort(keys(@)))", response, "c,d"));
  assert.ok(matches("length(*) == `1`", response, "true", "booleanEquals"));
});

test("all and any look at every item, null ones too", () => {
  const all = matching("a[]", "x", "allStringEquals");
  assert.equal(all.evaluate({ response: { a: ["x", "x"] } }).state, "success");
  assert.equal(all.evaluate({ response: { a: ["x", "y"] } }).state, "retry");
  assert.equal(all.evaluate({ response: { a: [] } }).state, "retry");
  const bare = matching("a", "x", "allStringEquals");
  assert.equal(bare.evaluate({ response: { a: ["x", null] } }).state, "retry");
  assert.equal(bare.evaluate({ response: { a: new Set(["x"]) } }).state, "success");
  const any = matching("a", "x", "anyStringEquals");
  assert.equal(any.evaluate({ response: { a: [null, 1, "x"] } }).state, "success");
});

test("a lone surrogate reads as U+FFFD", () => {
  assert.ok(matches("a", { a: "\ud800" }, "\ufffd"));
  assert.ok(matches("a", { a: "😀" }, "😀"));
  assert.ok(!matches("a", { a: "\ud800x" }, "\ufffdy"));
  assert.ok(matches("to_string(a)", { a: "\ud800" }, "\ufffd"));
});

test("long paths and deep values", () => {
  assert.ok(matches("a.b.c.d.e.f.g", { a: { b: { c: { d: { e: { f: { g: "x" } } } } } } }));
  assert.ok(!matches("a.b.c.d.e.f.g", { a: { b: { c: { d: null } } } }));
});

test("a getter that throws is no match, with its words in the reason", () => {
  const response = { get Table() { throw new Error("not\n  today"); } };
  const { state, reasons } = tableExists().evaluate({ response });
  assert.equal(state, "retry");
  assert.equal(reasons[0].code, "evaluation_error");
  assert.match(reasons[0].text, /not today/);
  const proxy = new Proxy({}, { get() { throw new Error("closed"); } });
  assert.match(matching("a", "x").evaluate({ response: proxy }).reasons[0].text, /closed/);
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.equal(matching("type(@)", "object").evaluate({ response: revoked }).reasons[0].code, "evaluation_error");
  assert.equal(matching("type(a)", "object").evaluate({ response: { a: revoked } }).reasons[0].code, "evaluation_error");
  assert.equal(matching("*", "x", "anyStringEquals").evaluate({ response }).reasons[0].code, "evaluation_error");
});

test("a getter that evaluates something else disturbs nothing", () => {
  const inner = matching("Deep[].Value", "y", "allStringEquals");
  const seen = [];
  const response = {
    get Table() {
      const verdict = inner.evaluate({ response: { Deep: [{ Value: "y" }, { Value: "y" }] } });
      seen.push(verdict.state, verdict.reasons[0].code);
      return { TableStatus: "ACTIVE" };
    },
  };
  const verdict = tableExists().evaluate({ response });
  assert.deepEqual(short(verdict), ["success", 0]);
  assert.equal(verdict.reasons[0].code, "matched");
  assert.deepEqual(seen, ["success", "matched", "success", "matched"]);
});

test("a response of fetch that was not read is named, for what it cannot be meant", async () => {
  const text = (path, response) => matching(path, "DONE").evaluate({ response }).reasons[0].text;
  const remark = " (the body of this `Response` was not read: return `await response.json()`)";
  assert.equal(text("status", new Response("{}")), `status gave 200, expected "DONE"${remark}`);
  assert.equal(text("job.status", new Response("{}")), `job.status gave null, expected "DONE"${remark}`);
  assert.equal(text("statusText", new Response("{}")), 'statusText gave "", expected "DONE"');
  assert.equal(text("ok", true), 'ok gave null, expected "DONE" (the response is a boolean)');
  const read = new Response("{}");
  await read.text();
  assert.equal(text("status", read), 'status gave 200, expected "DONE"');
  assert.equal(matching("ok", "true", "booleanEquals").evaluate({ response: new Response("{}") }).state, "success");
});

test("a null among the members has no members, not those of its object", async () => {
  const { search } = await import("smithy-waiters");
  assert.deepEqual(search("a.*.b", { a: { b: "x", c: null } }), []);
  assert.deepEqual(search("a[*].length", { a: [null] }), []);
  assert.equal(matching("input || a.*.b | [0]", "x", "stringEquals").evaluate({ response: { a: { b: "x", c: null } } }).state, "retry");
});

const { Waiter } = await import("smithy-waiters");

function matchingError(errorType) {
  return new Waiter({ acceptors: [{ state: "success", matcher: { errorType } }] });
}
