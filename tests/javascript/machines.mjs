/** Runs the engine's state machines of requests and of walks over pages step by step. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { OptionsError, PaginationError, RetryRefusal, StateError } from "smithy-waiters";

import { strategyOf } from "./behaviours.mjs";
import { failureOf } from "./failures.mjs";
import { resolve } from "./values.mjs";
import * as results from "./results.mjs";

const folder = dirname(createRequire(import.meta.url).resolve("smithy-waiters/package.json"));
const { ACQUIRE, callEngine, CALL, EnginePaginator, EngineRequest, EngineRequestOptions, EngineSnapshot, failureOf: engineFailureOf, inSlots, pollAction: actionOf, RECORD, REFRESH, RELEASE, SLEEP, valueAt } =
  await import(pathToFileURL(join(folder, "dist/inner.js")).href);

const STRATEGY_STEPS = new Map([
  [ACQUIRE, "acquire"],
  [REFRESH, "refresh"],
  [RECORD, "record"],
  [RELEASE, "release"],
]);

export function requestSteps(vector) {
  const strategy = vector.retry && strategyOf(vector.retry);
  try {
    const host = { request: requestOf(vector), strategy, token: undefined, failure: undefined };
    const steps = vector.commands.map((command) => requestStep(host, command));
    host.request.free();
    return { steps, available: strategy?.quota?.available ?? null };
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

function requestOf({ idempotent, maxTime, policy }) {
  const plain = inSlots((slot) => new EngineRequestOptions(slot), resolve({ idempotent, maxTime }));
  return new EngineRequest(policy ? plain.withPolicy() : plain);
}

/** Executes a command, and the steps of the standard strategy after it. */
function requestStep(host, command) {
  const { request } = host;
  try {
    let step = callEngine(() => takeRequestStep(host, resolve(command)));
    while (host.strategy && STRATEGY_STEPS.has(step)) step = askStrategy(host, step, command.poll ?? command.handle);
    if (STRATEGY_STEPS.has(step)) return { type: STRATEGY_STEPS.get(step) };
    if (step === CALL) return { type: "call", attempt: request.attempt, deadlineMs: results.finite(request.deadlineMs) };
    if (step === SLEEP) return { type: "sleep", untilMs: request.untilMs };
    const [end, message] = request.end() ?? [null, null];
    return { type: "done", attempts: request.attempt, end, message };
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

function askStrategy(host, step, now) {
  const { request, strategy, failure } = host;
  try {
    if (step === ACQUIRE) host.token = strategy.acquireInitialToken();
    else if (step === REFRESH) host.token = strategy.refreshRetryToken(host.token, failure);
    else {
      if (step === RECORD) strategy.recordSuccess(host.token);
      else strategy.releaseToken(host.token);
      return callEngine(() => request.returned(now));
    }
    return issued(request, host.token.delay, now);
  } catch (error) {
    if (!(error instanceof RetryRefusal)) throw error;
    return callEngine(() => request.refused(error.code, error.message, now));
  }
}

function issued(request, delay, now) {
  return inSlots((slot) => request.issued(slot, now), delay);
}

function takeRequestStep(host, { poll, handle: now, success, failure, token, refused, returned, failed, deadlineReached, cancelled }) {
  const { request } = host;
  if (poll !== undefined) return request.poll(poll);
  if (success) return request.succeeded(now);
  if (failed) return request.failed(now);
  if (deadlineReached) return request.deadlineReached(now);
  if (cancelled) return request.cancelled(now);
  if (token !== undefined) return issued(request, token, now);
  if (refused) return request.refused(refused.code, refused.message, now);
  if (returned) return request.returned(now);
  host.failure =
    failure === undefined
      ? request.classifyResponse()
      : request.classifyError(engineFailureOf(failureOf(failure), { now: failure.now === undefined ? null : failure.now * 1000 }));
  return request.retry(now);
}

export function walk(vector) {
  const { paginated, paging = {}, input, startToken, pages } = resolve(vector);
  const paginator = callEngine(() => new EnginePaginator(JSON.stringify(paginated)));
  const walk = inSlots((slot) => paginator.walk(slot), paging);
  try {
    const first = walkStep(walk, (token, input) => walk.begin(token, input), startToken, input);
    return [first, ...pages.map((page) => pageStep(walk, page))];
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

function pageStep(walk, page) {
  try {
    return walkStep(walk, (slot) => walk.handle(slot), page);
  } catch (error) {
    if (!(error instanceof PaginationError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

function walkStep(walk, take, first, second) {
  return inSlots((one, other) => {
    if (take(one, other) !== CALL) return { type: "done" };
    const { page, token } = walk;
    return { type: "call", page, token: token === 0 ? null : results.exact(valueAt(token - 1)) };
  }, first, second);
}

/** Returns the time until the next attempt of a stored wait. */
export function pauseOf(state) {
  const [snapshot, now] = [new EngineSnapshot(state), Date.now()];
  return { pauseMs: snapshot.pauseMs(now), pauseSeconds: snapshot.pauseSeconds(now) };
}

/** Returns the action of a poll of a stored wait. */
export function pollAction(...record) {
  return callEngine(() => actionOf(...record));
}
