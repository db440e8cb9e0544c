/** The pace of a wait, its final poll, and the delay until a success is detected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { every, proportional } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, tableExists } from "./definitions.mjs";

/** Waits for a table that becomes active after a number of seconds. */
function waiting(seconds, options) {
  const clock = new FakeClock();
  const call = () => (clock.now >= seconds ? ACTIVE : CREATING);
  return tableExists().wait(call, { maxWaitTime: 600, historyLimit: 100, seed: 7, clock, ...options });
}

const delaysOf = ({ history }) => history.slice(0, -1).map(({ delayMs }) => delayMs);

test("a pace is plain data", () => {
  assert.deepEqual(JSON.parse(JSON.stringify([every(15), proportional(0.1)])), [{ every: 15 }, { proportional: 0.1 }]);
});

test("every delay is the same", async () => {
  const outcome = await waiting(12, { pace: every(5) });
  assert.deepEqual([outcome.elapsed, delaysOf(outcome)], [15, [5000, 5000, 5000]]);
});

test("delays grow with the time waited", async () => {
  const outcome = await waiting(100, { pace: proportional(0.2), maxDelay: 12 });
  for (const { endedMs, delayMs } of outcome.history.slice(0, -1)) {
    const part = endedMs * 0.2;
    const [least, most] = [0.9 * part, part].map((delay) => Math.min(12_000, Math.max(2000, delay)));
    assert.ok(delayMs >= Math.floor(least) && delayMs <= most, `${delayMs} ms after ${endedMs} ms`);
  }
});

test("a success is noticed no later than the last delay", async () => {
  const outcome = await waiting(12, { pace: every(5) });
  assert.equal(outcome.noticedWithin, 5);
  assert.equal(JSON.parse(JSON.stringify(outcome)).noticedWithin, 5);
  assert.equal((await waiting(0, {})).noticedWithin, undefined);
  const wait = tableExists().start({ maxWaitTime: 60, pace: every(5) });
  wait.poll(0);
  wait.handle({ type: "response", response: CREATING }, 30);
  wait.poll(5030);
  const resumed = tableExists().resume(JSON.stringify(wait), { elapsedMs: 5030 });
  resumed.poll(5030);
  const step = resumed.handle({ type: "response", response: ACTIVE }, 5100);
  assert.deepEqual([step.noticedWithinMs, step.outcome().noticedWithin], [5100, 5.1]);
  assert.equal(wait.handle({ type: "cancelled" }, 5100).noticedWithinMs, undefined);
});

test("a late final poll uses the time that the specification's leaves", async () => {
  const failure = (finalPoll) => waiting(1e9, { maxWaitTime: 60, finalPoll }).catch((error) => error);
  const [specified, late] = [await failure("specification"), await failure("late")];
  assert.deepEqual([specified.code, specified.elapsed], ["timed_out", 58]);
  assert.deepEqual([late.code, late.elapsed, late.history.at(-2).nextIsLast], ["timed_out", 59, true]);
  assert.equal((await waiting(59, { maxWaitTime: 60, finalPoll: "late" })).elapsed, 59);
});
