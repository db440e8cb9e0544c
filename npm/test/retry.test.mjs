/** Retries of real requests with `fetch` to a real server. */

import assert from "node:assert/strict";
import { request as plainRequest } from "node:http";
import { test } from "node:test";
import {
  classify,
  NoRetries,
  retry,
  RetryCancelled,
  RetryError,
  RetryQuota,
  RetryTimeout,
  StandardRetryStrategy,
  TokenError,
} from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { rejection, thrownBy } from "./definitions.mjs";
import { served } from "./server.mjs";

/** A fetch that throws failed responses. */
const fetching = (url, init) => async ({ signal }) => {
  const response = await fetch(url, { ...init, signal });
  if (!response.ok) throw response;
  return response.json();
};
const OK = { body: { x: 1 } };
const throttled = () => Promise.reject({ status: 429 });
const left = (strategy) => strategy.quota.available;

test("a request is retried after the delay that the service requests", async () => {
  await served([{ status: 503, headers: { "Retry-After": "7" } }, { status: 429 }, OK], async ({ url, requests }) => {
    const clock = new FakeClock();
    const told = [];
    const result = await retry(fetching(url), { clock, seed: 7, onFailure: (progress) => told.push(progress) });
    assert.deepEqual(result, { x: 1 });
    assert.equal(requests.length, 3);
    assert.equal(clock.sleeps[0], 7);
    assert.deepEqual(told.map(({ attempt, end, failure }) => [attempt, end, failure.retry.throttle]), [
      [1, undefined, false],
      [2, undefined, true],
    ]);
    assert.deepEqual(told.map(({ delay }) => delay), clock.sleeps);
  });
});

test("of two Retry-After the first counts", async () => {
  const twice = { status: 503, headers: { "Retry-After": ["7", "40"] } };
  await served([twice, OK], async ({ url }) => {
    const clock = new FakeClock();
    await retry(fetching(url), { clock, seed: 7 });
    assert.deepEqual(clock.sleeps, [7]);
  });
  await served([twice], async ({ url }) => {
    // Node's clients preserve only the first line.
    const response = await new Promise((resolve) => plainRequest(url, resolve).end());
    response.resume();
    assert.equal(classify({ response: { status: response.statusCode, headers: response.headers } }).retry.retryAfter, 7);
  });
  // The headers of undici's `request`.
  assert.equal(classify({ status: 503, headers: { "retry-after": ["7", "40"] } }).retry.retryAfter, 7);
});

test("a promise of onFailure is awaited, and its rejection is thrown unchanged", async () => {
  const seen = [];
  const call = ({ number }) => (seen.push(`call ${number}`), number < 2 ? Promise.reject(new Error("no")) : number);
  const onFailure = async ({ attempt }) => {
    await new Promise(setImmediate);
    seen.push(`told ${attempt}`);
  };
  const options = { clock: new FakeClock(), classify: () => ({ retry: { safety: "yes" } }) };
  assert.equal(await retry(call, { ...options, onFailure }), 2);
  assert.deepEqual(seen, ["call 1", "told 1", "call 2"]);
  const bug = new Error("bug");
  assert.equal(await rejection(retry(call, { ...options, onFailure: () => Promise.reject(bug) })), bug);
  const controller = new AbortController();
  const hanging = () => (queueMicrotask(() => controller.abort()), new Promise(() => {}));
  const cancelled = await rejection(retry(call, { ...options, onFailure: hanging, abortSignal: controller.signal }));
  assert.ok(cancelled instanceof RetryCancelled);
  const clock = new FakeClock();
  const late = () => (queueMicrotask(() => clock.advance(60)), new Promise(() => {}));
  const over = await rejection(retry(call, { ...options, clock, onFailure: late, maxTime: 60 }));
  assert.deepEqual([over.name, over.attempts], ["TimeoutError", 1]);
});

test("classify must not return a promise, whose rejection does not end the process", async () => {
  const no = () => Promise.reject(new Error("no"));
  const error = await rejection(retry(no, { classify: async () => { throw new Error("late"); } }));
  assert.deepEqual([error.name, error.message], ["TypeError", "`classify` must not return a promise"]);
  await new Promise(setImmediate);
});

test("a connection that is cut: fetch's TypeError is read by its cause", async () => {
  await served(["reset", OK], async ({ url, requests }) => {
    const told = [];
    const options = { idempotent: true, clock: new FakeClock(), onFailure: (progress) => told.push(progress) };
    assert.deepEqual(await retry(fetching(url), options), { x: 1 });
    assert.equal(requests.length, 2);
    assert.ok(told[0].error instanceof TypeError);
    assert.deepEqual([told[0].failure.retry.safety, told[0].failure.retry.timeout], ["yes", false]);
  });
});

test("a connection that is refused", async () => {
  const gone = await served([], ({ url }) => url);
  const refused = await rejection(fetch(gone));
  assert.equal(refused.cause.code, "ECONNREFUSED");
  assert.equal(classify(refused, { idempotent: true }).retry?.safety, "yes");
  assert.equal(classify(refused).retry?.safety, "no");
});

test("an error of node:http is read by its code", async () => {
  await served(["reset"], async ({ url }) => {
    const error = await rejection(
      new Promise((resolve, reject) => {
        plainRequest(url, resolve).on("error", reject).end();
      }),
    );
    assert.equal(error.code, "ECONNRESET");
    assert.equal(classify(error, { idempotent: true }).retry.safety, "yes");
  });
});

test("no answer in the time that the call gives itself costs as a timeout", async () => {
  await served(["hang"], async ({ url }) => {
    const strategy = new StandardRetryStrategy();
    const late = new AbortController();
    setTimeout(() => late.abort(new DOMException("no answer", "TimeoutError")), 1);
    const call = ({ number }) => (number === 1 ? fetch(url, { signal: late.signal }) : "content");
    await retry(call, { strategy, idempotent: true, clock: new FakeClock() });
    assert.equal(strategy.quota.available, 500 - 10 + 1);
  });
});

test("the call that runs at the end of the time is cut, and its signal says so", async () => {
  const clock = new FakeClock();
  let signal;
  const call = (attempt) => {
    ({ signal } = attempt);
    void clock.sleep(100);
    return new Promise(() => {});
  };
  const error = await rejection(retry(call, { maxTime: 3, clock }));
  assert.ok(error instanceof RetryTimeout && error instanceof RetryError);
  assert.deepEqual([error.name, error.code, error.attempts, clock.now >= 3], ["TimeoutError", "out_of_time", 1, true]);
  assert.equal(signal.reason.name, "TimeoutError");
});

test("the caller's signal ends the pause, and the call that is in flight", async () => {
  await served(["hang"], async ({ url }) => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const call = (attempt) => {
      setImmediate(() => controller.abort(reason));
      return fetching(url)(attempt);
    };
    const error = await rejection(retry(call, { abortSignal: controller.signal }));
    assert.ok(error instanceof RetryCancelled);
    assert.deepEqual([error.name, error.code, error.cause, error.attempts], ["AbortError", "cancelled", reason, 1]);
  });
  const error = await rejection(retry(() => assert.fail("called"), { abortSignal: AbortSignal.abort() }));
  assert.deepEqual([error.code, error.attempts], ["cancelled", 0]);
});

test("an abort of the call's own is not retried", async () => {
  let calls = 0;
  const call = () => {
    calls++;
    return fetch("http://127.0.0.1:1/", { signal: AbortSignal.abort() });
  };
  assert.equal((await rejection(retry(call, { idempotent: true }))).name, "AbortError");
  assert.equal(calls, 1);
});

test("clients' errors are read by their shapes", () => {
  const read = (error, options = { idempotent: true }) => {
    const { retry, fault } = classify(error, options);
    return [retry?.safety, retry?.throttle, retry?.timeout, retry?.retryAfter, fault];
  };
  const axios = (status, headers) => Object.assign(new Error("axios"), { isAxiosError: true, response: { status, headers } });
  const ofAxios = (message, code, more) => Object.assign(new Error(message), { name: "AxiosError", isAxiosError: true, code, ...more });
  const UNKNOWN = [undefined, undefined, undefined, undefined, undefined];
  const undici = (code) => new TypeError("fetch failed", { cause: Object.assign(new Error("other side closed"), { code }) });
  const sdk = (name, more) => Object.assign(new Error(name), { name, $fault: "client", $metadata: { httpStatusCode: 400 }, ...more });
  for (const [error, expected] of [
    [axios(503, { "retry-after": "2" }), ["yes", false, false, 2, "server"]],
    [axios(503, { get: (name) => (name === "retry-after" ? "3" : null) }), ["yes", false, false, 3, "server"]],
    [axios(400, {}), ["no", false, false, undefined, "client"]],
    [ofAxios("timeout of 1000ms exceeded", "ECONNABORTED"), ["yes", false, true, undefined, "other"]],
    [ofAxios("a timeoutErrorMessage, in other words", "ECONNABORTED"), ["yes", false, true, undefined, "other"]],
    [ofAxios("Request aborted", "ECONNABORTED"), ["yes", false, false, undefined, undefined]],
    [ofAxios("stream has been aborted", "ERR_BAD_RESPONSE"), ["yes", false, false, undefined, "other"]],
    [ofAxios("stream has been aborted", "ERR_BAD_RESPONSE", { response: { status: 200, headers: {} } }), ["yes", false, false, undefined, "other"]],
    [ofAxios("maxContentLength size of 5 exceeded", "ERR_BAD_RESPONSE"), UNKNOWN],
    [ofAxios("Network Error", "ERR_NETWORK"), ["yes", false, false, undefined, "other"]],
    [ofAxios("Network Error", "ERR_NETWORK", { cause: new TypeError("Failed to fetch") }), ["yes", false, false, undefined, "other"]],
    [ofAxios("Network Error", "ERR_NETWORK", { cause: undici("ECONNRESET") }), ["yes", false, false, undefined, undefined]],
    [ofAxios("Network Error", "ERR_NETWORK", { cause: undici("DEPTH_ZERO_SELF_SIGNED_CERT") }), UNKNOWN],
    [undici("CERT_HAS_EXPIRED"), UNKNOWN],
    [new TypeError("error sending request for url (https://x/): client error (Connect): invalid peer certificate: UnknownIssuer"), UNKNOWN],
    // The official client of Kubernetes.
    [Object.assign(new Error("HTTP-Code: 503"), { code: 503, headers: { "retry-after": "4" } }), ["yes", false, false, 4, "server"]],
    [Object.assign(new Error("exit code"), { code: 503 }), UNKNOWN],
    [Object.assign(new Error("canceled"), { code: "ERR_CANCELED" }), UNKNOWN],
    ...["ERR_HTTP2_INVALID_SESSION", "ERR_HTTP2_SESSION_ERROR"].map((code) => [undici(code), ["yes", false, false, undefined, "other"]]),
    [undici("UND_ERR_SOCKET"), ["yes", false, false, undefined, "other"]],
    [undici("UND_ERR_HEADERS_TIMEOUT"), ["yes", false, true, undefined, "other"]],
    ...["Failed to fetch", "NetworkError when attempting to fetch resource.", "Load failed", "fetch failed"].map((said) => [new TypeError(said), ["yes", false, false, undefined, "other"]]),
    [new TypeError("x is not a function"), UNKNOWN],
    [sdk("ThrottlingException"), ["yes", true, false, undefined, "client"]],
    [sdk("Slow", { $retryable: { throttling: true } }), ["yes", true, false, undefined, "client"]],
    [sdk("Slow", { $response: { statusCode: 400, headers: { "x-amz-retry-after": "1500" } } }), ["yes", false, false, 1.5, "client"]],
    [Object.assign(new Error("aborted"), { code: "ECONNRESET", $metadata: { httpStatusCode: 200 } }), ["yes", false, false, undefined, undefined]],
    [Object.assign(new Error("read"), { name: "TimeoutError", code: "ECONNRESET", $metadata: { attempts: 1 } }), ["yes", false, false, undefined, undefined]],
    [sdk("ValidationException"), ["no", false, false, undefined, "client"]],
    [new Response(null, { status: 504 }), ["yes", false, true, undefined, "server"]],
    [Object.assign(new Error("HTTP"), { response: new Response(null, { status: 429 }) }), ["yes", true, false, undefined, "client"]],
    ["a text", UNKNOWN],
    [undefined, UNKNOWN],
  ]) {
    assert.deepEqual(read(error), expected, String(error?.message ?? error));
  }
  const circle = new Error("a");
  circle.cause = circle;
  assert.deepEqual(read(circle)[0], undefined);
  const trap = new Proxy({}, { get: () => { throw new Error("trap"); } });
  assert.deepEqual(read(trap)[0], undefined);
});

test("answers that are garbage say nothing, and break nothing", () => {
  const trap = () => {
    throw new Error("trap");
  };
  for (const response of [
    {},
    { status: 0, headers: null },
    { status: 0, headers: {} },
    { status: Number.NaN, headers: 5 },
    { status: "503", headers: "retry-after: 5" },
    { status: 1000, headers: [] },
    { headers: { get: trap } },
    { headers: { get: () => Symbol("x") } },
    { headers: new Proxy({}, { ownKeys: trap }) },
    { headers: { "Retry-After": [] } },
    { headers: { "Retry-After": {} } },
  ]) {
    for (const error of [response, { response }, { $response: response }, { $metadata: { httpStatusCode: response.status }, $response: response }]) {
      assert.deepEqual(classify(error, { idempotent: true }), { retry: undefined, fault: undefined, note: undefined });
    }
  }
});

test("a modeled error of a client is classified by its model, not by its code", () => {
  class ServiceException extends Error {}
  class DynamoDBServiceException extends ServiceException {}
  class LimitExceededException extends DynamoDBServiceException {}
  const of = (kind, name, more) => Object.assign(new kind("no"), { name, $fault: "client", $metadata: { httpStatusCode: 400 }, ...more });
  const safety = (error) => classify(error).retry?.safety;
  assert.equal(safety(of(LimitExceededException, "LimitExceededException")), "no");
  assert.equal(safety(of(LimitExceededException, "LimitExceededException", { $retryable: {} })), "yes");
  // For unmodeled errors, the AWS SDK throws the base class of the service.
  assert.equal(safety(of(DynamoDBServiceException, "ThrottlingException")), "yes");
  assert.equal(safety(of(DynamoDBServiceException, "ValidationException")), "no");
});

test("a quota belongs to several strategies, and a token to one", () => {
  const quota = new RetryQuota();
  const strategy = new StandardRetryStrategy({ quota });
  assert.deepEqual([strategy.quota, quota.capacity], [quota, 500]);
  assert.equal(new StandardRetryStrategy({ unlimited: true }).quota, undefined);
  for (const foreign of [{ delay: 0 }, null, 5]) {
    for (const other of [strategy, new NoRetries()]) {
      const error = thrownBy(() => other.recordSuccess(foreign));
      assert.ok(error instanceof TokenError);
      assert.deepEqual([error.code, error.message], ["foreign_token", "the retry token was issued by another strategy"]);
    }
  }
});

test("without retries, the error is thrown after the first attempt", async () => {
  let calls = 0;
  const throttled = { status: 429 };
  const call = () => (calls++, Promise.reject(throttled));
  const ends = [];
  const onFailure = ({ end, reason }) => ends.push([end, reason]);
  assert.equal(await rejection(retry(call, { strategy: new NoRetries(), onFailure })), throttled);
  assert.equal(calls, 1);
  assert.deepEqual(ends, [["max_retries", "no retries are allowed"]]);
});

test("a strategy that overrides a method decides itself", async () => {
  class Counting extends StandardRetryStrategy {
    refreshed = [];
    refreshRetryToken(token, failure) {
      this.refreshed.push([failure.retry.throttle, failure.fault]);
      return super.refreshRetryToken(token, failure);
    }
  }
  const strategy = new Counting({ maxRetries: 2, fixedDelay: 1 });
  const ends = [];
  const call = () => Promise.reject({ status: 429 });
  await rejection(retry(call, { strategy, clock: new FakeClock(), onFailure: ({ end, reason, delay }) => ends.push([end, reason, delay]) }));
  assert.deepEqual(strategy.refreshed, [[true, "client"], [true, "client"], [true, "client"]]);
  assert.deepEqual(ends, [[undefined, undefined, 1], [undefined, undefined, 1], ["max_retries", "2 retries were made, no more are allowed", undefined]]);
  assert.equal(strategy.quota.available, 490);
  // The reason from the standard strategy is the engine's, with the engine's knowledge of the request.
  const told = [];
  await rejection(retry(() => Promise.reject({ status: 500 }), { strategy, onFailure: ({ reason }) => told.push(reason) }));
  assert.deepEqual(told, ["the error is not retryable: the request is not known to be idempotent"]);
});

test("the caller classifies errors", async () => {
  const clock = new FakeClock();
  let calls = 0;
  const call = () => (++calls < 3 ? Promise.reject(new Error("busy")) : calls);
  const busy = ({ message }) => (message === "busy" ? { retry: { safety: "yes", retryAfter: 0.25 } } : undefined);
  assert.equal(await retry(call, { classify: busy, clock, strategy: new StandardRetryStrategy({ fixedDelay: 0 }) }), 3);
  assert.deepEqual(clock.sleeps, [0.25, 0.25]);
});

test("options that make no sense are refused", async () => {
  assert.throws(() => new StandardRetryStrategy({ quota: {} }), { name: "OptionsError", code: "invalid_option", option: "quota" });
  const call = () => 1;
  for (const [options, code] of [
    [{ maxTime: 0 }, "invalid_option"],
    [{ strategy: {} }, "invalid_option"],
    [{ strategy: new NoRetries(), maxRetries: 1 }, "conflicting_options"],
    [{ idempotent: 1 }, "invalid_option"],
    [{ retries: 1 }, "unknown_option"],
    [{ policy: 5 }, "invalid_option"],
    [{ onFailure: 5 }, "invalid_option"],
  ]) {
    assert.equal((await rejection(retry(call, options))).code, code, JSON.stringify(options));
  }
  assert.ok((await rejection(retry(5))) instanceof TypeError);
  const strategy = new StandardRetryStrategy();
  for (const failure of [null, undefined, "yes", { retry: { safety: "yes", throttle: "no" } }, { retry: { safety: "yes", timeout: 0 } }]) {
    assert.equal(thrownBy(() => strategy.refreshRetryToken(strategy.acquireInitialToken(), failure)).code, "invalid_option");
  }
});

test("an operation is an `Operation`", async () => {
  const expected = { name: "OptionsError", code: "invalid_option", option: "operation", message: "`operation` must be an `Operation`, got an object" };
  await assert.rejects(retry(() => 1, { operation: {} }), expected);
  assert.throws(() => classify(new Error("reset"), { operation: {} }), expected);
});

test("no attempt begins when the time is over", async () => {
  let now = 0;
  const strategy = new StandardRetryStrategy({ fixedDelay: 4.5 });
  const sleep = async (ms) => void (now += ms + 1000);
  const error = await rejection(retry(throttled, { strategy, maxTime: 5, clock: () => now, sleep }));
  assert.ok(error instanceof RetryTimeout);
  assert.deepEqual([error.attempts, strategy.quota.available], [1, 500]);
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
