import assert from "node:assert/strict";
import { test } from "node:test";
import { StateError } from "smithy-waiters";
import { ACTIVE, CREATING, matching, ServiceError, tableExists, thrownBy } from "./definitions.mjs";

const OPTIONS = { maxWaitTime: 60, seed: 7 };
/** Creates a wait with a completed attempt, and the next one due at 2.03 s. */
const begun = (waiter = tableExists()) => {
  const wait = waiter.start(OPTIONS);
  wait.poll(0);
  wait.handle({ type: "response", response: CREATING }, 30);
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
    const resumed = tableExists().resume(state, { elapsedMs: 35 });
    assert.deepEqual(resumed.poll(40), whole.poll(40));
  }
  const resumed = tableExists().resume(saved, { elapsedMs: 5000 });
  assert.equal(resumed.nowMs, 5000);
  assert.deepEqual(resumed.poll(5000), { type: "call", attempt: 2, deadlineMs: 60_000 });
  const step = resumed.handle({ type: "response", response: ACTIVE }, 5010);
  assert.equal(step.outcome().response, ACTIVE);
  assert.deepEqual([step.attempts, step.elapsedMs], [2, 5010]);
  // Earlier results are not saved.
  assert.deepEqual(step.history.map(({ attempt }) => attempt), [2]);
});

test("the input is passed again", () => {
  const waiter = matching("input.Wanted == output.Status", "true", "booleanEquals", "inputOutput");
  const wait = waiter.start({ ...OPTIONS, input: { Wanted: "A" } });
  const resumed = waiter.resume(wait.toJSON(), { input: { Wanted: "B" } });
  resumed.poll(0);
  assert.equal(resumed.handle({ type: "response", response: { Status: "B" } }, 1).state, "success");
});

test("anything but a saved wait of this waiter is refused", () => {
  const saved = JSON.stringify(begun());
  const resume = (state, options) => () => tableExists().resume(state, options);
  const cyclic = {};
  cyclic.self = cyclic;
  for (const state of [undefined, null, 5, [], {}, cyclic, { version: 1n }]) assert.equal(code(resume(state)), "damaged_state");
  for (const elapsedMs of [-1, Number.NaN, "5"]) assert.equal(code(resume(saved, { elapsedMs })), "invalid_time");
  assert.throws(resume(saved, { elapsed: 5 }), { code: "unknown_option", option: "elapsed" });
});

test("a wait cannot be saved while a step is in progress, or after it was freed", () => {
  const wait = matching("a", "x").start(OPTIONS);
  wait.poll(0);
  const codes = [];
  const response = { get a() { codes.push(code(() => wait.toJSON())); return "x"; } };
  wait.handle({ type: "response", response }, 1);
  assert.deepEqual(new Set(codes), new Set(["busy"]));
  wait.free();
  assert.equal(code(() => wait.toJSON()), "freed");
});

test("a verdict of other code carries its error to the end", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  const error = new ServiceError("AccessDenied");
  const failure = thrownBy(() => wait.handle({ type: "verdict", error }, 1).outcome());
  assert.deepEqual([failure.code, failure.error, failure.cause], ["unmatched_error", error, error]);
});

test("a verdict that the waiter never has is refused", () => {
  const wait = tableExists().start(OPTIONS);
  assert.equal(code(() => wait.handle({ type: "verdict", acceptor: 0 }, 0)), "not_in_flight");
  wait.poll(0);
  const error = new ServiceError("AccessDenied");
  for (const event of [{ acceptor: 9 }, { acceptor: 2 }, { acceptor: 0, error }, { acceptor: -1 }, { acceptor: 0.5 }, { acceptor: "0" }, { acceptor: 2 ** 32 }]) {
    assert.equal(code(() => wait.handle({ type: "verdict", ...event }, 1)), "invalid_verdict", JSON.stringify(event));
  }
  assert.equal(wait.handle({ type: "verdict", acceptor: 0 }, 1).state, "success");
});
