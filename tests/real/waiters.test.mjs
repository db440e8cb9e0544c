// Two waits that the waiter of the AWS SDK does not end in time, on mocked timers: after a permanent error, and without an answer.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { DescribeTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { Waiter } from "smithy-waiters";

const LIMITS = { maxWaitTime: 6, minDelay: 1, maxDelay: 1 };
const INPUT = { TableName: "orders" };
const tableActive = Waiter.until("Table.TableStatus", "ACTIVE", { name: "TableActive", retryErrors: ["ResourceNotFoundException"] });

/** The two waits, by the function that sends a request. */
const sdkWait = (send) => waitUntilTableExists({ client: { send }, ...LIMITS }, INPUT);
const ourWait = (send) => {
  const call = ({ signal }) => send(new DescribeTableCommand(INPUT), { abortSignal: signal });
  return tableActive.wait(call, { ...LIMITS, clock: () => Date.now() });
};

/** The time after which a test stops waiting, in seconds. */
const LIMIT = 60;

beforeEach(() => mock.timers.enable({ apis: ["Date", "setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Advances the time until a wait fails; returns its error, the seconds and the number of requests. */
async function failureOf(wait, send) {
  let calls = 0;
  let error;
  wait((...request) => (calls++, send(...request))).catch((reason) => (error = reason));
  for (let tenths = 0; tenths <= 10 * LIMIT; tenths++) {
    await setImmediate();
    if (error !== undefined) return { error, seconds: tenths / 10, calls };
    mock.timers.tick(100);
  }
  return { error, seconds: LIMIT, calls };
}

test("AccessDenied: ours fails at once and says why, the SDK's own calls on until its deadline", async () => {
  const denied = async () => {
    throw Object.assign(new Error("no"), { name: "AccessDeniedException", $fault: "client", $metadata: { httpStatusCode: 400 } });
  };
  const ours = await failureOf(ourWait, denied);
  assert.deepEqual([ours.error.code, ours.seconds, ours.calls], ["unmatched_error", 0, 1]);
  assert.match(ours.error.message, /AccessDeniedException/);
  const theirs = await failureOf(sdkWait, denied);
  assert.match(theirs.error.message, /TIMEOUT/);
  assert.ok(theirs.seconds >= 4 && theirs.calls >= 4, JSON.stringify(theirs));
});

test("a request without an answer: ours ends at the deadline, the SDK's own waits on", async () => {
  const hung = () => new Promise(() => {});
  const ours = await failureOf(ourWait, hung);
  assert.deepEqual([ours.error.code, ours.seconds, ours.calls], ["timed_out", 6, 1]);
  assert.deepEqual(await failureOf(sdkWait, hung), { error: undefined, seconds: LIMIT, calls: 1 });
});
