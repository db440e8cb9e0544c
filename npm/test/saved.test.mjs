import assert from "node:assert/strict";
import { test } from "node:test";
import { StateError, Waiter } from "smithy-waiters";
import { ACTIVE, CREATING, matching, ServiceError, TABLE_EXISTS, tableExists, thrownBy } from "./definitions.mjs";

const OPTIONS = { maxWaitTime: 60, seed: 7 };

/** A wait with one attempt behind it and the next one due at 2 s or later. */
const begun = (waiter = tableExists()) => {
  const wait = waiter.start(OPTIONS);
  wait.next(0);
  wait.observeResponse(CREATING, 30);
  return wait;
};

const code = (action) => {
  const error = thrownBy(action);
  assert.ok(error instanceof StateError, `${error}`);
  return error.code;
};

test("a wait goes on from its JSON as if it had never stopped", () => {
  const whole = begun();
  const saved = JSON.stringify(begun());
  for (const state of [saved, JSON.parse(saved), begun().toJSON()]) {
    const resumed = tableExists().resume(state);
    assert.deepEqual(resumed.next(40), whole.next(40));
  }
  const resumed = tableExists().resume(saved, { elapsedMs: 5000 });
  assert.deepEqual(resumed.next(5000), { type: "call", attempt: 2, remainingMs: 55_000 });
  const step = resumed.observeResponse(ACTIVE, 5010);
  assert.equal(step.outcome().response, ACTIVE);
  assert.deepEqual(step.history.map(({ attempt }) => attempt), [1, 2]);
  assert.equal(step.history[0].reasons[0].code, "not_equal");
});

test("the time away counts", () => {
  const step = tableExists().resume(begun().toJSON(), { elapsedMs: 60_000 }).next(0);
  assert.deepEqual([step.type, step.code], ["done", "timed_out"]);
});

test("a wait that is saved in flight hands out its attempt again", () => {
  const wait = tableExists().start(OPTIONS);
  wait.next(0);
  const resumed = tableExists().resume(wait.toJSON());
  assert.deepEqual(resumed.next(10), { type: "call", attempt: 1, remainingMs: 59_990 });
});

test("a wait that is over stays so", () => {
  const wait = tableExists().start(OPTIONS);
  const step = wait.cancel(5);
  const resumed = tableExists().resume(JSON.stringify(wait)).next(10);
  assert.deepEqual([resumed.code, resumed.message, resumed.explain()], [step.code, step.message, step.explain()]);
});

test("the input is given again", () => {
  const waiter = matching("input.Wanted == output.Status", "true", "booleanEquals", "inputOutput");
  const wait = waiter.start({ ...OPTIONS, input: { Wanted: "A" } });
  const resumed = waiter.resume(wait.toJSON(), { input: { Wanted: "B" } });
  resumed.next(0);
  assert.equal(resumed.observeResponse({ Status: "B" }, 1).state, "success");
});

test("what is no saved wait of this waiter is refused", () => {
  const saved = JSON.stringify(begun());
  const resume = (state, options) => () => tableExists().resume(state, options);
  for (let length = 0; length < saved.length; length += 7) assert.equal(code(resume(saved.slice(0, length))), "damaged_state");
  assert.equal(code(resume(saved.replace('"attempts":1', '"attempts":2'))), "damaged_state");
  assert.equal(code(resume({ ...begun().toJSON(), more: 1 })), "damaged_state");
  const cyclic = {};
  cyclic.self = cyclic;
  for (const state of [undefined, null, 5, [], {}, cyclic, { version: 1n }]) assert.equal(code(resume(state)), "damaged_state");
  assert.equal(code(resume(saved.replace('"version":1', '"version":2'))), "newer_version");
  const other = new Waiter({ ...TABLE_EXISTS, minDelay: 3 });
  assert.equal(code(() => other.resume(saved)), "other_definition");
  for (const elapsedMs of [-1, Number.NaN, "5"]) assert.equal(code(resume(saved, { elapsedMs })), "invalid_elapsed");
  assert.throws(resume(saved, { elapsed: 5 }), { code: "unknown_option", option: "elapsed" });
});

test("a wait cannot be saved while a step is taken, or after it was freed", () => {
  const wait = matching("a", "x").start(OPTIONS);
  wait.next(0);
  const codes = [];
  wait.observeResponse({ get a() { codes.push(code(() => wait.toJSON())); return "x"; } }, 1);
  assert.deepEqual(new Set(codes), new Set(["busy"]));
  wait.free();
  assert.equal(code(() => wait.toJSON()), "freed");
});

test("a verdict that was made elsewhere is taken like one of the engine's", () => {
  const wait = tableExists().start(OPTIONS);
  wait.next(0);
  const retried = wait.observeVerdict("retry", 2, new ServiceError("ResourceNotFoundException", "not yet"), 30);
  assert.deepEqual(retried, { type: "sleep", delayMs: 2000, last: false });
  wait.next(2030);
  assert.equal(wait.observeVerdict("retry", undefined, undefined, 2040).type, "sleep");
  wait.next(60_000 - 2000);
  const step = wait.observeVerdict("success", 0, null, 58_100);
  assert.deepEqual([step.state, step.acceptor, step.attempts], ["success", 0, 3]);
  assert.equal(step.history[0].error, "ResourceNotFoundException: not yet");
});

test("a verdict that was made elsewhere carries its error to the end", () => {
  const wait = tableExists().start(OPTIONS);
  wait.next(0);
  const error = new ServiceError("AccessDenied");
  const failure = thrownBy(() => wait.observeVerdict("failure", undefined, error, 1).outcome());
  assert.deepEqual([failure.code, failure.error, failure.cause], ["unmatched_error", error, error]);
});

test("a verdict that the waiter never gives is refused", () => {
  const wait = tableExists().start(OPTIONS);
  assert.equal(code(() => wait.observeVerdict("success", 0, undefined, 0)), "not_in_flight");
  wait.next(0);
  for (const [state, acceptor] of [["success", 1], ["success", 9], ["success", undefined], ["done", 0], [undefined, 0], ["success", -1], ["success", 0.5], ["success", "0"]]) {
    assert.equal(code(() => wait.observeVerdict(state, acceptor, undefined, 1)), "invalid_verdict");
  }
  assert.equal(wait.observeVerdict("success", 0, undefined, 1).state, "success");
});
