/**
 * The end of a wait.
 *
 * @module
 */

import type { AttemptRecord, AttemptResult } from "./attempt-record.js";

/**
 * A wait that succeeded; `result` tells the two apart, also to the compiler. A success may be an error: that of a resource
 * that is gone.
 */
export type Outcome<Response = unknown, Failure = unknown> = ResponseOutcome<Response> | ErrorOutcome<Failure>;

/** A wait that succeeded by a response. */
export interface ResponseOutcome<Response = unknown> extends Success {
  readonly result: "response";
  /** The response that the wanted state was seen in. */
  readonly response: Response;
  readonly error: undefined;
}

/** A wait that succeeded by an error. */
export interface ErrorOutcome<Failure = unknown> extends Success {
  readonly result: "error";
  readonly response: undefined;
  /** The error that the wanted state was seen in. */
  readonly error: Failure;
}

/** What is known of every wait that succeeded. */
export interface Success {
  /** The number of calls that were made. */
  readonly attempts: number;
  /** How long it took, in seconds. */
  readonly elapsed: number;
  /**
   * How late the success may have been noticed, in seconds: the time since the start of the newest call before it that did not end
   * with a transient error; `undefined` if there is none.
   */
  readonly noticedWithin: number | undefined;
  /** The index of the acceptor that matched. */
  readonly acceptor: number | undefined;
  /** That acceptor as the definition has it, as JSON text. */
  readonly acceptorText: string | undefined;
  /** The newest attempts, the oldest first; at most `historyLimit`. */
  readonly history: readonly AttemptRecord[];
}

/** Why a wait did not succeed, for programs. */
export type FailureCode = "cancelled" | "failure_state" | "timed_out" | "too_many_attempts" | "unexpected_state" | "unmatched_error" | "unreachable";

/** The engine's report of a wait. */
export interface WaitReport {
  readonly waiter?: string;
  readonly label?: string;
  readonly code?: FailureCode;
  readonly message: string;
  readonly acceptor?: number;
  readonly acceptorText?: string;
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly noticedWithinMs?: number;
  readonly lastResult?: AttemptResult;
  readonly history: readonly AttemptRecord[];
}

/** The host's own newest response and newest error of a wait. */
export class LatestResult<Response> {
  response: Response | undefined;
  error: unknown;
  /** `true` if it has an error, which may be `undefined`. */
  hasError = false;
  /** The reason of a cancelled wait. */
  reason: unknown;

  setError(error: unknown): void {
    this.error = error;
    this.hasError = true;
  }

  /** Returns the `cause` of a failure: the reason of a cancellation, or the error that the last attempt ended with. */
  causeOf({ code, lastResult }: WaitReport): ErrorOptions | undefined {
    if (code === "cancelled") return this.reason === undefined ? undefined : { cause: this.reason };
    return lastResult === "error" && this.hasError ? { cause: this.error } : undefined;
  }
}
