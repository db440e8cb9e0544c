/** The attempts of a wait, requested one by one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { OptionsError, Waiter, WaiterCancelled, WaiterTimeout } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, script, ServiceError, tableExists, thrownBy } from "./definitions.mjs";
import { inner } from "./installed.mjs";

const { EngineWait } = await inner();

const options = () => ({ maxWaitTime: 60, clock: new FakeClock(), seed: 7 });
const gone = () => new ServiceError("ResourceNotFoundException");

/** Counts the waits that the engine holds while an action runs. */
async function openWaits(action) {
  const { free } = EngineWait.prototype;
  const { start } = Waiter.prototype;
  let open = 0;
  EngineWait.prototype.free = function () {
    open--;
    return free.call(this);
  };
  Waiter.prototype.start = function (given) {
    open++;
    return start.call(this, given);
  };
  try {
    await action(() => open);
  } finally {
    EngineWait.prototype.free = free;
    Waiter.prototype.start = start;
  }
  return open;
}

test("the attempts are those that onAttempt receives, and the end is the outcome", async () => {
  const told = [];
  const expected = await tableExists().wait(script(gone(), CREATING, ACTIVE), { ...options(), onAttempt: (one) => told.push(one) });
  const seen = [];
  const attempts = tableExists().attempts(script(gone(), CREATING, ACTIVE), options());
  for await (const attempt of attempts) seen.push(attempt);
  assert.deepEqual(seen, told);
  assert.deepEqual(seen.map(({ result, state }) => [result, state]), [["error", "retry"], ["response", "retry"], ["response", "success"]]);
  assert.deepEqual(attempts.outcome, expected);
});

test("the outcome is the iterator's last value, and at hand with the last attempt", async () => {
  const attempts = tableExists().attempts(script(CREATING, ACTIVE), options());
  assert.equal(attempts.outcome, undefined);
  assert.equal((await attempts.next()).value.attempt, 1);
  assert.equal(attempts.outcome, undefined);
  assert.equal((await attempts.next()).value.state, "success");
  const { outcome } = attempts;
  assert.equal(outcome.response, ACTIVE);
  const end = await attempts.next();
  assert.deepEqual([end.done, end.value], [true, outcome]);
  assert.deepEqual(await attempts.next(), { done: true, value: undefined });
  assert.equal(attempts.outcome, outcome);
});

test("a wait that does not succeed is thrown after its last attempt", async () => {
  const seen = [];
  const attempts = tableExists().attempts(script(CREATING), options());
  await assert.rejects(async () => {
    for await (const { attempt } of attempts) seen.push(attempt);
  }, WaiterTimeout);
  assert.ok(seen.length > 3);
  assert.equal(attempts.outcome, undefined);
  assert.deepEqual(await attempts.next(), { done: true, value: undefined });
});

test("break cancels the wait: no further call, no outcome, nothing held", async () => {
  let calls = 0;
  const attempts = tableExists().attempts(() => (calls++, CREATING), options());
  const open = await openWaits(async () => {
    for await (const { attempt } of attempts) if (attempt === 2) break;
  });
  assert.deepEqual([calls, open, attempts.outcome], [2, 0, undefined]);
  assert.deepEqual(await attempts.next(), { done: true, value: undefined });
});

test("an error in the loop cancels the wait, too", async () => {
  const open = await openWaits(async () => {
    await assert.rejects(async () => {
      for await (const _ of tableExists().attempts(script(CREATING), options())) throw new RangeError("mine");
    }, RangeError);
  });
  assert.equal(open, 0);
});

test("return() cuts the call that is in flight at once, and its signal fires", async () => {
  let signal;
  const call = (attempt) => ((signal = attempt.signal), new Promise(() => {}));
  const attempts = tableExists().attempts(call, options());
  const open = await openWaits(async () => {
    const next = attempts.next();
    await Promise.resolve();
    const end = await attempts.return();
    assert.deepEqual([end, await next], [{ done: true, value: undefined }, { done: true, value: undefined }]);
  });
  assert.equal(open, 0);
  assert.deepEqual([signal.aborted, signal.reason.name], [true, "AbortError"]);
});

test("return() ends the sleep between two attempts at once, without timers left", async () => {
  const attempts = tableExists().attempts(script(CREATING), { maxWaitTime: 1000, minDelay: 500, maxDelay: 500 });
  await attempts.next();
  const next = attempts.next();
  await new Promise((resolve) => setTimeout(resolve, 1));
  await attempts.return();
  assert.equal((await next).done, true);
  assert.ok(!process.getActiveResourcesInfo().includes("Timeout"));
});

test("await using ends it", { skip: Symbol.asyncDispose === undefined && "no Symbol.asyncDispose" }, async () => {
  const attempts = tableExists().attempts(script(CREATING), options());
  const open = await openWaits(async (count) => {
    await attempts.next();
    assert.equal(count(), 1);
    await attempts[Symbol.asyncDispose]();
  });
  assert.equal(open, 0);
});

test("nothing begins before the first attempt is asked for", async () => {
  let calls = 0;
  const open = await openWaits(async () => {
    const attempts = tableExists().attempts(() => (calls++, Promise.reject(new Error("nobody asked"))), options());
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await attempts.return(), { done: true, value: undefined });
    assert.deepEqual(await attempts.next(), { done: true, value: undefined });
  });
  assert.deepEqual([calls, open], [0, 0]);
});

test("the caller's signal cancels: between two attempts, too", async () => {
  const controller = new AbortController();
  const attempts = tableExists().attempts(script(CREATING), { ...options(), abortSignal: controller.signal });
  await attempts.next();
  controller.abort("enough");
  await assert.rejects(attempts.next(), (error) => error instanceof WaiterCancelled && error.cause === "enough" && error.attempts === 1);
});

test("a late request for the next attempt times out", async () => {
  const { clock, ...rest } = options();
  const attempts = tableExists().attempts(script(CREATING), { ...rest, clock });
  await attempts.next();
  clock.advance(61);
  await assert.rejects(attempts.next(), (error) => error.code === "timed_out" && error.attempts === 1);
});

test("invalid options are refused before the first attempt", async () => {
  const refusal = (given, call = () => 1) => thrownBy(() => tableExists().attempts(call, given));
  assert.equal(refusal(options(), 1).constructor, TypeError);
  assert.equal(refusal({ ...options(), onAttempt: () => {} }).option, "onAttempt");
  for (const given of [{}, undefined, 5, { maxWaitTime: -1 }, { ...options(), minDelay: 30, maxDelay: 20 }, { ...options(), seed: 1.5 }, { ...options(), abortsignal: 1 }]) {
    const refused = refusal(given);
    assert.ok(refused instanceof OptionsError);
    // `wait` rejects with an equal error.
    await assert.rejects(tableExists().wait(() => 1, given), { code: refused.code, option: refused.option, message: refused.message });
  }
});

test("an onAttempt that is undefined or null is ignored", async () => {
  for (const onAttempt of [undefined, null]) {
    const attempts = tableExists().attempts(script(ACTIVE), { ...options(), onAttempt });
    assert.equal((await attempts.next()).value.state, "success");
  }
});
