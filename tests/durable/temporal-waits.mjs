// Durable waits on Temporal, as in `temporal_waits.py`.

import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import { WaiterFailed } from "smithy-waiters";
import { durableFleet, durableWait } from "smithy-waiters/temporal";
import { answer as answerOf, available, SHAPE } from "./volumes.mjs";
import { answer, jobDone } from "./waits.mjs";

const running = () => ({ Status: "RUNNING" });

export const signals = [];

/** The sizes of the states that the polls of `shown` received. */
export const sizes = [];

export const released = new EventTarget();

const polls = {
  job: (wait, { number }) => answer(wait, number),
  running,
  fifty: (_, { number }) => ({ Status: number === 50 ? "DONE" : "RUNNING" }),
  hang: (_, { signal }) => new Promise(() => signals.push(signal)),
  waiting: async () => {
    await once(released, "released");
    return running();
  },
  slow: () => sleep(3000, { Status: "DONE" }),
  shown: (_, { number }) => {
    sizes.push(JSON.stringify(Context.current().info.heartbeatDetails?.state ?? null).length);
    return { Status: number === 20 ? "DONE" : "RUNNING", Text: "x".repeat(150) };
  },
  large: () => ({ Status: "DONE", Text: "x".repeat(100_000) }),
};

const LIMITS = { large: 2000, shown: 4000 };

export const waits = Object.fromEntries(
  Object.entries(polls).map(([name, poll]) => [name, durableWait(jobDone, poll, { name, reportLimit: LIMITS[name] })]),
);

export const volumes = durableFleet(available, (ids) => answerOf(ids, Context.current().info.attempt - 1), { name: "volumes", ...SHAPE });

export const activities = Object.assign({}, ...[...Object.values(waits), volumes].map((wait) => wait.activities));

/** Checks the failure of the job 2 and the error of Temporal that has it. */
export function checkBroken(failed, error) {
  assert(failed instanceof WaiterFailed);
  assert.deepEqual([failed.code, failed.attempts, failed.response], ["failure_state", 3, { Status: "BROKEN" }]);
  assert.deepEqual(failed.history.map(({ attempt }) => attempt), [1, 2, 3]);
  assert.match(failed.explain(), /Status gave "BROKEN"/);
  assert.deepEqual([error.type, error.message, error.nonRetryable], ["WaiterFailed", failed.message, true]);
  assert.equal(error.details[0].explanation, failed.explain());
}

/** Checks the failure of the job 8, whose call is not allowed, and the error of Temporal that has it. */
export function checkDenied(failed, error) {
  assert.equal(failed.code, "unmatched_error");
  assert.equal(failed.error.message, "not allowed");
  assert.equal(failed.cause, failed.error);
  assert.equal(error.cause.message, "not allowed");
}
