/**
 * The end of a wait as plain data, and its revival.
 *
 * @module
 */

import type { StateErrorCode } from "../errors/codes.js";
import { failureOf, StateError, type WaiterErrorJson } from "../errors/waiter.js";
import { type AttemptJson, attemptJson, type AttemptRecord } from "../report/attempt-record.js";
import { LatestResult, type Outcome, type Success } from "../report/outcome.js";
import { type JsonValue, plain } from "../values/json-value.js";

/** An `Outcome` as plain data, with null for absent members. */
export interface OutcomeJson extends Omit<Success, "acceptor" | "acceptorText" | "history" | "noticedWithin"> {
  /** The kind of the result that matched. */
  readonly result: "error" | "response";
  /** The response that matched. */
  readonly response: JsonValue;
  /** The error that matched, with its name and message. */
  readonly error: JsonValue;
  /** The maximum time between the change of the resource and the end of the wait, in seconds. */
  readonly noticedWithin: number | null;
  /** The index of the acceptor that matched. */
  readonly acceptor: number | null;
  /** The JSON text of that acceptor in the definition. */
  readonly acceptorText: string | null;
  /** The newest attempts, at most `historyLimit`, in chronological order. */
  readonly history: readonly AttemptJson[];
}

/** A `WaiterError` as plain data, with its readable report. */
export interface FailureJson extends WaiterErrorJson {
  /** The text of `explain()`. */
  readonly explanation: string;
}

/** The end of a wait: its outcome or its failure. */
export type SavedEnd =
  | { readonly outcome: OutcomeJson; readonly failure?: undefined }
  | { readonly outcome?: undefined; readonly failure: FailureJson };

/** Returns an outcome as plain data. */
export function outcomeJson(outcome: Outcome): OutcomeJson {
  const { result, response, error, attempts, elapsed, noticedWithin = null, acceptor = null, acceptorText = null, history } = outcome;
  const values = { response: plain(response), error: plain(error) };
  return { result, ...values, attempts, elapsed, noticedWithin, acceptor, acceptorText, history: history.map(attemptJson) };
}

/** Returns the outcome of its plain data. An error becomes an `Error` with the same name, message and members. */
export function outcomeOf<Response>(json: OutcomeJson): Outcome<Response> {
  const { result, attempts, elapsed } = json;
  const { noticedWithin, acceptor, acceptorText } = withoutNulls(json);
  const members = { attempts, elapsed, noticedWithin, acceptor, acceptorText, history: json.history.map(recordOf) };
  if (result === "error") return { result, response: undefined, error: errorOf(json.error), ...members };
  return { result, response: json.response as Response, error: undefined, ...members };
}

/**
 * Returns the `WaiterError` or the `StateError` of its plain data, which may be the members of another error. The stack starts at the
 * caller of `thrower`. Returns any other value unchanged.
 */
export function revive(data: unknown, thrower: (...values: never[]) => unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (isFailure(data)) return waiterErrorOf(data, thrower);
  const { name, code, message } = data as Partial<StateError>;
  return name === "StateError" && message !== undefined ? new StateError({ code: code as StateErrorCode, message }) : data;
}

function isFailure(data: object): data is FailureJson {
  return "explanation" in data && "history" in data;
}

function waiterErrorOf(json: FailureJson, thrower: (...values: never[]) => unknown): Error {
  const { message, code, attempts, elapsed, explanation, waiter, label, acceptor, acceptorText } = json;
  const latest = new LatestResult<unknown>();
  latest.response = json.response ?? undefined;
  if (json.error !== null) latest.setError(errorOf(json.error));
  if (code === "cancelled") latest.reason = errorOf(json.cause);
  // A failure has a cause if its last call threw an error, or if it was cancelled for a reason.
  const lastResult = json.cause === null ? null : ("error" as const);
  const members = withoutNulls({ waiter, label, acceptor, acceptorText, lastResult });
  const report = { code, message, attempts, elapsedMs: elapsed * 1000, history: json.history.map(recordOf), ...members };
  return failureOf({ code, report, explanation, latest }, thrower as () => never);
}

/** Returns an error of its plain data. A value without a name and a message is returned unchanged. */
function errorOf(json: JsonValue): unknown {
  const { name, message, cause, ...members } = (json ?? {}) as { readonly [name: string]: JsonValue };
  if (typeof name !== "string" || typeof message !== "string") return json ?? undefined;
  const error = new Error(message, cause === undefined ? undefined : { cause: errorOf(cause) });
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  return Object.assign(error, members);
}

function recordOf({ reasons, ...record }: AttemptJson): AttemptRecord {
  return { ...withoutNulls(record), reasons: reasons.map(({ acceptor, ...reason }) => ({ acceptor: acceptor ?? undefined, ...reason })) };
}

type WithoutNulls<T> = { [Name in keyof T as null extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as null extends T[Name] ? Name : never]?: Exclude<T[Name], null>;
};

function withoutNulls<T extends object>(json: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null)) as WithoutNulls<T>;
}
