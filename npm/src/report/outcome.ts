/**
 * The end of a wait.
 *
 * @module
 */

import type { JsonValue } from "../values/json-value.js";
import type { AttemptJson, AttemptRecord, AttemptResult } from "./attempt-record.js";

/**
 * The outcome of a wait that succeeded. Its `result` narrows the type. A wait may succeed by an error, such as the error for a
 * resource that was deleted.
 */
export type Outcome<Response = unknown, Failure = unknown> = ResponseOutcome<Response> | ErrorOutcome<Failure>;

/** The outcome of a wait that succeeded by a response. */
export interface ResponseOutcome<Response = unknown> extends Success {
  /** Always `"response"`. */
  readonly result: "response";
  /** The response that matched. */
  readonly response: Response;
  /** Always `undefined`. */
  readonly error: undefined;
}

/** The outcome of a wait that succeeded by an error. */
export interface ErrorOutcome<Failure = unknown> extends Success {
  /** Always `"error"`. */
  readonly result: "error";
  /** Always `undefined`. */
  readonly response: undefined;
  /** The error that matched. */
  readonly error: Failure;
}

/** The members that all outcomes share. */
export interface Success {
  /** The number of calls made. */
  readonly attempts: number;
  /** The duration of the wait, in seconds. */
  readonly elapsed: number;
  /**
   * The maximum time between the change of the resource and the end of the wait, in seconds. It is measured from the start of the
   * newest earlier call that did not end with a transient error; `undefined` if there was no such call.
   */
  readonly noticedWithin: number | undefined;
  /** The index of the acceptor that matched. */
  readonly acceptor: number | undefined;
  /** The JSON text of that acceptor in the definition. */
  readonly acceptorText: string | undefined;
  /** The newest attempts, at most `historyLimit`, in chronological order. */
  readonly history: readonly AttemptRecord[];
  /** Returns all details as plain data. `JSON.stringify` calls this method; see `WaiterError#toJSON`. */
  toJSON(): EndJson;
  /** Returns the outcome as one line without the response: the waiter, the label, the time and the attempts. Node and Deno print it. */
  toString(): string;
}

/** The stable code of a failed wait. */
export type FailureCode =
  | "cancelled"
  | "failure_state"
  | "gone"
  | "never_found"
  | "never_left"
  | "never_seen"
  | "replaced"
  | "timed_out"
  | "too_many_attempts"
  | "unexpected_state"
  | "unmatched_error"
  | "unreachable";

/** The engine's report of a wait. Times are in seconds. */
export interface WaitReport {
  readonly code?: FailureCode;
  readonly message: string;
  readonly waiter?: string;
  readonly label?: string;
  /** The kind of the last attempt's result. */
  readonly result?: AttemptResult;
  readonly acceptor?: number;
  readonly acceptorText?: string;
  readonly attempts: number;
  readonly elapsed: number;
  readonly noticedWithin?: number;
  readonly history: readonly AttemptRecord[];
}

/** The end of a wait as plain data, with null for absent members: the same members in every language. */
export interface EndJson {
  /** The class of the failure, such as `WaiterTimeout`; null for an outcome. */
  readonly name: string | null;
  /** The message. */
  readonly message: string;
  /** The stable code of the failure; null for an outcome. */
  readonly code: FailureCode | null;
  /** The waiter's name. */
  readonly waiter: string | null;
  /** The option `label` of the wait. */
  readonly label: string | null;
  /** The kind of the last attempt's result; null if no call was made. */
  readonly result: AttemptResult | null;
  /** The index of the acceptor that ended the wait. */
  readonly acceptor: number | null;
  /** The JSON text of that acceptor in the definition. */
  readonly acceptorText: string | null;
  /** The number of calls made. */
  readonly attempts: number;
  /** The duration of the wait, in seconds. */
  readonly elapsed: number;
  /** The maximum time between the change of the resource and the end of the wait, in seconds. */
  readonly noticedWithin: number | null;
  /** The response that matched, or the newest response of a failed wait, as plain data. */
  readonly response: JsonValue;
  /** The error that matched, or the newest error of a failed wait, as plain data with its name and message. */
  readonly error: JsonValue;
  /** The cause of a failure as plain data. */
  readonly cause: JsonValue;
  /** The newest attempts, at most `historyLimit`, in chronological order. */
  readonly history: readonly AttemptJson[];
  /** The paths of the members whose values are omitted, if there are any. */
  readonly redact?: readonly string[];
}

/** The newest response and the newest error of a wait, as JavaScript values. */
export class LatestResult<Response> {
  response: Response | undefined;
  error: unknown;
  /** The reason of the cancellation, if the wait was cancelled. */
  reason: unknown;
}
