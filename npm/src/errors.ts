/**
 * Everything that can be thrown.
 *
 * A wait that does not succeed:
 *
 * - `WaiterError`
 *   - `WaiterFailed`: an acceptor says failure, no acceptor matches an error, or the service does not answer
 *   - `WaiterTimeout`: the time is up
 *   - `WaiterAttemptsExceeded`: `maxAttempts` calls were made
 *   - `WaiterCancelled`: the caller's signal
 *
 * What a caller does wrong: `DefinitionError`, `ExpressionError`, `OptionsError`, `StateError`.
 *
 * @module
 */

import type { DefinitionErrorCode, ExpressionErrorCode, OptionsErrorCode, StateErrorCode } from "./error-codes.js";
import { type AttemptJson, attemptJson, type AttemptRecord } from "./report/attempt-record.js";
import type { FailureCode, LatestResult, WaitReport } from "./report/outcome.js";
import { displayError } from "./values/error-metadata.js";
import { type JsonValue, plain } from "./values/json-value.js";

/**
 * A wait that did not succeed, with everything that is known of why.
 *
 * Printed, it is its message, a short stack, and its cause in one line with the newest calls; `explain()` and `toJSON()` have the rest.
 */
export class WaiterError<Response = unknown> extends Error {
  override name = "WaiterError";
  /** Why, for programs; each class has its own. */
  readonly code: FailureCode;
  // Inspectors print an error's own members, so the others are accessors.
  readonly #end: FailureEnd<Response>;

  /** Made by the package, from the end of a wait. */
  constructor(end: FailureEnd<Response>) {
    super(end.report.message, end.latest.causeOf(end.report));
    this.code = end.code;
    this.#end = end;
    hideCause(this);
  }

  /** The waiter's name. */
  get waiter(): string | undefined {
    return this.#end.report.waiter;
  }

  /** The label of the wait. */
  get label(): string | undefined {
    return this.#end.report.label;
  }

  /** The index of the acceptor that decided. */
  get acceptor(): number | undefined {
    return this.#end.report.acceptor;
  }

  /** That acceptor as the definition has it, as JSON text. */
  get acceptorText(): string | undefined {
    return this.#end.report.acceptorText;
  }

  /** The number of calls that were made. */
  get attempts(): number {
    return this.#end.report.attempts;
  }

  /** How long it took, in seconds. */
  get elapsed(): number {
    return this.#end.report.elapsedMs / 1000;
  }

  /** The newest response of all attempts. */
  get response(): Response | undefined {
    return this.#end.latest.response;
  }

  /** The newest error of all attempts. */
  get error(): unknown {
    return this.#end.latest.error;
  }

  /** The newest attempts, the oldest first; at most `historyLimit`. */
  get history(): readonly AttemptRecord[] {
    return this.#end.report.history;
  }

  /** The whole story for people: the message, then each attempt and each acceptor it was held against. */
  explain(): string {
    return this.#end.explanation;
  }

  /**
   * Everything as plain data, for logs and for other threads: `JSON.stringify` calls it, and `structuredClone` and
   * `postMessage` take it whole. Of the error itself they keep only the message and the stack, which has the cause in one line.
   *
   * The response and the errors are in it as the engine reads them: dates as epoch seconds, bytes as base64; what goes in
   * a circle or cannot be read is a text that says so.
   */
  toJSON(): WaiterErrorJson {
    const { name, message, code, attempts, elapsed, history } = this;
    return {
      name,
      message,
      code,
      waiter: this.waiter ?? null,
      label: this.label ?? null,
      acceptor: this.acceptor ?? null,
      acceptorText: this.acceptorText ?? null,
      attempts,
      elapsed,
      response: plain(this.response),
      error: plain(this.error),
      cause: plain(this.cause),
      history: history.map(attemptJson),
    };
  }
}

/** A `WaiterError` as plain data; what there is none of is null. */
export interface WaiterErrorJson {
  readonly name: string;
  readonly message: string;
  readonly code: FailureCode;
  readonly waiter: string | null;
  readonly label: string | null;
  readonly acceptor: number | null;
  readonly acceptorText: string | null;
  readonly attempts: number;
  readonly elapsed: number;
  /** The newest response, as the engine reads it. */
  readonly response: JsonValue;
  /** The newest error, likewise, with its name and message. */
  readonly error: JsonValue;
  /** The cause, likewise. */
  readonly cause: JsonValue;
  readonly history: readonly AttemptJson[];
}

/** What a refusal is as plain data. */
export interface RefusalJson<Code extends string = string> {
  readonly name: string;
  readonly message: string;
  readonly code: Code;
}

/**
 * An acceptor says failure (`failure_state`), the resource is in a state that the definition does not list (`unexpected_state`), no
 * acceptor matches an error that waiting does not cure (`unmatched_error`), or the service has not answered for `transientWindow`
 * (`unreachable`).
 */
export class WaiterFailed<Response = unknown> extends WaiterError<Response> {
  override name = "WaiterFailed";
  declare readonly code: "failure_state" | "unexpected_state" | "unmatched_error" | "unreachable";
}

/** The time is up, or no further poll fits into it. Its `name` is that of the AWS SDK's waiters. */
export class WaiterTimeout<Response = unknown> extends WaiterError<Response> {
  override name = "TimeoutError";
  declare readonly code: "timed_out";
}

/** As many calls as `maxAttempts` allows were made. */
export class WaiterAttemptsExceeded<Response = unknown> extends WaiterError<Response> {
  override name = "WaiterAttemptsExceeded";
  declare readonly code: "too_many_attempts";
}

/** The caller cancelled; `cause` is the reason of the caller's signal. Its `name` is that of every abort. */
export class WaiterCancelled<Response = unknown> extends WaiterError<Response> {
  override name = "AbortError";
  declare readonly code: "cancelled";
}

/** A waiter definition that the specification does not allow. */
export class DefinitionError extends Error {
  override name = "DefinitionError";
  /** The stable code, for programs. */
  readonly code: DefinitionErrorCode;
  /** The JSON path of the culprit; empty for the definition as a whole. */
  readonly path: string;
  /** The column of the culprit, from 1, where it is inside a JMESPath expression. */
  readonly column: number | undefined;

  /** Made by the package, from what the engine refuses. */
  constructor(problem: DefinitionProblem, cause?: ErrorOptions) {
    super(problem.message, cause);
    this.code = problem.code;
    this.path = problem.path;
    this.column = problem.column;
    hideCause(this);
  }

  /** Everything as plain data. */
  toJSON(): RefusalJson<DefinitionErrorCode> & { readonly path: string; readonly column: number | null } {
    const { name, message, code, path, column } = this;
    return { name, message, code, path, column: column ?? null };
  }
}

/** A JMESPath expression that does not parse, or that cannot be evaluated on a value. */
export class ExpressionError extends Error {
  override name = "ExpressionError";
  /** The stable code, for programs. */
  readonly code: ExpressionErrorCode;
  /** The column of the culprit, from 1, where one character is to blame. */
  readonly column: number | undefined;

  /** Made by the package, from what the engine refuses. */
  constructor(problem: ExpressionProblem) {
    super(problem.message);
    this.code = problem.code;
    this.column = problem.column;
  }

  /** Everything as plain data. */
  toJSON(): RefusalJson<ExpressionErrorCode> & { readonly column: number | null } {
    const { name, message, code, column } = this;
    return { name, message, code, column: column ?? null };
  }
}

/** An option that is missing, of the wrong type, out of its range, or unknown. */
export class OptionsError extends Error {
  override name = "OptionsError";
  /** The stable code, for programs. */
  readonly code: OptionsErrorCode;
  /** The option to blame. */
  readonly option: string;

  /** Made by the package, from what the engine refuses. */
  constructor(problem: OptionsProblem) {
    super(problem.message);
    this.code = problem.code;
    this.option = problem.option;
  }

  /** Everything as plain data. */
  toJSON(): RefusalJson<OptionsErrorCode> & { readonly option: string } {
    const { name, message, code, option } = this;
    return { name, message, code, option };
  }
}

/** A step of a wait that was taken out of order; the wait stays as it was. */
export class StateError extends Error {
  override name = "StateError";
  /** The stable code, for programs. */
  readonly code: StateErrorCode;

  /** Made by the package, from what the engine refuses. */
  constructor(problem: StateProblem) {
    super(problem.message);
    this.code = problem.code;
  }

  /** Everything as plain data. */
  toJSON(): RefusalJson<StateErrorCode> {
    const { name, message, code } = this;
    return { name, message, code };
  }
}

/** The lines that are left of a stack: the message and the newest calls. */
const STACK_LINES = 4;

/** The newest calls that are left of a cause. */
const CAUSE_CALLS = 2;

/** The characters that are left of a cause. */
const CAUSE_LENGTH = 200;

/** Returns the newest calls of a cause, whose message may be redacted. */
function callsOf(cause: unknown): string[] {
  const stack = cause instanceof Error && typeof cause.stack === "string" ? cause.stack : "";
  const calls = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return calls.slice(0, CAUSE_CALLS).map((line) => `  ${line}`);
}

/** Shortens the stack to the calls before `thrower`, and adds the cause in one line with its calls: Node prints it of an uncaught error. */
function shortenStack(error: Error, cause: string | undefined, thrower: () => never): void {
  // Not every engine has it.
  (Error as { captureStackTrace?: (error: Error, thrower: () => never) => void }).captureStackTrace?.(error, thrower);
  const lines = (error.stack ?? "").split("\n").slice(0, STACK_LINES);
  if (cause !== undefined) lines.push(`    cause: ${cause.split("\n", 1)[0]!.slice(0, CAUSE_LENGTH)}`, ...callsOf(error.cause));
  Object.defineProperty(error, "stack", { value: lines.join("\n"), configurable: true, enumerable: false, writable: true });
}

/**
 * Makes an accessor of the cause: inspectors do not print what it returns, and structured clones, which fail if a cause cannot be
 * cloned, leave it out.
 */
function hideCause(error: Error): void {
  if (!Object.hasOwn(error, "cause")) return;
  const { cause } = error;
  Object.defineProperty(error, "cause", { get: () => cause, configurable: true, enumerable: false });
}

/** The end of a wait that did not succeed. */
export interface FailureEnd<Response> {
  readonly code: FailureCode;
  readonly report: WaitReport;
  readonly explanation: string;
  readonly latest: LatestResult<Response>;
}

/**
 * The error that a wait's end is thrown as by a function.
 *
 * @internal
 */
export function failureOf<Response>(end: FailureEnd<Response>, thrower: () => never): WaiterError<Response> {
  const error = errorOf(end);
  shortenStack(error, causeLineOf(error, end.report), thrower);
  return error;
}

/** Returns the cause in words; of a call's error the engine's, which leave out what is redacted. */
function causeLineOf(error: Error, { lastResult, history }: WaitReport): string | undefined {
  if (!Object.hasOwn(error, "cause")) return undefined;
  return lastResult === "error" ? history.at(-1)?.error : displayError(error.cause);
}

function errorOf<Response>(end: FailureEnd<Response>): WaiterError<Response> {
  switch (end.code) {
    case "cancelled":
      return new WaiterCancelled(end);
    case "timed_out":
      return new WaiterTimeout(end);
    case "too_many_attempts":
      return new WaiterAttemptsExceeded(end);
    default:
      return new WaiterFailed(end);
  }
}

/** The problem of a definition. */
export interface DefinitionProblem {
  readonly code: DefinitionErrorCode;
  readonly message: string;
  readonly path: string;
  readonly column?: number;
}

/** The problem of an expression. */
export interface ExpressionProblem {
  readonly code: ExpressionErrorCode;
  readonly message: string;
  readonly column?: number;
}

/** The problem of an option. */
export interface OptionsProblem {
  readonly code: OptionsErrorCode;
  readonly message: string;
  readonly option: string;
}

/** The problem of a step. */
export interface StateProblem {
  readonly code: StateErrorCode;
  readonly message: string;
}
