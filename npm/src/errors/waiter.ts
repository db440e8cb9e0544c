/**
 * The errors of waits and waiters.
 *
 * A wait that fails throws a subclass of `WaiterError`:
 *
 * - `WaiterFailed`: an acceptor with the state `failure` matched, no acceptor matched an error, or the service did not respond
 * - `WaiterTimeout`: the deadline has passed, or no further call fits before it
 * - `WaiterAttemptsExceeded`: `maxAttempts` calls were made
 * - `WaiterCancelled`: the caller's signal was aborted
 *
 * Invalid input throws a `DefinitionError`, an `ExpressionError`, an `OptionsError` or a `StateError`.
 *
 * @module
 */

import type { AttemptRecord } from "../report/attempt-record.js";
import type { Ended } from "../report/ended.js";
import type { EndJson, FailureCode } from "../report/outcome.js";
import { displayError } from "../values/error-metadata.js";
import type { DefinitionErrorCode, ExpressionErrorCode, OptionsErrorCode, StateErrorCode } from "./codes.js";

/**
 * Error thrown when a wait fails.
 *
 * Node prints its message, a short stack, and its cause in one line with the topmost stack frames. `explain()` and `toJSON()` return all
 * details.
 */
export class WaiterError<Response = unknown> extends Error {
  override name = "WaiterError";
  /** The stable code of the failure; each subclass has its own codes. */
  readonly code: FailureCode;
  // Inspectors print the own members of an error, so the other members are accessors.
  readonly #end: Ended<Response>;
  readonly #followUp: FollowUp = {};

  /** @internal */
  constructor(end: Ended<Response>, code: FailureCode) {
    super(end.report.message, end.cause());
    this.code = code;
    this.#end = end;
    hideCause(this);
  }

  /** The waiter's name, if it has one. */
  get waiter(): string | undefined {
    return this.#end.report.waiter;
  }

  /** The option `label` of the wait. */
  get label(): string | undefined {
    return this.#end.report.label;
  }

  /** The index of the acceptor that ended the wait; `undefined` if none did. */
  get acceptor(): number | undefined {
    return this.#end.report.acceptor;
  }

  /** The JSON text of that acceptor in the definition. */
  get acceptorText(): string | undefined {
    return this.#end.report.acceptorText;
  }

  /** The number of calls made. */
  get attempts(): number {
    return this.#end.report.attempts;
  }

  /** The duration of the wait, in seconds. */
  get elapsed(): number {
    return this.#end.report.elapsed;
  }

  /** The newest response of all attempts. */
  get response(): Response | undefined {
    return this.#end.latest.response;
  }

  /** The newest error of all attempts. */
  get error(): unknown {
    return this.#end.latest.error;
  }

  /** The newest attempts, at most `historyLimit`, in chronological order. */
  get history(): readonly AttemptRecord[] {
    return this.#end.report.history;
  }

  /** `true` if the wait gave up on work that may still run: it was cancelled, or its time or its attempts are over. */
  get leavesWork(): boolean {
    return this.#end.leavesWork;
  }

  /** The result of the option `onFailure`; `undefined` without it, or if it threw an error. */
  get details(): unknown {
    return this.#followUp.details;
  }

  /** The error that the option `onFailure` threw; `undefined` if it threw none. */
  get detailsError(): unknown {
    return this.#followUp.detailsError;
  }

  /** The error that the option `cancelWith` threw; `undefined` if it threw none. */
  get cancelError(): unknown {
    return this.#followUp.cancelError;
  }

  /**
   * The members that follow the failure.
   *
   * @internal
   */
  get followUp(): FollowUp {
    return this.#followUp;
  }

  /** Returns a readable report of several lines: the message, then each attempt and the acceptors that were evaluated for it. */
  explain(): string {
    return this.#end.explain();
  }

  /**
   * Returns all details as plain data, for logs and for other threads, with the same members as in every language: `name` is
   * `WaiterTimeout` for a `TimeoutError` and `WaiterCancelled` for an `AbortError`. `JSON.stringify` calls this method. Pass its
   * result, not the error, to `structuredClone` and `postMessage`: of the error itself they keep only the message and the stack.
   *
   * The response and the errors are converted as the engine reads them: dates are epoch seconds, bytes are base64. A text in angle
   * brackets replaces a circular reference and a value that cannot be read. The values of members in `redact` are omitted.
   */
  toJSON(): EndJson {
    return this.#end.toJSON();
  }
}

/** The results and the errors of the functions that are called after a failure. */
interface FollowUp {
  details?: unknown;
  detailsError?: unknown;
  cancelError?: unknown;
}

/** An error about invalid input, as plain data. */
export interface RefusalJson<Code extends string = string> {
  /** The error's name. */
  readonly name: string;
  /** The error's message. */
  readonly message: string;
  /** The stable code of the error. */
  readonly code: Code;
}

/**
 * Error thrown when a wait fails before its deadline. The codes are:
 *
 * - `failure_state`: an acceptor with the state `failure` matched
 * - `unexpected_state`: the resource is in a state that `pending` does not list
 * - `unmatched_error`: no acceptor matched an error that is not transient
 * - `unreachable`: the service did not respond for `transientWindow`
 * - `never_found`: the resource was not found in the time of `notFoundFor`
 * - `gone`: the resource was there and no longer exists, with `notFoundFor`
 * - `never_left`: the value of `left` was not left in time: the change may not have started
 * - `never_seen`: the value of `same` was not seen in time
 * - `replaced`: another value took the place of the value of `same`
 */
export class WaiterFailed<Response = unknown> extends WaiterError<Response> {
  override name = "WaiterFailed";
  declare readonly code: Exclude<FailureCode, "cancelled" | "timed_out" | "too_many_attempts">;
}

/**
 * Error thrown when the deadline of a wait passes, or when no further poll fits before it. Its `name` is `TimeoutError`, as in the
 * waiters of the AWS SDK.
 */
export class WaiterTimeout<Response = unknown> extends WaiterError<Response> {
  override name = "TimeoutError";
  declare readonly code: "timed_out";
}

/** Error thrown when a wait has made `maxAttempts` calls without success. */
export class WaiterAttemptsExceeded<Response = unknown> extends WaiterError<Response> {
  override name = "WaiterAttemptsExceeded";
  declare readonly code: "too_many_attempts";
}

/**
 * Error thrown when the caller cancels a wait. Its `cause` is the reason of the caller's signal. Its `name` is `AbortError`, as in
 * the platform's own APIs.
 */
export class WaiterCancelled<Response = unknown> extends WaiterError<Response> {
  override name = "AbortError";
  declare readonly code: "cancelled";
}

/** Error thrown when a waiter definition, a `paginated` trait or a model is invalid. */
export class DefinitionError extends Error {
  override name = "DefinitionError";
  /** The stable code of the error. */
  readonly code: DefinitionErrorCode;
  /** The JSON path of the invalid member; empty for the definition as a whole. */
  readonly path: string;
  /** The column of the error in a JMESPath expression, from 1; `undefined` if the error is not at one character. */
  readonly column: number | undefined;

  /** Creates the error from a report of the engine. Only this package calls it. */
  constructor(problem: DefinitionProblem, cause?: ErrorOptions) {
    super(problem.message, cause);
    this.code = problem.code;
    this.path = problem.path;
    this.column = problem.column;
    hideCause(this);
  }

  /** Returns the members of the error as plain data, with null for an absent column. */
  toJSON(): RefusalJson<DefinitionErrorCode> & { readonly path: string; readonly column: number | null } {
    const { name, message, code, path, column } = this;
    return { name, message, code, path, column: column ?? null };
  }
}

/** Error thrown when a JMESPath expression does not parse, or cannot be evaluated on a value. */
export class ExpressionError extends Error {
  override name = "ExpressionError";
  /** The stable code of the error. */
  readonly code: ExpressionErrorCode;
  /** The column of the error in the expression, from 1; `undefined` if the error is not at one character. */
  readonly column: number | undefined;

  /** Creates the error from a report of the engine. Only this package calls it. */
  constructor(problem: ExpressionProblem) {
    super(problem.message);
    this.code = problem.code;
    this.column = problem.column;
  }

  /** Returns the members of the error as plain data, with null for an absent column. */
  toJSON(): RefusalJson<ExpressionErrorCode> & { readonly column: number | null } {
    const { name, message, code, column } = this;
    return { name, message, code, column: column ?? null };
  }
}

/** Error thrown when an option is missing, unknown, of the wrong type or out of range, or conflicts with another one. */
export class OptionsError extends Error {
  override name = "OptionsError";
  /** The stable code of the error. */
  readonly code: OptionsErrorCode;
  /** The name of the invalid option; empty for the options as a whole. */
  readonly option: string;

  /** Creates the error from a report of the engine. Only this package calls it. */
  constructor(problem: OptionsProblem) {
    super(problem.message);
    this.code = problem.code;
    this.option = problem.option;
  }

  /** Returns the members of the error as plain data. */
  toJSON(): RefusalJson<OptionsErrorCode> & { readonly option: string } {
    const { name, message, code, option } = this;
    return { name, message, code, option };
  }
}

/**
 * Error thrown when a wait receives an event out of order, or when a saved wait cannot be resumed. The wait is unchanged.
 */
export class StateError extends Error {
  override name = "StateError";
  /** The stable code of the error. */
  readonly code: StateErrorCode;

  /** Creates the error from a report of the engine. Only this package calls it. */
  constructor(problem: StateProblem) {
    super(problem.message);
    this.code = problem.code;
  }

  /** Returns the members of the error as plain data. */
  toJSON(): RefusalJson<StateErrorCode> {
    const { name, message, code } = this;
    return { name, message, code };
  }
}

/** The number of lines to which a stack is shortened, including the message. */
const STACK_LINES = 4;

/** The number of stack frames of a cause to keep. */
const CAUSE_CALLS = 2;

/** The number of characters of a cause's message to keep. */
const CAUSE_LENGTH = 200;

/** Returns the topmost stack frames of a cause, without its message, which may contain redacted values. */
function newestCalls(cause: unknown): string[] {
  const calls = stackOf(cause).split("\n").filter((line) => /^\s+at /.test(line));
  return calls.slice(0, CAUSE_CALLS).map((line) => `  ${line}`);
}

function stackOf(cause: unknown): string {
  try {
    return cause instanceof Error && typeof cause.stack === "string" ? cause.stack : "";
  } catch {
    // A proxy that was revoked.
    return "";
  }
}

/**
 * Shortens the stack to the calls before `thrower`, and adds the cause in one line with its newest calls. Node prints the stack of
 * an uncaught error.
 */
function shortenStack(error: Error, cause: string | undefined, thrower: () => never): void {
  // Not every JavaScript engine has `captureStackTrace`.
  (Error as { captureStackTrace?: (error: Error, thrower: () => never) => void }).captureStackTrace?.(error, thrower);
  const lines = (error.stack ?? "").split("\n").slice(0, STACK_LINES);
  if (cause !== undefined) lines.push(`    cause: ${cause.split("\n", 1)[0]!.slice(0, CAUSE_LENGTH)}`, ...newestCalls(error.cause));
  Object.defineProperty(error, "stack", { value: lines.join("\n"), configurable: true, enumerable: false, writable: true });
}

/**
 * Replaces the cause by an accessor. Inspectors do not print the result of an accessor, and structured clones omit it; a clone
 * fails if it contains a cause that cannot be cloned.
 */
function hideCause(error: Error): void {
  if (!Object.hasOwn(error, "cause")) return;
  const { cause } = error;
  Object.defineProperty(error, "cause", { get: () => cause, configurable: true, enumerable: false });
}

/**
 * Returns the error of a failed wait. Its stack starts at the caller of `thrower`.
 *
 * @internal
 */
export function failureOf<Response>(end: Ended<Response>, thrower: () => never): WaiterError<Response> {
  const error = errorOf(end);
  shortenStack(error, causeLineOf(error, end), thrower);
  return error;
}

/** Returns the cause as text. For an error of a call it is the engine's text, which omits redacted values. */
function causeLineOf(error: Error, { latest, report }: Ended<unknown>): string | undefined {
  if (!Object.hasOwn(error, "cause")) return undefined;
  return error.cause === latest.error ? report.history.at(-1)?.error : displayError(error.cause);
}

function errorOf<Response>(end: Ended<Response>): WaiterError<Response> {
  const { code = "failure_state" } = end.report;
  switch (code) {
    case "cancelled":
      return new WaiterCancelled(end, code);
    case "timed_out":
      return new WaiterTimeout(end, code);
    case "too_many_attempts":
      return new WaiterAttemptsExceeded(end, code);
    default:
      return new WaiterFailed(end, code);
  }
}

/** The engine's report of an invalid definition. */
export interface DefinitionProblem {
  readonly code: DefinitionErrorCode;
  readonly message: string;
  readonly path: string;
  readonly column?: number;
}

/** The engine's report of an invalid expression. */
export interface ExpressionProblem {
  readonly code: ExpressionErrorCode;
  readonly message: string;
  readonly column?: number;
}

/** The engine's report of an invalid option. */
export interface OptionsProblem {
  readonly code: OptionsErrorCode;
  readonly message: string;
  readonly option: string;
}

/** The engine's report of a step out of order. */
export interface StateProblem {
  readonly code: StateErrorCode;
  readonly message: string;
}
