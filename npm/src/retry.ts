/**
 * Requests that are made again.
 *
 * @module
 */

import { checkCall, checkFunction, checkNames, checkStrategy, checkTime, invalidOption, mustBe } from "./checks.js";
import { RequestDriver } from "./driver/request.js";
import { EngineRequestOptions } from "./engine.js";
import { OptionsError } from "./errors.js";
import type { FailureInfo, RetryNote } from "./failure-info.js";
import { checkOperation, Operation } from "./operation.js";
import type { Call, Clock, Sleep } from "./options.js";
import type { RetryEndCode } from "./retry-errors.js";
import { type RetryOptions, type RetryStrategy, StandardRetryStrategy } from "./retry-strategy.js";
import { inSlots } from "./slots.js";
import type { FakeClock } from "./testing.js";
import { atOnce } from "./thenable.js";
import { type Seen, type State, STATES } from "./verdict.js";
import { Waiter } from "./waiter.js";

/** One attempt that failed, and what follows it. Times are in seconds. */
export interface RetryProgress<Response = unknown> {
  /** Its number, from 1. */
  readonly attempt: number;
  /** The thrown value; `undefined` if a policy does not accept the response. */
  readonly error: unknown;
  /** That response. */
  readonly response: Response | undefined;
  /** The classification of the failure. */
  readonly failure: FailureInfo;
  /** The seconds until the next attempt; `undefined` if there is none. */
  readonly delay: number | undefined;
  /** Why there is none, for programs. */
  readonly end: RetryEndCode | undefined;
  /** Why there is none, for people. */
  readonly reason: string | undefined;
  /** Which header was ignored, or what keeps the error from being retried. */
  readonly note: RetryNote | undefined;
  /** The seconds since the request began. */
  readonly elapsed: number;
}

/** The options of a request and its retries. */
export interface RetryCallOptions<Response = unknown> extends Pick<RetryOptions, "maxAttempts" | "maxRetries" | "seed"> {
  /**
   * Decides whether to try again, and when. Give one to all the requests of a client: they share its quota. Without one, the
   * request has a `StandardRetryStrategy` of its own, with `maxRetries` or `maxAttempts` and `seed` (which are not for a
   * strategy that is given).
   */
  readonly strategy?: RetryStrategy | undefined;
  /**
   * `true` if the request may be repeated without harm, `false` if not, whatever `operation` says. If neither says so, a request is
   * repeated only if the service invites it: by `Retry-After`, 429, 503, a throttling code, or an error that its model calls retryable.
   */
  readonly idempotent?: boolean | undefined;
  /** The operation of a model: whether the request is idempotent with this `input`, and which errors are retryable. */
  readonly operation?: Operation | undefined;
  /**
   * Judges each result: a waiter, by its acceptors, or a function. With `"retry"` the strategy decides; `"failure"` ends the request;
   * `"success"` returns the response, or `undefined` if the call threw.
   */
  readonly policy?: Waiter<never, Response> | ((seen: Seen<Response>) => State) | undefined;
  /** The operation's input, which the `operation` and the `inputOutput` matchers of a waiter as policy read. */
  readonly input?: unknown;
  /** The seconds for all attempts together: none starts after it, and one in flight is cut. No limit by default. */
  readonly maxTime?: number | undefined;
  /** Classifies an error, instead of `classify`; `undefined` or null for the usual classification. */
  readonly classify?: ((error: unknown) => FailureInfo | null | undefined) | undefined;
  /**
   * Called after each failed attempt. If it returns a promise, that is awaited, until `maxTime` is over at most. An exception that it
   * throws, or a rejection until then, ends the request and is thrown unchanged.
   */
  readonly onFailure?: ((progress: RetryProgress<Response>) => unknown) | undefined;
  /** Cancels the request, and the call that is in flight: `RetryCancelled`, with the signal's reason as its `cause`. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Sleeps, instead of timers: **in milliseconds**, as for a wait. */
  readonly sleep?: Sleep | undefined;
  /** A monotonic clock **in milliseconds**, instead of `performance.now`; or a `FakeClock`, which sleeps by itself. */
  readonly clock?: Clock | FakeClock | undefined;
  /** The time **in milliseconds** since 1970, instead of `Date.now`, for a `Retry-After` that is a date. */
  readonly date?: (() => number) | undefined;
}

const LIMITS = ["maxAttempts", "maxRetries", "seed"] as const;
const CALLBACKS = ["classify", "date", "onFailure"] as const;
const OPTIONS = [...LIMITS, ...CALLBACKS, "abortSignal", "clock", "idempotent", "input", "maxTime", "operation", "policy", "sleep", "strategy"] as const;

/**
 * Makes a request, and makes it again while it fails and the strategy allows it.
 *
 * If there is no other attempt, the error of the last one is thrown unchanged; `onFailure` receives the reason.
 * Switch a client's own retries off: they multiply with these.
 *
 * A call of `fetch` does not fail by a status: throw the response, or an error that has it as its `response`.
 *
 * Clauses: [Using retry strategies](https://smithy.io/2.0/guides/client-guidance/retries.html#using-retry-strategies),
 * [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
 *
 * @param call is handed the attempt; give its `signal` to whatever takes one.
 * @throws RetryCancelled, RetryTimeout (an attempt was cut at `maxTime`), RetryError (a policy rejects the last response);
 * OptionsError for options that do not hold, TypeError for a call that is no function: the promise rejects with it.
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
export function retry<Response>(call: Call<Response>, options: RetryCallOptions<NoInfer<Response>>): Promise<Response | undefined>;
export async function retry<Response>(
  call: Call<Response>,
  options: RetryCallOptions<Response> = {},
): Promise<Response | undefined> {
  checkCall(call);
  checkNames(options, OPTIONS);
  checkOperation(options.operation);
  for (const option of CALLBACKS) checkFunction(option, options[option]);
  checkTime(options);
  return new RequestDriver(call, options, judgeOf(options), strategyOf(options), requestOf(options)).toEnd();
}

/** Returns the engine's options of a request. */
function requestOf<Response>({ idempotent, maxTime, operation, input, policy }: RetryCallOptions<Response>): EngineRequestOptions {
  const plain = inSlots((slot) => new EngineRequestOptions(slot), { idempotent, maxTime });
  const modeled = operation ? Operation.ofRequest(operation, plain, input) : plain;
  return policy ? modeled.judgedByPolicy() : modeled;
}

function strategyOf<Response>(options: RetryCallOptions<Response>): RetryStrategy {
  const { strategy, maxRetries, maxAttempts, seed } = options;
  checkStrategy("strategy", strategy);
  if (strategy === undefined || strategy === null) return new StandardRetryStrategy({ maxRetries, maxAttempts, seed });
  const option = LIMITS.find((limit) => (options[limit] ?? undefined) !== undefined);
  if (option === undefined) return strategy;
  const message = `\`${option}\` cannot be combined with \`strategy\`, which has its own limits`;
  throw new OptionsError({ code: "conflicting_options", option, message });
}

/** Returns the policy; by default errors are to be retried. */
function judgeOf<Response>({ policy, input }: RetryCallOptions<Response>): (seen: Seen<Response>) => State {
  if (policy === undefined || policy === null) return (seen) => ("error" in seen ? "retry" : "success");
  if (policy instanceof Waiter) return (seen) => policy.evaluate(asThrown(seen), { input: input as never }).state;
  if (typeof policy === "function") return (seen) => checkedState(atOnce("policy", policy(seen)));
  throw mustBe("policy", "a `Waiter` or a function");
}

function checkedState(state: State): State {
  if (STATES.includes(state)) return state;
  throw invalidOption("policy", `\`${String(state)}\` is not a state: \`success\`, \`failure\` or \`retry\``);
}

/** A text that was thrown is a message, not the name of an error. */
function asThrown<Response>(seen: Seen<Response>): Seen<Response> {
  return "error" in seen && typeof seen.error === "string" ? { error: new Error(seen.error) } : seen;
}
