/**
 * Requests that are made again.
 *
 * @module
 */

import { type Called, Caller } from "./calling.js";
import { checkBoolean, checkCall, checkFunction, checkNames, checkStrategy, checkTime, mustBe } from "./checks.js";
import { OptionsError } from "./errors.js";
import type { FailureInfo } from "./failure-info.js";
import { checkOperation, type Operation } from "./operation.js";
import type { Call, Clock, Sleep } from "./options.js";
import { RetryCancelled, RetryError, type RetryEnd, type RetryRefusal, RetryTimeout } from "./retry-errors.js";
import { outOfTime, type RequestPlan, type RetryProgress, RetryRequest } from "./retry-request.js";
import { type RetryOptions, type RetryStrategy, StandardRetryStrategy } from "./retry-strategy.js";
import type { FakeClock } from "./testing.js";
import { isThenable } from "./thenable.js";
import type { Seen, State } from "./verdict.js";
import { Waiter } from "./waiter.js";

/** How a request is made again. */
export interface RetryCallOptions<Response = unknown> extends Pick<RetryOptions, "maxAttempts" | "maxRetries" | "seed"> {
  /**
   * Decides whether to try again, and when. Give one to all the requests of a client: they share its quota. Without one, the
   * request has a `StandardRetryStrategy` of its own, with `maxRetries` or `maxAttempts` and `seed` (which are not for a
   * strategy that is given).
   */
  readonly strategy?: RetryStrategy | undefined;
  /**
   * Whether the request may be repeated without harm; counts over `operation`. Where neither says so, only what the service
   * invites to retry is: by `Retry-After`, 429, 503, a code that says that it throttles, or an error that its model calls
   * retryable.
   */
  readonly idempotent?: boolean | undefined;
  /** The operation of a model: says whether the request is idempotent with this `input`, and which errors are retryable. */
  readonly operation?: Operation | undefined;
  /**
   * Says what a result is: a waiter, whose acceptors do, or a function. `"retry"` asks the strategy; `"failure"` ends the
   * request; `"success"` gives the response, and `undefined` where it is an error's.
   */
  readonly policy?: Waiter<never, Response> | ((seen: Seen<Response>) => State) | undefined;
  /** The operation's input, which the `operation` and the `inputOutput` matchers of a waiter as policy look at. */
  readonly input?: unknown;
  /** The seconds that all attempts have together: none begins after it, and one that runs then is cut. No limit without it. */
  readonly maxTime?: number | undefined;
  /** Says what an error means for a retry, instead of `classify`; undefined or null where the usual reading is as well. */
  readonly classify?: ((error: unknown) => FailureInfo | null | undefined) | undefined;
  /**
   * Called after each attempt that failed. A promise that it gives is awaited, until `maxTime` is over at most. What it
   * throws, or its promise rejects with, ends the request and is thrown as it is.
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

const OPTIONS: readonly (keyof RetryCallOptions)[] = [
  "abortSignal",
  "classify",
  "clock",
  "date",
  "idempotent",
  "input",
  "maxAttempts",
  "maxRetries",
  "maxTime",
  "onFailure",
  "operation",
  "policy",
  "seed",
  "sleep",
  "strategy",
];

/** Ten years. */
const LONGEST = 315_360_000;

/**
 * Makes a request, and makes it again while it fails and the strategy says so.
 *
 * Where there is no other attempt, the error of the last one is thrown as it is; `onFailure` is told why there is none.
 * Switch a client's own retries off: they multiply with these.
 *
 * A call of `fetch` does not fail by a status: throw the response, or an error that has it as its `response`.
 *
 * Clauses: [Using retry strategies](https://smithy.io/2.0/guides/client-guidance/retries.html#using-retry-strategies),
 * [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
 *
 * @param call is handed the attempt; give its `signal` to whatever takes one.
 * @throws RetryCancelled, RetryTimeout (an attempt was cut at `maxTime`), RetryError (a policy says no to the last response);
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
  const plan = planOf(options);
  return new Retrying(call, plan, new Caller(options, "request")).toEnd();
}

class Retrying<Response> {
  readonly #call: Call<Response>;
  readonly #plan: RequestPlan<Response>;
  readonly #caller: Caller;
  readonly #request: RetryRequest<Response>;
  #last: { readonly response: Response } | { readonly error: unknown } | undefined;

  constructor(call: Call<Response>, plan: RequestPlan<Response>, caller: Caller) {
    this.#call = call;
    this.#plan = plan;
    this.#caller = caller;
    this.#request = new RetryRequest(plan);
  }

  async toEnd(): Promise<Response | undefined> {
    try {
      return await this.#toEnd();
    } finally {
      this.#request.close();
    }
  }

  async #toEnd(): Promise<Response | undefined> {
    for (;;) {
      await this.#pause();
      const called = await this.#attempt();
      if (called === undefined) throw this.#cancelled();
      if (called === "cut") throw this.#cut();
      this.#last = called;
      const sequel = this.#request.take(called, this.#caller.watch.elapsed());
      if (isThenable(this.#request.told)) await this.#caller.heard(this.#request.told, this.#plan.maxTimeMs);
      if (sequel === "again") continue;
      if (sequel === "done") return "error" in called ? undefined : called.response;
      if ("error" in called) throw called.error;
      throw this.#failed(sequel);
    }
  }

  /** Waits until the next attempt is due, by the clock: a timer may fire early. */
  async #pause(): Promise<void> {
    const { cancellation, watch } = this.#caller;
    for (;;) {
      if (cancellation.happened) throw this.#cancelled();
      const rest = this.#request.until - watch.elapsed();
      if (rest <= 0) return;
      await this.#caller.pause(rest);
    }
  }

  async #attempt(): Promise<Called<Response>> {
    const remainingMs = this.#plan.maxTimeMs - this.#caller.watch.elapsed();
    if (remainingMs <= 0) return "cut";
    this.#request.begin();
    const called = await this.#caller.called(this.#call, this.#request.attempts, remainingMs);
    return this.#caller.cancellation.happened ? undefined : called;
  }

  #failed({ message, code }: RetryRefusal): RetryError<Response> {
    return new RetryError(message, this.#end(code, undefined));
  }

  #cut(): RetryTimeout<Response> {
    const { message, code } = outOfTime();
    const { error } = { error: undefined, ...this.#last };
    return new RetryTimeout(message, this.#end(code, error === undefined ? undefined : { cause: error }));
  }

  #cancelled(): RetryCancelled<Response> {
    return new RetryCancelled("the request was cancelled", this.#end("cancelled", { cause: this.#caller.cancellation.reason }));
  }

  #end(code: RetryEnd<Response>["code"], cause: ErrorOptions | undefined): RetryEnd<Response> {
    return { response: undefined, error: undefined, ...this.#last, code, cause, attempts: this.#request.attempts };
  }
}

function planOf<Response>(options: RetryCallOptions<Response>): RequestPlan<Response> {
  checkNames(options, OPTIONS);
  const { idempotent, operation, input, classify, onFailure, date } = options;
  checkBoolean("idempotent", idempotent);
  checkOperation(operation);
  checkFunction("classify", classify);
  checkFunction("onFailure", onFailure);
  checkFunction("date", date);
  checkTime(options);
  const policy = policyOf(options);
  return {
    strategy: strategyOf(options),
    classify,
    // What a policy says is to be retried may be.
    reading: { idempotent: policy !== undefined || (idempotent ?? operation?.isIdempotent(input as object)), operation: operation ?? undefined },
    date: date ?? Date.now,
    policy,
    onFailure,
    maxTimeMs: maxTimeOf(options),
  };
}

function strategyOf<Response>({ strategy, maxRetries, maxAttempts, seed }: RetryCallOptions<Response>): RetryStrategy {
  checkStrategy("strategy", strategy);
  if (strategy === undefined || strategy === null) {
    return new StandardRetryStrategy({ maxRetries, maxAttempts, seed });
  }
  for (const [option, value] of Object.entries({ maxRetries, maxAttempts, seed })) {
    if (value === undefined || value === null) continue;
    const message = `a \`strategy\` has its own limits: \`${option}\` is not for it`;
    throw new OptionsError({ code: "conflicting_options", option, message });
  }
  return strategy;
}

function policyOf<Response>({ policy, input }: RetryCallOptions<Response>): ((seen: Seen<Response>) => State) | undefined {
  if (policy === undefined || policy === null || typeof policy === "function") return policy ?? undefined;
  if (policy instanceof Waiter) return (seen) => policy.evaluate(asThrown(seen), { input: input as never }).state;
  throw mustBe("policy", "a `Waiter` or a function");
}

/** A text that was thrown is a message, and no name of an error. */
function asThrown<Response>(seen: Seen<Response>): Seen<Response> {
  return "error" in seen && typeof seen.error === "string" ? { error: new Error(seen.error) } : seen;
}

function maxTimeOf<Response>({ maxTime }: RetryCallOptions<Response>): number {
  if (maxTime === undefined || maxTime === null) return Number.POSITIVE_INFINITY;
  const ms = Math.floor(maxTime * 1000 + 0.5);
  if (typeof maxTime === "number" && ms >= 1 && maxTime <= LONGEST) return ms;
  throw mustBe("maxTime", "a number of seconds, at least 0.001 and at most 315360000 (ten years)");
}
