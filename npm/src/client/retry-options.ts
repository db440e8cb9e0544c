/**
 * The options of a request and its retries.
 *
 * @module
 */

import type { RetryEndCode } from "../errors/client.js";
import type { FailureInfo, RetryNote } from "../operation/failure-info.js";
import type { Operation } from "../operation/operation.js";
import type { Clock } from "../options.js";
import type { FakeClock } from "../testing.js";
import type { Sleep } from "../timers.js";
import type { Waiter } from "../waiter.js";
import type { RetryOptions, RetryStrategy } from "./retry-strategy.js";

/** A failed attempt and the decision about the next one. Times are in seconds. */
export interface RetryProgress<Response = unknown> {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The thrown value; `undefined` if a policy did not accept the response. */
  readonly error: unknown;
  /** The response that a policy did not accept; `undefined` if the call threw. */
  readonly response: Response | undefined;
  /** The classification of the failure. */
  readonly failure: FailureInfo;
  /** The seconds until the next attempt; `undefined` after the last attempt. */
  readonly delay: number | undefined;
  /** The stable code of the reason for ending the request; `undefined` if another attempt follows. */
  readonly end: RetryEndCode | undefined;
  /** The reason for ending the request, as readable text; `undefined` if another attempt follows. */
  readonly reason: string | undefined;
  /** A note about an ignored header, or about the reason why the error is not retried; `undefined` if there is nothing to note. */
  readonly note: RetryNote | undefined;
  /** The seconds since the request started. */
  readonly elapsed: number;
}

/** The options of `retry`. */
export interface RetryCallOptions<Response = unknown> extends Pick<RetryOptions, "maxAttempts" | "maxRetries" | "seed"> {
  /**
   * The strategy, which decides about retries and their delays. Share one strategy among all requests of a client, so
   * that they share its quota. It cannot be combined with `maxRetries`, `maxAttempts` or `seed`. By default each request has a new
   * `StandardRetryStrategy` with these options.
   */
  readonly strategy?: RetryStrategy | undefined;
  /**
   * `true` if the request may be repeated without harm, `false` if not. It overrides the `operation`; without both, the request
   * counts as not idempotent. Such a request is retried only if the service indicates that a retry is safe: by `Retry-After`,
   * status 429 or 503, a throttling code, or an error that is retryable in its model. See docs/rules.md#idempotent-retries.
   */
  readonly idempotent?: boolean | undefined;
  /**
   * The operation of a model. It determines whether a request with this `input` is idempotent, and which errors are retryable. By
   * default errors are classified without a model.
   */
  readonly operation?: Operation | undefined;
  /**
   * A waiter or a function that evaluates each result. After `"retry"` the strategy decides, `"failure"` ends the request, and
   * `"success"` returns the response, or `undefined` if the call threw. By default a response is a success, and the strategy decides about errors.
   */
  readonly policy?: Waiter<never, Response> | undefined;
  /** The input of the operation, for the option `operation` and for the `inputOutput` matchers of a waiter as `policy`. */
  readonly input?: unknown;
  /**
   * The maximum duration of all attempts together, in seconds. A call in flight is aborted when it has passed. No limit by default.
   */
  readonly maxTime?: number | undefined;
  /** A function that replaces `classify`. If it returns null or undefined, the error is classified as by `classify`. */
  readonly classify?: ((error: unknown) => FailureInfo | null | undefined) | undefined;
  /**
   * A function that is called after each failed attempt. If it returns a promise, the request awaits it, at most until `maxTime`
   * has passed. If it throws, or if the promise rejects before that, the request ends and the error is thrown unchanged.
   */
  readonly onFailure?: ((progress: RetryProgress<Response>) => unknown) | undefined;
  /**
   * A signal that cancels the request and the call in flight. The request then throws `RetryCancelled`, whose `cause` is the
   * signal's reason.
   */
  readonly abortSignal?: AbortSignal | undefined;
  /** A function that replaces `setTimeout` for pauses and deadlines. Its argument is **in milliseconds**. */
  readonly sleep?: Sleep | undefined;
  /**
   * A function that returns a monotonic time **in milliseconds**, or a `FakeClock`, which cannot be combined with `sleep`.
   *
   * @default performance.now
   */
  readonly clock?: Clock | FakeClock | undefined;
  /**
   * A function that returns the time **in milliseconds** since 1970, for a date in `Retry-After`.
   *
   * @default Date.now
   */
  readonly date?: (() => number) | undefined;
}
