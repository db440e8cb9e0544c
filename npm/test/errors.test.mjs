import assert from "node:assert/strict";
import { test } from "node:test";
import { Waiter } from "smithy-waiters";
import { VirtualClock } from "./clock.mjs";
import { ServiceError } from "./definitions.mjs";

const waiterOf = (options, errorType = "Gone") =>
  new Waiter({ acceptors: [{ state: "success", matcher: { errorType } }] }, options);
const codes = (waiter, error) => waiter.evaluate({ error }).reasons.map(({ code }) => code);

class Gone extends Error {}

test("a name that is empty or has the separator of names matches nothing", () => {
  const waiter = waiterOf({ errorNames: (error) => error.codes });
  for (const names of [["Other", ""], ["a\0Gone"]]) assert.deepEqual(codes(waiter, { codes: names }), ["not_equal"]);
});

test("a name that is given is not named again", () => {
  const waiter = waiterOf({ errorNames: () => ["Other"] });
  assert.deepEqual(codes(waiter, "Gone"), ["matched"]);
});

test("an error of errorNames is thrown and ends the wait", async () => {
  const bug = new TypeError("a bug");
  const waiter = waiterOf({ errorNames: () => { throw bug; } });
  assert.throws(() => waiter.evaluate({ error: new Gone() }), bug);
  await assert.rejects(waiter.check(() => Promise.reject(new Gone())), bug);
  const time = new VirtualClock();
  const { clock, sleep } = time;
  await assert.rejects(waiter.wait(() => Promise.reject(new Gone()), { maxWaitTime: 5, clock, sleep }), bug);
  assert.equal(time.pending, 0);
});

test("names must be there at once; a rejection ends no process", async () => {
  const waiter = waiterOf({ errorNames: () => Promise.reject(new Error("late")) });
  const message = "`errorNames` must not return a promise";
  assert.throws(() => waiter.evaluate({ error: new Gone() }), { name: "TypeError", message });
  await new Promise(setImmediate);
});

test("invalid names are a TypeError", () => {
  for (const names of ["Gone", [5], {}, 5, [undefined]]) {
    assert.throws(() => waiterOf({ errorNames: () => names }).evaluate({ error: new Gone() }), TypeError);
  }
});

test("a service's error is known by the name of its shape, and by its code", () => {
  const error = Object.assign(new ServiceError("GoneException"), { Code: "Gone" });
  assert.deepEqual(codes(waiterOf(), error), ["matched"]);
  assert.deepEqual(codes(waiterOf({}, "GoneException"), error), ["matched"]);
  assert.deepEqual(codes(waiterOf({}, "Other"), error), ["not_equal"]);
  assert.deepEqual(codes(waiterOf(), Object.assign(new Error(), { Code: "Gone" })), ["null"]);
  assert.deepEqual(codes(waiterOf(), Object.assign(new ServiceError("Other"), { Code: 5 })), ["not_equal"]);
  const { reasons } = waiterOf({}, "Other").evaluate({ error: Object.assign(new ServiceError("Gone"), { Code: "Gone" }) });
  assert.equal(reasons[0].text, "got Gone: no, expected Other");
});

test("options about errors are checked", () => {
  assert.throws(() => waiterOf({ errorNames: "code" }), { code: "invalid_option", option: "errorNames" });
  assert.throws(() => waiterOf({ serviceErrorsOnly: "yes" }), { code: "invalid_option", option: "serviceErrorsOnly" });
  assert.throws(() => waiterOf({ errornames: () => null }), { code: "unknown_option", option: "errornames" });
  assert.deepEqual(codes(waiterOf({ errorNames: null, serviceErrorsOnly: null }), new Gone()), ["matched_by_class"]);
});

test("the message of a failed fetch has its reason", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  const reasons = [
    [refused, "fetch failed: connect ECONNREFUSED 127.0.0.1:1"],
    [Object.assign(new AggregateError([refused]), { code: "ECONNREFUSED" }), "fetch failed: ECONNREFUSED"],
    [undefined, "fetch failed"],
    ["refused", "fetch failed"],
  ];
  for (const [cause, expected] of reasons) {
    const call = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const failure = await Waiter.until("Status", "READY").wait(call, { maxWaitTime: 60, transientErrors: "fail" }).catch((error) => error);
    assert.ok(failure.message.includes(`TypeError: ${expected}`), failure.message);
    assert.equal(failure.cause.message, "fetch failed");
  }
});
