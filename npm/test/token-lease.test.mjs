/** Retries whose tokens are acquired but which never run: the tokens return to the quota. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { retry, StandardRetryStrategy, TokenError } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

const throttled = () => Promise.reject({ status: 429 });
const left = (strategy) => strategy.quota.available;

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

test("a token that its own strategy does not take ends the request", async () => {
  const problem = { status: 429 };
  const strategy = {
    acquireInitialToken: () => ({ delay: 0 }),
    recordSuccess() {},
    refreshRetryToken() {
      throw new TokenError("the token was used", "used_token");
    },
  };
  const seen = [];
  await assert.rejects(retry(() => Promise.reject(problem), { strategy, onFailure: ({ end, reason }) => seen.push([end, reason]) }), problem);
  assert.deepEqual(seen, [["used_token", "the token was used"]]);
});

/** Creates a strategy that records its calls. The tokens are returned, or thrown if they are errors. */
const recording = (...tokens) => {
  const calls = [];
  const next = (call) => {
    calls.push(call);
    const token = tokens.shift();
    if (token instanceof Error) throw token;
    return token;
  };
  return {
    calls,
    acquireInitialToken: () => next("acquire"),
    refreshRetryToken: () => next("refresh"),
    recordSuccess: () => calls.push("record"),
    releaseToken: () => calls.push("release"),
  };
};

test("a strategy that returns no token", async () => {
  const expected = { name: "OptionsError", option: "delay", message: "the delay of a retry token must be a number of seconds, at least 0, got null" };
  for (const token of [null, undefined, {}]) {
    const acquiring = recording(token);
    await assert.rejects(retry(() => "made", { strategy: acquiring }), expected);
    assert.deepEqual(acquiring.calls, ["acquire"]);
    const refreshing = recording({ delay: 0 }, token);
    await assert.rejects(retry(throttled, { strategy: refreshing }), expected);
    assert.deepEqual(refreshing.calls, ["acquire", "refresh"]);
  }
  const promising = recording(Promise.resolve({ delay: 0 }));
  await assert.rejects(retry(() => "made", { strategy: promising }), /^TypeError: `strategy` must not return a promise$/);
});

test("a token with an invalid delay is released", async () => {
  for (const delay of [-1, Number.NaN, Number.POSITIVE_INFINITY, "1", true]) {
    const strategy = recording({ delay: 0 }, { delay });
    await assert.rejects(retry(throttled, { strategy }), { name: "OptionsError", option: "delay" });
    assert.deepEqual(strategy.calls, ["acquire", "refresh", "release"]);
  }
});

test("an error of a strategy ends the request", async () => {
  const bug = new Error("bug");
  for (const [tokens, calls] of [[[bug], ["acquire"]], [[{ delay: 0 }, bug], ["acquire", "refresh"]]]) {
    const strategy = recording(...tokens);
    await assert.rejects(retry(throttled, { strategy }), bug);
    assert.deepEqual(strategy.calls, calls);
  }
  const recorded = { ...recording({ delay: 0 }), recordSuccess: () => assert.fail(bug) };
  await assert.rejects(retry(() => "made", { strategy: recorded }), bug);
  assert.deepEqual(recorded.calls, ["acquire"]);
});
