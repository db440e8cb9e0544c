import assert from "node:assert/strict";
import { test } from "node:test";
import { OptionsError, StateError, WaiterCancelled, WaiterFailed, WaiterTimeout } from "smithy-waiters";
import { ACTIVE, CREATING, matching, ServiceError, tableExists } from "./definitions.mjs";

const OPTIONS = { maxWaitTime: 60, seed: 7 };

test("a wait is driven by hand", () => {
  const wait = tableExists().start(OPTIONS);
  assert.deepEqual(wait.next(0), { type: "call", attempt: 1, remainingMs: 60_000 });
  assert.deepEqual(wait.observeError("ResourceNotFoundException", 30), { type: "sleep", delayMs: 2000, last: false });
  assert.deepEqual(wait.next(1030), { type: "sleep", delayMs: 1000, last: false });
  assert.deepEqual(wait.next(2030), { type: "call", attempt: 2, remainingMs: 57_970 });
  const step = wait.observeResponse(ACTIVE, 2050);
  assert.equal(step.type, "done");
  assert.equal(step.state, "success");
  assert.equal(step.code, undefined);
  assert.equal(step.acceptor, 0);
  assert.deepEqual(JSON.parse(step.acceptorText).state, "success");
  assert.deepEqual([step.attempts, step.elapsedMs, step.history.length], [2, 2050, 2]);
  assert.equal(step.history[0].error, "ResourceNotFoundException");
  assert.match(step.explain(), /attempt 2/);
  const outcome = step.outcome();
  assert.equal(outcome.response, ACTIVE);
  assert.equal(outcome.elapsed, 2.05);
  assert.equal(wait.next(9999), step);
});

test("a failure is thrown by outcome()", () => {
  const wait = tableExists().start(OPTIONS);
  wait.next(0);
  wait.observeError("ResourceNotFoundException", 0);
  wait.next(2000);
  const error = new ServiceError("AccessDenied", "go away");
  const step = wait.observeError(error, 2001);
  assert.deepEqual([step.state, step.code], ["failure", "unmatched_error"]);
  assert.throws(() => step.outcome(), (thrown) => {
    assert.ok(thrown instanceof WaiterFailed);
    assert.equal(thrown.cause, error);
    assert.equal(thrown.error, error);
    assert.equal(thrown.message, step.message);
    return true;
  });
});

test("expire and cancel end a wait", () => {
  const expired = tableExists().start(OPTIONS);
  expired.next(0);
  assert.throws(() => expired.expire(1), { name: "StateError", code: "before_deadline" });
  assert.throws(() => expired.expire(60_000).outcome(), WaiterTimeout);
  const cancelled = tableExists().start(OPTIONS);
  const reason = new Error("enough");
  assert.throws(() => cancelled.cancel(5, reason).outcome(), (error) => error instanceof WaiterCancelled && error.cause === reason);
});

test("a step out of order changes nothing", () => {
  const wait = tableExists().start(OPTIONS);
  assert.throws(() => wait.observeResponse(ACTIVE, 0), { code: "not_in_flight" });
  wait.next(0);
  assert.throws(() => wait.next(0), { code: "in_flight" });
  assert.throws(() => wait.next(0), StateError);
  assert.equal(wait.observeResponse(ACTIVE, 0).type, "done");
});

test("elapsed must be a number of milliseconds", () => {
  const wait = tableExists().start(OPTIONS);
  for (const elapsed of [-1, Number.NaN, Number.POSITIVE_INFINITY, "5", undefined, null]) {
    assert.throws(() => wait.next(elapsed), { name: "StateError", code: "invalid_elapsed" });
  }
  assert.equal(wait.next(0.9).remainingMs, 60_000);
});

test("a getter of the response cannot take a step", () => {
  const wait = matching("a", "x").start(OPTIONS);
  wait.next(0);
  const codes = [];
  const attempt = (step) => {
    try {
      step();
    } catch (error) {
      codes.push(error.code);
    }
  };
  const response = {
    get a() {
      attempt(() => wait.next(0));
      attempt(() => wait.cancel(0));
      attempt(() => wait.free());
      return "x";
    },
  };
  assert.equal(wait.observeResponse(response, 1).state, "success");
  assert.deepEqual(new Set(codes), new Set(["busy"]));
});

test("a freed wait takes no steps", () => {
  const wait = tableExists().start(OPTIONS);
  wait.free();
  wait.free();
  assert.throws(() => wait.next(0), { code: "freed" });
  const done = tableExists().start(OPTIONS);
  const step = done.cancel(0);
  done[Symbol.dispose]();
  assert.equal(done.next(0), step);
});

test("the same seed gives the same delays", () => {
  const delays = (seed) => {
    const wait = tableExists().start({ maxWaitTime: 300, seed });
    const all = [];
    let now = 0;
    for (let step = wait.next(0); step.type !== "done"; ) {
      if (step.type === "sleep") {
        all.push(step.delayMs);
        now += step.delayMs;
        step = wait.next(now);
      } else step = wait.observeResponse(CREATING, now);
    }
    return all;
  };
  assert.deepEqual(delays(7), delays(7));
  assert.notDeepEqual(delays(7), delays(8));
  assert.notDeepEqual(delays(undefined), delays(undefined));
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

test("bad options are refused by JavaScript's names", () => {
  const code = (options) => {
    try {
      tableExists().start(options);
    } catch (error) {
      assert.ok(error instanceof OptionsError, `${error}`);
      return [error.code, error.option];
    }
    return assert.fail("it was not refused");
  };
  for (const options of [undefined, null, {}, { maxWaitTime: undefined }]) assert.deepEqual(code(options), ["missing_option", "maxWaitTime"]);
  for (const maxWaitTime of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "5", 4e8, {}]) assert.deepEqual(code({ maxWaitTime })[1], "maxWaitTime");
  assert.deepEqual(code({ maxWaitTime: 5, minDelay: 30 }), ["conflicting_options", "minDelay"]);
  assert.deepEqual(code({ maxWaitTime: 5, maxWait: 5 }), ["unknown_option", "maxWait"]);
  assert.deepEqual(code({ maxWaitTime: 5, sleep() {} }), ["unknown_option", "sleep"]);
  assert.deepEqual(code({ maxWaitTime: 5, seed: -1 }), ["invalid_option", "seed"]);
  assert.deepEqual(code({ maxWaitTime: 5, maxAttempts: 0 }), ["invalid_option", "maxAttempts"]);
  assert.deepEqual(code({ maxWaitTime: 5, finalPoll: "atDeadline" }), ["missing_option", "finalPollGrace"]);
});
