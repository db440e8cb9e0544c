import assert from "node:assert/strict";
import { test } from "node:test";
import { OptionsError, search, Waiter } from "smithy-waiters";
import { ACTIVE, matching, ServiceError, table, tableExists } from "./definitions.mjs";

const short = ({ state, acceptor }) => [state, acceptor];

test("the verdict has its response or its error", () => {
  const error = new ServiceError("Gone");
  assert.equal(tableExists().evaluate({ response: ACTIVE }).response, ACTIVE);
  assert.equal(tableExists().evaluate({ error }).error, error);
});

test("exactly one of response and error is required", () => {
  const waiter = tableExists();
  assert.throws(() => waiter.evaluate({}), { name: "OptionsError", code: "missing_option", option: "response" });
  assert.throws(() => waiter.evaluate(undefined), OptionsError);
  assert.throws(() => waiter.evaluate({ response: 1, error: 1 }), { code: "conflicting_options" });
  assert.throws(() => waiter.evaluate({ response: 1 }, { Input: 1 }), { code: "unknown_option", option: "Input" });
});

test("the input is an option, not a member of the observation", () => {
  const waiter = matching("input.Wanted == output.Status", "true", "booleanEquals", "inputOutput");
  const misplaced = { response: { Status: "A" }, input: { Wanted: "A" } };
  assert.throws(() => waiter.evaluate(misplaced), { name: "OptionsError", code: "unknown_option", option: "input", message: "`input` is a member of the second argument, as in `evaluate({ response }, { input })`" });
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

test("many acceptors have a reason each", () => {
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
    const waiter = new Waiter({ acceptors: [{ state: "success", matcher: { errorType: expected } }] });
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

test("evaluations do not share values", () => {
  const all = matching("a", "x", "allStringEquals");
  const states = ["x", "y", "x"].map((item) => all.evaluate({ response: { a: new Set([item]) } }).state);
  assert.deepEqual(states, ["success", "retry", "success"]);
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

test("a response of fetch that was not read is named in the reason", async () => {
  const text = (path, response) => matching(path, "DONE").evaluate({ response }).reasons[0].text;
  const warning = " (the body of this `Response` was not read: return `await response.json()`)";
  assert.equal(text("status", new Response("{}")), `status gave 200, expected "DONE"${warning}`);
  assert.equal(text("job.status", new Response("{}")), `job.status gave null, expected "DONE"${warning}`);
  assert.equal(text("statusText", new Response("{}")), 'statusText gave "", expected "DONE"');
  assert.equal(text("ok", true), 'ok gave null, expected "DONE" (the response is a boolean)');
  const read = new Response("{}");
  await read.text();
  assert.equal(text("status", read), 'status gave 200, expected "DONE"');
  assert.equal(matching("ok", "true", "booleanEquals").evaluate({ response: new Response("{}") }).state, "success");
});

test("null values of an object are skipped by a projection", () => {
  assert.deepEqual(search("a.*.b", { a: { b: "x", c: null } }), []);
  assert.deepEqual(search("a[*].length", { a: [null] }), []);
  assert.equal(matching("input || a.*.b | [0]", "x", "stringEquals").evaluate({ response: { a: { b: "x", c: null } } }).state, "retry");
});
