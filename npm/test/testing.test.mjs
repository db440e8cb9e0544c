/** `smithy-waiters/testing`, as in the tests of a program that uses the package. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { WaiterCancelled, WaiterTimeout } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, rejection, tableExists, thrownBy } from "./definitions.mjs";

const until = (number, then = ACTIVE) => (attempt) => (attempt.number < number ? CREATING : then);

test("a day passes in no time", async () => {
  const clock = new FakeClock();
  const outcome = await tableExists().wait(until(5000), { maxWaitTime: 86_400, clock, seed: 1 });
  assert.equal(outcome.attempts, 5000);
  assert.equal(clock.now, outcome.elapsed);
  assert.ok(clock.now > 20_000);
  assert.equal(clock.sleeps.length, 4999);
  assert.ok(Math.abs(clock.sleeps.reduce((sum, seconds) => sum + seconds, 0) - clock.now) < 1e-6);
});

test("it needs no timers: mocked ones do not hold it up", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
  const clock = new FakeClock();
  const outcome = await tableExists().wait(until(5), { maxWaitTime: 300, clock, seed: 7 });
  assert.deepEqual([outcome.attempts, clock.sleeps.length, clock.now], [5, 4, outcome.elapsed]);
});

test("a wait without it sleeps on the timers that are there: mocked ones, too", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  let calls = 0;
  const call = () => (++calls === 2 ? ACTIVE : CREATING);
  const wait = tableExists().wait(call, { maxWaitTime: 300, clock: () => now, minDelay: 60, maxDelay: 60 });
  await new Promise((resolve) => void setImmediate(resolve));
  now = 60_000;
  t.mock.timers.tick(60_000);
  assert.deepEqual([(await wait).elapsed, calls], [60, 2]);
});

test("its sleeps are the delays of the wait", async () => {
  const clock = new FakeClock();
  const { history, noticedWithin } = await tableExists().wait(until(5), { maxWaitTime: 300, clock, seed: 7, initialDelay: 0.5 });
  assert.deepEqual(clock.sleeps, [500, ...history.flatMap(({ delayMs }) => delayMs ?? [])].map((ms) => ms / 1000));
  assert.equal(noticedWithin, clock.sleeps.at(-1));
});

test("a call that is only waited for takes no time", async () => {
  const clock = new FakeClock();
  const slowly = () => new Promise((resolve) => void setTimeout(resolve, 20, ACTIVE));
  const outcome = await tableExists().wait(slowly, { maxWaitTime: 0.001, clock });
  assert.equal(outcome.elapsed, 0);
});

test("a call advances it, or sleeps on it", async () => {
  const clock = new FakeClock();
  const call = async ({ number }) => {
    if (number === 1) clock.advance(3);
    else await clock.sleep(4.5);
    return number === 3 ? ACTIVE : CREATING;
  };
  const { history } = await tableExists().wait(call, { maxWaitTime: 60, clock, seed: 1, minDelay: 1, maxDelay: 1 });
  assert.deepEqual(history.map(({ startedMs, endedMs }) => [startedMs, endedMs]), [[0, 3000], [4000, 8500], [9500, 14_000]]);
  assert.deepEqual(clock.sleeps, [1, 4.5, 1, 4.5]);
});

test("a call that sleeps past the deadline is cut there", async () => {
  const clock = new FakeClock();
  let reason;
  const call = ({ signal }) => clock.sleep(100, signal).catch((error) => (reason = error));
  const error = await rejection(tableExists().wait(call, { maxWaitTime: 60, clock }));
  assert.ok(error instanceof WaiterTimeout);
  assert.deepEqual([clock.now, error.elapsed, error.history[0].result], [60, 60, "cut"]);
  assert.ok(reason instanceof DOMException && reason.name === "TimeoutError");
});

test("a call that never answers is cut where the clock advances past the deadline", async () => {
  const clock = new FakeClock();
  const wait = tableExists().wait(() => new Promise(() => {}), { maxWaitTime: 60, clock });
  clock.advance(59);
  await new Promise((resolve) => void setTimeout(resolve, 5));
  clock.advance(1);
  assert.equal((await rejection(wait)).elapsed, 60);
});

test("a call that advances it past the deadline is late", async () => {
  const clock = new FakeClock();
  const error = await rejection(tableExists().wait(() => (clock.advance(61), ACTIVE), { maxWaitTime: 60, clock }));
  assert.deepEqual([error.code, error.response, error.history[0].result], ["timed_out", ACTIVE, "late"]);
});

test("a fake sleep is cancelled", async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const wait = tableExists().wait(until(100), { maxWaitTime: 600, clock, abortSignal: controller.signal, minDelay: 20 });
  await clock.sleep(30);
  controller.abort(new Error("enough"));
  const error = await rejection(wait);
  assert.ok(error instanceof WaiterCancelled);
  assert.deepEqual([error.elapsed, clock.now, error.attempts], [30, 30, 2]);
});

test("several waits share it", async () => {
  const clock = new FakeClock();
  const options = { maxWaitTime: 600, clock, seed: 3 };
  const seen = [];
  const one = tableExists().wait(until(4), { ...options, minDelay: 4, maxDelay: 4, onAttempt: () => seen.push(`a${clock.now}`) });
  const other = tableExists().wait(until(3), { ...options, minDelay: 5, maxDelay: 5, onAttempt: () => seen.push(`b${clock.now}`) });
  await Promise.all([one, other]);
  assert.deepEqual(seen, ["a0", "b0", "a4", "b5", "a8", "b10", "a12"]);
});

test("attempts that are asked for one by one share it, too", async () => {
  const clock = new FakeClock();
  const times = [];
  for await (const { elapsed } of tableExists().attempts(until(3), { maxWaitTime: 60, clock, minDelay: 10, maxDelay: 10 })) {
    times.push(elapsed);
    clock.advance(4);
  }
  assert.deepEqual(times, [0, 10, 20]);
  assert.deepEqual(clock.sleeps, [6, 6]);
});

test("a sleep may be given up", async () => {
  const clock = new FakeClock();
  await assert.rejects(clock.sleep(1, AbortSignal.abort("no")), (reason) => reason === "no");
  const controller = new AbortController();
  const asleep = clock.sleep(1, controller.signal);
  controller.abort("later");
  await assert.rejects(asleep, (reason) => reason === "later");
  assert.equal(clock.now, 0);
});

test("invalid times are refused", () => {
  const clock = new FakeClock();
  for (const seconds of [-1, Number.NaN, Number.POSITIVE_INFINITY, "1", undefined]) {
    assert.throws(() => clock.advance(seconds), RangeError);
    assert.throws(() => clock.sleep(seconds), RangeError);
  }
  assert.deepEqual(clock.sleeps, []);
});

test("a clock is a function or a fake one, which sleeps by itself", () => {
  const attempts = (options) => thrownBy(() => tableExists().attempts(() => 1, { maxWaitTime: 1, ...options }));
  const { code, option } = attempts({ clock: { now: 0 } });
  assert.deepEqual([code, option], ["invalid_option", "clock"]);
  const both = attempts({ clock: new FakeClock(), sleep: () => Promise.resolve() });
  assert.deepEqual([both.code, both.option], ["conflicting_options", "sleep"]);
});
