// Waits with scripted answers, as in `waits.py`.

import { Waiter } from "smithy-waiters";

export const jobDone = Waiter.until("Status", "DONE", {
  fail: ["BROKEN"],
  pending: ["RUNNING"],
  retryErrors: ["ThrottledError"],
  name: "JobDone",
});

// The deadline is out of reach, so that the delays of a killed worker do not change the outcome.
export const OPTIONS = { maxWaitTime: 3600, minDelay: 0.1, maxDelay: 0.5, maxAttempts: 6 };

class ThrottledError extends Error {}

export class PermissionError extends Error {}

/** Returns the answer of a job, which only depends on the numbers of the wait and the attempt. */
export function answer(wait, attempt) {
  if (attempt <= wait % 4) {
    if (wait % 3 === 0) throw new ThrottledError("slow down");
    return { Status: "RUNNING" };
  }
  if (wait % 7 === 1) throw new PermissionError("not allowed");
  return { Status: ["DONE", "DONE", "BROKEN", "RUNNING", "MISSPELLED"][wait % 5] };
}

export function workflowID(wait) {
  return `job-${wait}`;
}

/** Returns the facts about the end of a wait that do not depend on the time of day. */
export function facts(ended) {
  return {
    code: ended.code ?? null,
    attempts: ended.attempts,
    acceptor: ended.acceptor ?? null,
    delays: ended.history.map(({ delayMs }) => delayMs ?? null),
    reasons: ended.history.map(({ reasons }) => reasons.map(({ text }) => text)),
    errors: ended.history.map(({ error }) => error ?? null),
  };
}
