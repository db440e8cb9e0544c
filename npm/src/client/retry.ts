/**
 * Requests with retries.
 *
 * @module
 */

import { EngineRequestOptions, EngineRetryStrategy } from "../engine/engine.js";
import { checkCall, checkFunction, mustBe } from "../input/checks.js";
import { inSlots } from "../input/engine-call.js";
import { optionsOf } from "../input/engine-options.js";
import { checkOperation, Operation } from "../operation/operation.js";
import { type Call, checkTime } from "../options.js";
import type { State } from "../report/attempt-record.js";
import type { Observation } from "../verdict.js";
import { Waiter } from "../waiter.js";
import { RequestDriver } from "./request-driver.js";
import type { RetryCallOptions } from "./retry-options.js";
import { type RetryStrategy, StandardRetryStrategy } from "./retry-strategy.js";

const CALLBACKS = ["classify", "date", "onFailure"] as const;
const OTHERS = ["abortSignal", "clock", "input", "maxAttempts", "maxRetries", "operation", "policy", "seed", "sleep", "strategy"];

/**
 * Makes a request, and retries it while it fails and the strategy allows a retry. Returns a promise of the response.
 *
 * If there is no further attempt, the error of the last attempt is thrown unchanged. The callback `onFailure` receives the reason.
 * Disable the retries of the client itself, because they would multiply with these.
 *
 * `fetch` does not throw for an error status. Throw the response, or an error with the response as its member `response`.
 *
 * Clauses: [Using retry strategies](https://smithy.io/2.0/guides/client-guidance/retries.html#using-retry-strategies),
 * [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
 *
 * @param call the function that makes the request. It receives the attempt; pass its `signal` to the client.
 * @param options the strategy and the other options.
 * @throws RetryCancelled if the caller cancels, RetryTimeout if an attempt was aborted at `maxTime`, RetryError if a policy does
 * not accept the last response, OptionsError if an option is invalid, TypeError if the call is not a function. The promise rejects
 * with the error.
 *
 * @example
 * ```js
 * const strategy = new StandardRetryStrategy(); // one for all the requests of a client
 * const response = await retry(
 *   async ({ signal }) => {
 *     const response = await fetch(url, { signal });
 *     if (!response.ok) throw response;
 *     return response;
 *   },
 *   { strategy, idempotent: true, maxTime: 30 },
 * );
 * ```
 */
export function retry<Response>(
  call: Call<Response>,
  options?: RetryCallOptions<NoInfer<Response>> & { readonly policy?: undefined },
): Promise<Response>;
/** Makes a request with a policy. The promise resolves with `undefined` if the policy accepts an error as a success. */
export function retry<Response>(call: Call<Response>, options: RetryCallOptions<NoInfer<Response>>): Promise<Response | undefined>;
export async function retry<Response>(
  call: Call<Response>,
  options: RetryCallOptions<Response> = {},
): Promise<Response | undefined> {
  checkCall(call);
  const members = optionsOf("request", options, [...OTHERS, ...CALLBACKS]);
  checkOperation(options.operation);
  for (const option of CALLBACKS) checkFunction(option, options[option]);
  checkTime(options);
  return new RequestDriver(call, options, policyOf(options), strategyOf(options), requestOf(options, members)).toEnd();
}

/** Returns the options of a request for the engine. */
function requestOf<Response>({ operation, input, policy }: RetryCallOptions<Response>, members: object): EngineRequestOptions {
  const plain = inSlots((slot) => new EngineRequestOptions(slot), members);
  const modeled = operation ? Operation.ofRequest(operation, plain, input) : plain;
  return policy ? modeled.withPolicy() : modeled;
}

function strategyOf<Response>(options: RetryCallOptions<Response>): RetryStrategy {
  const { strategy, maxRetries, maxAttempts, seed } = options;
  checkStrategy(strategy);
  if (strategy === undefined || strategy === null) return new StandardRetryStrategy({ maxRetries, maxAttempts, seed });
  // A strategy has its own limits. Ignoring these options would be a silent surprise.
  inSlots((slot) => EngineRetryStrategy.checkNoOptions(slot), { maxRetries, maxAttempts, seed });
  return strategy;
}

/** Rejects a strategy without one of the required methods. */
function checkStrategy(strategy: unknown): void {
  if (strategy === undefined || strategy === null) return;
  const has = (method: string): boolean => typeof (strategy as Record<string, unknown>)[method] === "function";
  if (["acquireInitialToken", "refreshRetryToken", "recordSuccess"].every(has)) return;
  throw mustBe("strategy", "strategy", strategy);
}

/** Returns the policy as a function. The default policy returns `"retry"` for errors. */
function policyOf<Response>({ policy, input }: RetryCallOptions<Response>): (observation: Observation<Response>) => State {
  if (policy === undefined || policy === null) return (observation) => ("error" in observation ? "retry" : "success");
  if (policy instanceof Waiter) return (observation) => policy.evaluate(errorFromText(observation), { input: input as never }).state;
  throw mustBe("policy", "waiter", policy);
}

/**
 * Converts a string that was thrown to an error with this message. `Waiter#evaluate` would read the string as the name of an error.
 */
function errorFromText<Response>(observation: Observation<Response>): Observation<Response> {
  return "error" in observation && typeof observation.error === "string" ? { error: new Error(observation.error) } : observation;
}
