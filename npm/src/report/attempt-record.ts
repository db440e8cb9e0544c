/**
 * The record of an attempt.
 *
 * @module
 */

/** The state of a wait after a response or an error. */
export type State = "success" | "failure" | "retry";

/** The reason why an acceptor matched or did not match. */
export interface Reason {
  /** The index of the acceptor; absent if the reason is a transient error or the attempt timeout. */
  readonly acceptor?: number | undefined;
  /** `true` if the acceptor matched. */
  readonly matched: boolean;
  /** The stable code of the reason. */
  readonly code: ReasonCode;
  /** The reason as readable text. */
  readonly text: string;
}

/** The stable code of a reason. `matched` and `matched_by_class` are matches. */
export type ReasonCode =
  | "empty"
  | "evaluation_error"
  | "limit_exceeded"
  | "matched"
  | "matched_by_class"
  | "not_applicable"
  | "not_equal"
  | "not_found"
  | "null"
  | "other"
  | "too_small"
  | "transient"
  | "unchanged"
  | "unstable"
  | "wrong_type";

/** A probable mistake in a definition, an option or a call, which a result of the call shows. */
export interface Hint {
  /**
   * The stable code:
   *
   * - `"error_suffix"`: an error has the name of an acceptor's error except for its case or a suffix such as `Exception`
   * - `"letter_case"`: a value differs from the expected one only in case
   * - `"long_wait"`: `maxWaitTime` exceeds a day
   * - `"missing_quotes"`: a condition compares with a member that does not exist, instead of with a text
   * - `"near_name"`: a member of a path does not exist, beside a member with a similar name
   * - `"never_matches"`: the comparator or the path never fits the type of the value
   * - `"no_response"`: the call returned nothing
   */
  readonly code: "error_suffix" | "letter_case" | "long_wait" | "missing_quotes" | "near_name" | "never_matches" | "no_response";
  /** The text, in one line. */
  readonly text: string;
}

/** The value of a path in the option `show`. */
export interface PathValue {
  /** The path, as in the option. */
  readonly path: string;
  /** The value as JSON, truncated to 200 characters; only its type if it is redacted. */
  readonly text: string;
}

/** The record of an attempt that has ended. */
export interface AttemptRecord {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The start of the call, in milliseconds since the wait started. */
  readonly startedMs: number;
  /** The end of the call, in milliseconds since the wait started. */
  readonly endedMs: number;
  /** The kind of the call's result. */
  readonly result: AttemptResult;
  /** The error in one line; absent if the call did not throw. */
  readonly error?: string;
  /** The state after the attempt; absent if the result was not evaluated. */
  readonly state?: State;
  /** The index of the acceptor that matched; absent if none did. */
  readonly acceptor?: number;
  /** The reason of each evaluated acceptor. */
  readonly reasons: readonly Reason[];
  /** The values of the paths in the option `show`; empty for an error and without the option. */
  readonly values: readonly PathValue[];
  /** The delay after the attempt, in milliseconds; absent if the wait ended with the attempt. */
  readonly delayMs?: number;
  /** `true` if the next attempt is the last one that fits before the deadline. */
  readonly nextIsLast: boolean;
}

/** An `AttemptRecord` as plain data, with null for absent members. */
export interface AttemptJson extends Omit<AttemptRecord, "acceptor" | "delayMs" | "error" | "reasons" | "state"> {
  /** The error in one line. */
  readonly error: string | null;
  /** The state after the attempt. */
  readonly state: State | null;
  /** The index of the acceptor that matched. */
  readonly acceptor: number | null;
  /** The reason of each evaluated acceptor. */
  readonly reasons: readonly ReasonJson[];
  /** The delay after the attempt, in milliseconds. */
  readonly delayMs: number | null;
}

/** A `Reason` as plain data. */
interface ReasonJson extends Omit<Reason, "acceptor"> {
  /** The index of the acceptor. */
  readonly acceptor: number | null;
}

/**
 * The kind of a call's result: a response, an error, aborted at a deadline (`cut`), ended after the deadline of the wait (`late`),
 * or cancelled by the caller.
 */
export type AttemptResult = "cancelled" | "cut" | "error" | "late" | "response";
