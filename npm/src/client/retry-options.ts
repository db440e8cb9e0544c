/**
 * The options of a request and its retries.
 *
 * @module
 */

import type { Sleep } from "../driver/timers.js";
import type { Clock } from "../options.js";
import type { State } from "../report/attempt-record.js";
import type { FakeClock } from "../testing.js";
import type { Observation } from "../verdict.js";
import type { Waiter } from "../waiter.js";
import type { RetryEndCode } from "./errors.js";
import type { FailureInfo, RetryNote } from "./failure-info.js";
import type { Operation } from "./operation.js";
import type { RetryOptions, RetryStrategy } from "./retry-strategy.js";

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
  readonly policy?: Waiter<never, Response> | ((seen: Observation<Response>) => State) | undefined;
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
