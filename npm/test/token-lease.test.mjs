/** Retries whose tokens are acquired but which never run: the tokens return to the quota. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { classify, retry, RetryCancelled, StandardRetryStrategy, TokenError } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

const throttled = () => Promise.reject({ status: 429 });
const left = (strategy) => strategy.quota.available;

/** Creates a sleep during which the caller cancels. */
const cancelled = () => {
  const controller = new AbortController();
  const sleep = (_ms, signal) => new Promise((resolve) => (signal?.addEventListener("abort", resolve), controller.abort()));
  return { abortSignal: controller.signal, sleep };
};

test("a request that is cancelled in its pause costs nothing", async () => {
  const strategy = new StandardRetryStrategy({ fixedDelay: 1 });
  await assert.rejects(retry(throttled, { strategy, ...cancelled() }), RetryCancelled);
  assert.equal(left(strategy), 500);
});

test("a hook that fails comes before the attempt", async () => {
  const strategy = new StandardRetryStrategy();
  const bug = new Error("bug");
  const seen = [];
  const onFailure = (fail) => () => (seen.push(left(strategy)), fail());
  const sync = () => {
    throw bug;
  };
  for (const fail of [sync, () => Promise.reject(bug)]) {
    await assert.rejects(retry(throttled, { strategy, clock: new FakeClock(), onFailure: onFailure(fail) }), bug);
    assert.equal(left(strategy), 500);
  }
  assert.deepEqual(seen, [495, 495]);
});

test("an attempt that was made has its price", async () => {
  const strategy = new StandardRetryStrategy();
  const controller = new AbortController();
  const call = ({ number }) => (number === 1 ? throttled() : (controller.abort(), new Promise(() => {})));
  await assert.rejects(retry(call, { strategy, clock: new FakeClock(), abortSignal: controller.signal }), RetryCancelled);
  assert.equal(left(strategy), 495);
});

test("a token that its own strategy does not take ends the request", async () => {
  const problem = { status: 429 };
  const strategy = {
    acquireInitialToken: () => ({ delay: 0 }),
    recordSuccess() {},
    refreshRetryToken() {
      throw new TokenError("used_token");
    },
  };
  const seen = [];
  await assert.rejects(retry(() => Promise.reject(problem), { strategy, onFailure: ({ end, reason }) => seen.push([end, reason]) }), problem);
  assert.deepEqual(seen, [["used_token", "the retry token was already used"]]);
});

test("a strategy that gives no token, or not at once, is told so", async () => {
  const given = (token) => ({ acquireInitialToken: () => token, recordSuccess() {}, refreshRetryToken() {} });
  const made = (token) => retry(() => "made", { strategy: given(token) });
  await assert.rejects(made(null), /^TypeError: a retry token's delay must be a number of seconds, at least 0, got undefined$/);
  await assert.rejects(made(Promise.resolve({ delay: 0 })), /got a promise of a token$/);
});

test("a session of HTTP/2 that is gone is a connection that is lost", () => {
  for (const code of ["ERR_HTTP2_INVALID_SESSION", "ERR_HTTP2_SESSION_ERROR"]) {
    const error = Object.assign(new Error("gone"), { code });
    assert.equal(classify(error, { idempotent: true }).retry?.safety, "yes", code);
  }
});
