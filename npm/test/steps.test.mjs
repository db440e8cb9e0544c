import assert from "node:assert/strict";
import { test } from "node:test";
import { WaiterFailed } from "smithy-waiters";
import { ACTIVE, CREATING, matching, ServiceError, tableExists, thrownBy } from "./definitions.mjs";

const OPTIONS = { maxWaitTime: 60, seed: 7 };

const response = (value) => ({ type: "response", response: value });
const failed = (error, transient) => ({ type: "error", error, transient });
const CANCELLED = { type: "cancelled" };

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
  const acts = [() => wait.poll(0), () => wait.handle(CANCELLED, 0), () => wait.free(), () => wait.toJSON()];
  const value = {
    get a() {
      for (const act of acts) codes.push(thrownBy(act).code);
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
  for (const act of [() => wait.poll(0), () => wait.nowMs, () => wait.toJSON()]) assert.throws(act, { name: "StateError", code: "freed" });
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

test("anything but a saved wait of this waiter is refused", () => {
  const saved = JSON.stringify(tableExists().start(OPTIONS));
  const resume = (state, options) => () => tableExists().resume(state, options);
  const cyclic = {};
  cyclic.self = cyclic;
  for (const state of [undefined, null, 5, [], {}, cyclic, { version: 1n }]) assert.throws(resume(state), { name: "StateError", code: "damaged_state" });
  for (const elapsedMs of [-1, Number.NaN, "5"]) assert.throws(resume(saved, { elapsedMs }), { name: "StateError", code: "invalid_time" });
  assert.throws(resume(saved, { elapsed: 5 }), { code: "unknown_option", option: "elapsed" });
});

test("a verdict of other code carries its error to the end", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  const error = new ServiceError("AccessDenied");
  const failure = thrownBy(() => wait.handle({ type: "verdict", error }, 1).outcome());
  assert.deepEqual([failure.code, failure.error, failure.cause], ["unmatched_error", error, error]);
});

test("a verdict of an acceptor that is no index is refused", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  for (const acceptor of [-1, 0.5, "0", 2 ** 32]) {
    assert.throws(() => wait.handle({ type: "verdict", acceptor }, 1), { name: "StateError", code: "invalid_verdict" });
  }
});
