import assert from "node:assert/strict";
import { test } from "node:test";
import { OptionsError, StateError, WaiterAttemptsExceeded, WaiterCancelled, WaiterFailed, WaiterTimeout } from "smithy-waiters";
import { ACTIVE, CREATING, matching, ServiceError, tableExists, thrownBy } from "./definitions.mjs";

const OPTIONS = { maxWaitTime: 60, seed: 7 };

const response = (value) => ({ type: "response", response: value });
const failed = (error, transient) => ({ type: "error", error, transient });
const CANCELLED = { type: "cancelled" };
const CUT = { type: "deadlineReached" };

test("a wait, step by step", () => {
  const wait = tableExists().start(OPTIONS);
  assert.deepEqual(wait.poll(0), { type: "call", attempt: 1, deadlineMs: 60_000 });
  assert.deepEqual(wait.handle(failed("ResourceNotFoundException"), 30), { type: "sleep", untilMs: 2030, last: false });
  assert.deepEqual(wait.poll(1030), { type: "sleep", untilMs: 2030, last: false });
  assert.deepEqual(wait.poll(2030), { type: "call", attempt: 2, deadlineMs: 60_000 });
  assert.equal(wait.nowMs, 2030);
  const step = wait.handle(response(ACTIVE), 2050);
  assert.equal(step.type, "done");
  assert.equal(step.state, "success");
  assert.equal(step.code, undefined);
  assert.equal(step.acceptor, 0);
  assert.deepEqual(JSON.parse(step.acceptorText).state, "success");
  assert.deepEqual([step.attempts, step.elapsedMs, step.lastResult, step.history.length], [2, 2050, "response", 2]);
  assert.equal(step.history[0].error, "ResourceNotFoundException");
  assert.match(step.explain(), /attempt 2/);
  const outcome = step.outcome();
  assert.equal(outcome.response, ACTIVE);
  assert.equal(outcome.elapsed, 2.05);
  assert.equal(wait.poll(9999), step);
  assert.equal(wait.handle(CANCELLED, 9999), step);
});

test("a failure is thrown by outcome()", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  wait.handle(failed("ResourceNotFoundException"), 0);
  wait.poll(2000);
  const error = new ServiceError("AccessDenied", "go away");
  const step = wait.handle(failed(error), 2001);
  assert.deepEqual([step.state, step.code, step.lastResult], ["failure", "unmatched_error", "error"]);
  assert.throws(() => step.outcome(), (thrown) => {
    assert.ok(thrown instanceof WaiterFailed);
    assert.equal(thrown.cause, error);
    assert.equal(thrown.error, error);
    assert.equal(thrown.message, step.message);
    return true;
  });
});

test("a service may ask for a later attempt, and a transient error is retried", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  assert.equal(wait.handle({ ...response(CREATING), notBeforeMs: 9000 }, 1).untilMs, 9000);
  wait.poll(9000);
  const transient = wait.handle(failed("ResourceNotFoundException", { notBeforeMs: 20_000 }), 9001);
  assert.equal(transient.untilMs, 20_000);
  wait.poll(20_000);
  for (const time of [-1, Number.NaN, "5"]) {
    assert.throws(() => wait.handle({ ...response(CREATING), notBeforeMs: time }, 20_001), { code: "invalid_time" });
    assert.throws(() => wait.handle(failed("ResourceNotFoundException", { notBeforeMs: time }), 20_001), { code: "invalid_time" });
  }
});

test("anything but an event is the caller's mistake", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  for (const event of [undefined, null, 5, "response", {}, { type: "expired" }, { response: ACTIVE }]) {
    const error = thrownBy(() => wait.handle(event, 0));
    assert.ok(error instanceof TypeError, String(error));
    assert.match(error.message, /^the `type` of an event must be response, error, verdict, deadlineReached or cancelled, got /);
  }
  assert.equal(wait.handle(response(ACTIVE), 0).type, "done");
});

test("times are numbers of milliseconds", () => {
  const wait = tableExists().start(OPTIONS);
  for (const now of [-1, Number.NaN, Number.POSITIVE_INFINITY, "5", undefined, null]) {
    assert.throws(() => wait.poll(now), { name: "StateError", code: "invalid_time" });
    assert.throws(() => wait.handle(CANCELLED, now), { name: "StateError", code: "invalid_time" });
  }
  for (const notBeforeMs of [-1, Number.NaN, "5"]) {
    assert.throws(() => tableExists().start(OPTIONS).handle({ ...response(CREATING), notBeforeMs }, 0), { code: "invalid_time" });
    assert.throws(() => tableExists().start(OPTIONS).handle(failed("Gone", { notBeforeMs }), 0), { code: "invalid_time" });
  }
  wait.poll(0.9);
  assert.equal(wait.nowMs, 0);
  // A clock that goes back is treated as constant.
  wait.handle(response(CREATING), 500);
  wait.poll(100);
  assert.equal(wait.nowMs, 500);
});

test("a getter of the response cannot take a step", () => {
  const wait = matching("a", "x").start(OPTIONS);
  wait.poll(0);
  const codes = [];
  const attempt = (step) => {
    try {
      step();
    } catch (error) {
      codes.push(error.code);
    }
  };
  const value = {
    get a() {
      attempt(() => wait.poll(0));
      attempt(() => wait.handle(CANCELLED, 0));
      attempt(() => wait.free());
      return "x";
    },
  };
  assert.equal(wait.handle(response(value), 1).state, "success");
  assert.deepEqual(new Set(codes), new Set(["busy"]));
});

test("a freed wait takes no steps", () => {
  const wait = tableExists().start(OPTIONS);
  wait.free();
  wait.free();
  assert.throws(() => wait.poll(0), { code: "freed" });
  assert.throws(() => wait.nowMs, { code: "freed" });
  const done = tableExists().start(OPTIONS);
  const step = done.handle(CANCELLED, 0);
  done[Symbol.dispose]();
  assert.equal(done.poll(0), step);
});

test("a seed is drawn only where none is given", () => {
  const { getRandomValues } = crypto;
  let draws = 0;
  crypto.getRandomValues = (values) => (draws++, getRandomValues.call(crypto, values));
  try {
    for (const seed of [0, 7, 7n]) tableExists().start({ maxWaitTime: 5, seed });
    assert.equal(draws, 0);
    tableExists().start({ maxWaitTime: 5 });
    assert.equal(draws, 1);
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
});
