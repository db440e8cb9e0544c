/**
 * The end of a wait, and its attempts.
 *
 * @module
 */

import type { Reason, State } from "./verdict.js";

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
  /** The index of the acceptor that matched. */
  readonly acceptor: number | undefined;
  /** That acceptor as the definition has it, as JSON text. */
  readonly acceptorText: string | undefined;
  /** The newest attempts, the oldest first; at most `historyLimit`. */
  readonly history: readonly AttemptRecord[];
}

/** Why a wait did not succeed, for programs. */
export type FailureCode = "cancelled" | "failure_state" | "timed_out" | "too_many_attempts" | "unmatched_error";

/** One attempt that has ended. */
export interface AttemptRecord {
  /** Its number, from 1. */
  readonly attempt: number;
  /** When the call was started, in milliseconds since the wait began. */
  readonly startedMs: number;
  /** When it ended, in milliseconds since the wait began. */
  readonly endedMs: number;
  /** The end of the call. */
  readonly result: AttemptResult;
  /** The error in one line, if the call failed. */
  readonly error?: string;
  /** The verdict's state; absent if the result was not evaluated. */
  readonly state?: State;
  /** The index of the acceptor that matched. */
  readonly acceptor?: number;
  /** Why each evaluated acceptor did or did not match. */
  readonly reasons: readonly Reason[];
  /** The delay that followed, in milliseconds. */
  readonly delayMs?: number;
  /** Whether the attempt after that delay is the last that fits. */
  readonly nextIsLast: boolean;
}

/** An `AttemptRecord` as plain data, with null for absent members. */
export interface AttemptJson extends Omit<AttemptRecord, "acceptor" | "delayMs" | "error" | "reasons" | "state"> {
  readonly error: string | null;
  readonly state: State | null;
  readonly acceptor: number | null;
  readonly reasons: readonly ReasonJson[];
  readonly delayMs: number | null;
}

/** A `Reason` as plain data. */
export interface ReasonJson extends Omit<Reason, "acceptor"> {
  readonly acceptor: number | null;
}

/**
 * An attempt as plain data.
 *
 * @internal
 */
export function attemptJson(record: AttemptRecord): AttemptJson {
  const { attempt, startedMs, endedMs, result, error = null, state = null, acceptor = null, delayMs = null, nextIsLast } = record;
  const reasons = record.reasons.map(({ acceptor = null, matched, code, text }) => ({ acceptor, matched, code, text }));
  return { attempt, startedMs, endedMs, result, error, state, acceptor, reasons, delayMs, nextIsLast };
}

/** The end of a call: cut at a deadline, ended after it, cancelled by the caller, or a response or an error. */
export type AttemptResult = "cancelled" | "cut" | "error" | "late" | "response";

/** The engine's report of a wait. */
export interface WaitReport {
  readonly waiter?: string;
  readonly code?: FailureCode;
  readonly message: string;
  readonly acceptor?: number;
  readonly acceptorText?: string;
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly lastResult?: AttemptResult;
  readonly history: readonly AttemptRecord[];
}

/** The host's own newest response and newest error of a wait. */
export class LastSeen<Response> {
  response: Response | undefined;
  error: unknown;
  /** `true` if it has an error, which may be `undefined`. */
  hasError = false;
  /** The reason of a cancelled wait. */
  reason: unknown;

  keepError(error: unknown): void {
    this.error = error;
    this.hasError = true;
  }

  /** Returns the `cause` of a failure: the reason of a cancellation, or the error that the last attempt ended with. */
  causeOf({ code, lastResult }: WaitReport): ErrorOptions | undefined {
    if (code === "cancelled") return this.reason === undefined ? undefined : { cause: this.reason };
    return lastResult === "error" && this.hasError ? { cause: this.error } : undefined;
  }
}
