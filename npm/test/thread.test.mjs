/** Misbehaving calls and custom clocks, in real time. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";

import { Waiter, WaiterTimeout } from "smithy-waiters";

const READY = {
  acceptors: [
    { state: "success", matcher: { output: { path: "s", comparator: "stringEquals", expected: "ok" } } },
    { state: "retry", matcher: { errorType: "NotFound" } },
  ],
};

/** Blocks the thread. */
function hold(ms) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

for (const [name, call] of [
  ["gives its response at once", () => (hold(60), { s: "ok" })],
  ["is an async function", async () => (hold(60), { s: "ok" })],
]) {
  test(`a call that holds the thread past the deadline and ${name} is late, not cut`, async () => {
    const waiting = new Waiter(READY).wait(call, { maxWaitTime: 0.03 });
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof WaiterTimeout);
      assert.equal(error.history.at(-1).result, "late");
      assert.deepEqual(error.response, { s: "ok" });
      return true;
    });
  });
}

test("a clock that throws leaves no listener behind", async () => {
  const { signal } = new AbortController();
  const broken = () => {
    throw new Error("no clock");
  };
  const waiting = new Waiter(READY).wait(async () => ({}), { maxWaitTime: 1, abortSignal: signal, clock: broken });
  await assert.rejects(waiting, { message: "no clock" });
  assert.equal(getEventListeners(signal, "abort").length, 0);
});
