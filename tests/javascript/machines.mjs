/** Runs the engine's state machines of requests and of walks over pages step by step. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { OptionsError, PaginationError, StateError } from "smithy-waiters";

import { strategyOf } from "./behaviours.mjs";
import { failureOf } from "./failures.mjs";
import { resolve } from "./values.mjs";
import * as results from "./results.mjs";

const folder = dirname(createRequire(import.meta.url).resolve("smithy-waiters/package.json"));
const { callEngine, CALL, EnginePaginator, EngineRequest, EngineRequestOptions, failureOf: engineFailureOf, inSlots, pollAction: actionOf, SLEEP, StandardRetryStrategy, valueAt } = await import(
  pathToFileURL(join(folder, "dist/inner.js")).href
);

export function requestSteps(vector) {
  const strategy = vector.retry && strategyOf(vector.retry);
  try {
    const request = requestOf(vector, strategy);
    const steps = vector.commands.map((command) => requestStep(request, command));
    // Freeing the request returns the token of a pending attempt, so read the quota first.
    const available = strategy?.quota?.available ?? null;
    request.free();
    return { steps, available };
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

function requestOf({ idempotent, maxTime, policy, firstDelay }, strategy) {
  const plain = inSlots((slot) => new EngineRequestOptions(slot), resolve({ idempotent, maxTime }));
  const options = policy ? plain.withPolicy() : plain;
  return strategy ? new EngineRequest(StandardRetryStrategy.engineOf(strategy), options) : EngineRequest.withOutsideStrategy(firstDelay, options);
}

function requestStep(request, command) {
  try {
    const step = callEngine(() => takeRequestStep(request, resolve(command)));
    if (step === CALL) return { type: "call", attempt: request.attempt, deadlineMs: results.finite(request.deadlineMs) };
    if (step === SLEEP) return { type: "sleep", untilMs: request.untilMs };
    const [end, message] = request.end() ?? [null, null];
    return { type: "done", attempts: request.attempt, end, message };
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

function takeRequestStep(request, { poll, handle: now, success, failure, granted, refused, failed, deadlineReached, cancelled }) {
  if (poll !== undefined) return request.poll(poll);
  if (failure === undefined) request.classifyResponse();
  else request.classifyError(engineFailureOf(failureOf(failure), { now: failure.now === undefined ? null : failure.now * 1000 }));
  if (success) return request.succeeded(now);
  if (failed) return request.failed(now);
  if (deadlineReached) return request.deadlineReached(now);
  if (cancelled) return request.cancelled(now);
  if (granted !== undefined) return request.granted(granted, now);
  if (refused !== undefined) return request.refused(refused.code, refused.message, now);
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

/** Returns the action of a poll of a stored wait. */
export function pollAction(...record) {
  return callEngine(() => actionOf(...record));
}
