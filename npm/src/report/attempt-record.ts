/**
 * The record of an attempt.
 *
 * @module
 */

/** The state that an acceptor leads to, or that follows where none matches. */
export type State = "success" | "failure" | "retry";

/** Why an acceptor did or did not match. */
export interface Reason {
  /** The index of the acceptor; `undefined` if a transient error or the attempt timeout is the reason. */
  readonly acceptor: number | undefined;
  /** Whether it did. */
  readonly matched: boolean;
  /** Why, for programs. */
  readonly code: ReasonCode;
  /** Why, for people. */
  readonly text: string;
}

/** Why an acceptor did or did not match, for programs; `matched` and `matched_by_class` are matches. */
export type ReasonCode =
  | "empty"
  | "evaluation_error"
  | "limit_exceeded"
  | "matched"
  | "matched_by_class"
  | "not_applicable"
  | "not_equal"
  | "null"
  | "transient"
  | "wrong_type";

/** The value of one of the paths that the option `show` lists. */
export interface PathValue {
  /** The path, as the option has it. */
  readonly path: string;
  /** The value as JSON, cut at 200 characters; only its type if it is redacted. */
  readonly text: string;
}

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
  /** The values of the paths that the option `show` lists, of a response; absent without the option. */
  readonly values?: readonly PathValue[];
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
  const values = record.values && { values: record.values };
  return { attempt, startedMs, endedMs, result, error, state, acceptor, reasons, ...values, delayMs, nextIsLast };
}

/** The end of a call: cut at a deadline, ended after it, cancelled by the caller, or a response or an error. */
export type AttemptResult = "cancelled" | "cut" | "error" | "late" | "response";
