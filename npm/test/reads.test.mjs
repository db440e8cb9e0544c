/** A path is evaluated once per attempt, even if several acceptors share it, and its reasons do not cause further reads. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Waiter } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

const output = (comparator, expected) => ({ output: { path: "list[].status", comparator, expected } });
const waiter = new Waiter({
  acceptors: [
    { state: "failure", matcher: output("allStringEquals", "x") },
    { state: "failure", matcher: output("anyStringEquals", "y") },
    { state: "success", matcher: output("anyStringEquals", "z") },
  ],
});

/** Creates a response that counts the reads of its members by name. */
function counted(statuses) {
  const reads = { list: 0, status: 0 };
  const items = statuses.map((status) => ({
    get status() {
      reads.status += 1;
      return status;
    },
  }));
  return {
    reads,
    response: {
      get list() {
        reads.list += 1;
        return items;
      },
    },
  };
}

// Hints look for names near those of a path.
test("an attempt reads a shared path once, reasons included", async () => {
  const responses = [counted(["x", "w", "v"]), counted(["x", "w", "z"])];
  const { history } = await waiter.wait(({ number }) => responses[number - 1].response, { maxWaitTime: 60, clock: new FakeClock(), hints: false });
  assert.deepEqual(history.map(({ reasons }) => reasons.length), [3, 3]);
  for (const { reads } of responses) assert.deepEqual(reads, { list: 1, status: 3 });
});

test("a verdict reads a shared path once", async () => {
  const { reads, response } = counted(["x", "w", "v"]);
  assert.equal(waiter.evaluate({ response }).state, "retry");
  assert.deepEqual(reads, { list: 1, status: 3 });
  const checked = counted(["x", "w", "z"]);
  assert.equal((await waiter.check(() => checked.response)).state, "success");
  assert.deepEqual(checked.reads, { list: 1, status: 3 });
});
