/**
 * The options of a wait, their validation, and the progress of a wait. Times are in seconds unless their names end in `Ms`.
 *
 * @module
 */

import { OptionsError, type WaiterError } from "./errors/waiter.js";
import { checkBare, checkFunction, checkNames, checkSignal, mustBe } from "./input/checks.js";
import { namesOf, pickOptions, rejectFunctions } from "./input/engine-options.js";
import type { Pace } from "./pace.js";
import { RateLimit } from "./rate-limit.js";
import type { AttemptRecord, Hint, PathValue } from "./report/attempt-record.js";
import type { FakeClock } from "./testing.js";
import type { Sleep } from "./timers.js";
import { isDate } from "./values/data-model.js";

/** The options of `Waiter#start`. */
export interface StartOptions<Input = unknown> {
  /**
   * The maximum duration of the wait, in seconds, more than 0 and at most ten years. Required unless `deadline` or `maxAttempts` is
   * set. See docs/rules.md#deadline.
   */
  readonly maxWaitTime: number;
  /**
   * The latest end of the wait by the wall clock: a `Date`, or milliseconds as `Date.now()` returns them. Several waits can share a
   * deadline. It is converted to a duration when the wait starts. If it has passed already, the wait fails with `timed_out` without
   * a call. If `maxWaitTime` is set, too, the earlier end applies. Waits have no shared deadline by default.
   */
  readonly deadline?: Date | number | undefined;
  /**
   * The maximum duration of one attempt, in seconds, more than 0. A call that takes longer is aborted, and the wait continues.
   * Without it, only the deadline of the wait aborts a call.
   */
  readonly attemptTimeout?: number | undefined;
  /**
   * The minimum delay between two attempts, in seconds, at most `maxDelay`. 0 is allowed only together with `maxAttempts`.
   *
   * @default the definition's `minDelay`
   */
  readonly minDelay?: number | undefined;
  /**
   * The maximum delay between two attempts, in seconds, at least `minDelay`. 0 is allowed only together with `maxAttempts`.
   *
   * @default the definition's `maxDelay`
   */
  readonly maxDelay?: number | undefined;
  /** The maximum number of attempts, at least 1. The wait then fails with `too_many_attempts`. Unlimited by default. */
  readonly maxAttempts?: number | undefined;
  /**
   * The delay before the first attempt, in seconds. It counts towards `maxWaitTime` and must be less.
   *
   * @default 0
   */
  readonly initialDelay?: number | undefined;
  /**
   * The seed of the jitter, an integer from 0 to 2^53 - 1. Equal seeds produce equal delays in every language. By default the seed
   * is a random number from `crypto.getRandomValues`.
   */
  readonly seed?: number | undefined;
  /**
   * The maximum number of attempts in the `history` and in `explain()`; the oldest ones are dropped.
   *
   * @default 10
   */
  readonly historyLimit?: number | undefined;
  /**
   * Whether probable mistakes in the definition, an option or the call are reported as `hints` of the progress and logged as
   * warnings.
   *
   * @default true
   */
  readonly hints?: boolean | undefined;
  /**
   * The time of the last poll. `"specification"` polls one `minDelay` before the deadline, as the specification does. `"late"`
   * polls closer to the deadline: it leaves twice the duration of the slowest poll so far, at least 1 second and at most
   * `minDelay`. It requires
   * `maxWaitTime` or `deadline`. See docs/rules.md#final-poll.
   *
   * @default "specification"
   */
  readonly finalPoll?: "specification" | "late" | undefined;
  /**
   * The rule for the delays between attempts: exponential backoff with jitter as in the specification, or the result of `every` or
   * `proportional`. See docs/rules.md#pace.
   *
   * @default "specification"
   */
  readonly pace?: Pace | undefined;
  /**
   * The effect of a transient error that no acceptor matches: throttling, a server fault or a lost connection. `"retry"` makes the
   * call again, which deviates from the specification; `"fail"` ends the wait, as the specification requires for every unmatched
   * error. See docs/rules.md#transient-errors.
   *
   * @default "retry"
   */
  readonly transientErrors?: "retry" | "fail" | undefined;
  /**
   * The maximum time without any response from the service, in seconds, more than 0. The wait then fails with `unreachable`.
   * See docs/rules.md#transient-errors.
   *
   * @default 120
   */
  readonly transientWindow?: number | undefined;
  /**
   * The time for which the resource may not exist yet, in seconds, more than 0. If it was never found in this time, the wait fails with
   * `never_found`; if it was there and two errors in a row say that it no longer exists, with `gone`. See docs/rules.md#not-found.
   *
   * @default undefined: an error for a missing resource ends the wait, unless an acceptor matches it
   */
  readonly notFoundFor?: number | undefined;
  /**
   * Whose success counts: the value of a path from the response of the change, such as the id of a deployment. Until it is seen, another
   * value is "not yet" for `leftWithin`; then the wait fails with `never_seen`. Once seen, it fails with `replaced` if a new value, or an
   * old one in two responses in a row, takes its place. Without `is`, for a deletion: the first value. A value
   * alone is that of the path in the waiter's defaults. See docs/rules.md#conditions-on-a-success.
   *
   * @default undefined
   */
  readonly same?: string | number | boolean | { readonly path: string; readonly is?: string | number | boolean; readonly text?: boolean } | undefined;
  /**
   * The state before a change: a success, or a failure that was there at first, counts only after the resource has left this value of the
   * path that the success acceptors compare, or of `path`.
   *
   * @default undefined
   */
  readonly left?: string | number | boolean | { readonly path: string; readonly value: string | number | boolean; readonly text?: boolean } | undefined;
  /**
   * What follows if the value of `left` is not left in time: `"fail"` with the code `never_left`, or `"accept"` the verdicts then.
   *
   * @default "fail"
   */
  readonly leftElse?: "fail" | "accept" | undefined;
  /**
   * The time from the first response in which the value of `same` must be seen or that of `left` be left, in seconds.
   *
   * @default 60
   */
  readonly leftWithin?: number | undefined;
  /**
   * The least numbers of paths for a success: `{ "status.observedGeneration": 7 }`.
   *
   * @default undefined
   */
  readonly atLeast?: Readonly<Record<string, number>> | undefined;
  /**
   * The number of successes in a row, with the minimum delay between them.
   *
   * @default 1
   */
  readonly successes?: number | undefined;
  /**
   * The time for which every response must be a success, in seconds.
   *
   * @default undefined
   */
  readonly stableFor?: number | undefined;
  /**
   * Paths of members whose values are hidden in messages, reasons and reports, such as `Credentials.SecretKey` or
   * `Users[].Password`. A path applies to the response and to the input. The path `message` also hides the messages of errors. These
   * paths are added to those of the definition. See docs/rules.md#redaction.
   *
   * @default []
   */
  readonly redact?: readonly string[] | undefined;
  /**
   * A text of 1 to 200 characters that follows the waiter's name in every message, such as the name of the resource. Messages have
   * no label by default.
   */
  readonly label?: string | undefined;
  /**
   * Paths in the response whose values are included in progress, the history and failures, such as `Stacks[0].StackStatusReason`.
   * They do not affect the verdict.
   *
   * @default []
   */
  readonly show?: readonly string[] | undefined;
  /** The input of the operation, for `inputOutput` matchers; null by default. */
  readonly input?: Input | undefined;
}

/** The options of a wait that is limited by `deadline` or `maxAttempts` instead of `maxWaitTime`. */
export type WithoutMaxWaitTime<Options extends StartOptions> = Omit<Options, "deadline" | "maxAttempts" | "maxWaitTime"> &
  (Pick<Options, "maxAttempts"> & { readonly deadline: Date | number } | Pick<Options, "deadline"> & { readonly maxAttempts: number }) & {
    readonly maxWaitTime?: undefined;
  };

/** The options of `Waiter#wait`. */
export interface WaitOptions<Input = unknown, Response = unknown> extends StartOptions<Input> {
  /**
   * A signal that cancels the wait and the call in flight. The wait then throws `WaiterCancelled`, whose `cause` is the signal's
   * reason.
   */
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * A function that is called after each attempt. If it returns a promise, the wait awaits it, at most until the deadline. If it
   * throws, or if the promise rejects before the deadline, the wait ends and the error is thrown unchanged.
   */
  readonly onAttempt?: ((progress: Progress<Response>) => unknown) | undefined;
  /**
   * A function that is called, as `onAttempt` is and after it, after each attempt whose result, verdict, reasons or shown values differ
   * from those of the attempt before it, and after the first one. See docs/rules.md#around-a-wait.
   */
  readonly onChange?: ((progress: Progress<Response>) => unknown) | undefined;
  /**
   * A function that is called once if the wait fails, to find out more: the events of a stack, the log of a pod. Its result, or that
   * of its promise, which is awaited, is the member `details` of the error, and an error in it the member `detailsError`.
   */
  readonly onFailure?: ((error: WaiterError<Response>) => unknown) | undefined;
  /**
   * A function that stops the work that was waited for. It is called, and its promise awaited, if the wait fails and gave up on the work:
   * it was cancelled, or its time or its attempts are over. An error in it is the member `cancelError` of the error. Breaking out of a
   * loop over attempts is no failure, and does not call it.
   */
  readonly cancelWith?: (() => unknown) | undefined;
  /** A limit of the calls per second that several waits and fleets share. See docs/rules.md#rate-limit. */
  readonly rateLimit?: RateLimit | undefined;
  /**
   * The logger of the wait, such as `console`: hints are warnings; an attempt is `info` if its result is new or if the latest such
   * line is 30 s old, otherwise `debug`. Without a logger, only hints are logged, with `console.warn`.
   *
   * @default Waiter.logger
   */
  readonly logger?: Logger | undefined;
  /**
   * A function that replaces `setTimeout` for pauses and deadlines. Its argument is **in milliseconds**. Its second
   * argument is a signal that aborts the sleep. If its promise resolves before `clock` has advanced, as with a mock, the whole pause
   * counts as elapsed, and the wait runs in virtual time. Tests can use a
   * `FakeClock` as `clock` instead.
   */
  readonly sleep?: Sleep | undefined;
  /**
   * A function that returns a monotonic time **in milliseconds**, or a `FakeClock` of `smithy-waiters/testing`, which counts
   * seconds and cannot be combined with `sleep`. On a `FakeClock` a wait of an hour takes no real time.
   *
   * @default performance.now
   */
  readonly clock?: Clock | FakeClock | undefined;
}

/** The options of `Waiter#attempts`. */
export interface AttemptsOptions<Input = unknown> extends Omit<WaitOptions<Input>, "onAttempt"> {
  /** Not accepted, because the loop receives each attempt. */
  readonly onAttempt?: undefined;
}

/** The functions of a logger that waits call with one line of text, such as those of `console`. */
export interface Logger {
  /** Logs an attempt whose result is that of the previous one. */
  debug(line: string): unknown;
  /** Logs an attempt with a new result. */
  info(line: string): unknown;
  /** Logs a hint. */
  warn(line: string): unknown;
}

/** A monotonic clock: returns the time in milliseconds since an arbitrary moment. */
export type Clock = () => number;

/** The function that calls the operation. It returns the response or a promise of it. */
export type Call<Response> = (attempt: Attempt) => PromiseLike<Response> | Response;

/** The argument of a call: the attempt that the call belongs to. */
export interface Attempt {
  /** The number of the attempt, from 1. */
  readonly number: number;
  /** The seconds until the deadline of the call; `Infinity` if nothing limits it. */
  readonly remaining: number;
  /**
   * A signal that is aborted with the reason of the caller's signal, or with a `DOMException` named "TimeoutError" at the deadline
   * of the call. It is created when it is first read.
   */
  readonly signal: AbortSignal;
}

/** An attempt that has just ended. Its `result` narrows the type. */
export type Progress<Response = unknown> = ErrorProgress | LostProgress<Response> | ResponseProgress<Response>;

/** An attempt whose call returned a response. */
export interface ResponseProgress<Response = unknown> extends AttemptProgress {
  /** Always `"response"`. */
  readonly result: "response";
  /** The response. */
  readonly response: Response;
  /** Always `undefined`. */
  readonly error: undefined;
}

/** An attempt whose call threw. */
export interface ErrorProgress extends AttemptProgress {
  /** Always `"error"`. */
  readonly result: "error";
  /** Always `undefined`. */
  readonly response: undefined;
  /** The thrown value. */
  readonly error: unknown;
}

/**
 * An attempt whose call was aborted at its deadline (`"cut"`), or ended after the deadline of the wait (`"late"`). Its result was
 * not evaluated.
 */
export interface LostProgress<Response = unknown> extends AttemptProgress {
  /** `"cut"` for an aborted call, `"late"` for a late one. */
  readonly result: "cut" | "late";
  /** The late response; `undefined` if there was none. */
  readonly response: Response | undefined;
  /** The value that was thrown late; `undefined` if there was none. */
  readonly error: unknown;
}

/** The members that all kinds of progress share. */
export interface AttemptProgress extends Pick<AttemptRecord, "attempt" | "nextIsLast" | "reasons"> {
  /** The option `label` of the wait. */
  readonly label: string | undefined;
  /**
   * A readable line about the attempt: the waiter and the label, the time, the state and its reason, the values of `show`, and the
   * next delay.
   */
  readonly summary: string;
  /** The level at which the attempt is logged: `"info"` if its result is new or if the latest such line is 30 s old. */
  readonly level: "debug" | "info";
  /** Probable mistakes that the attempt shows; each code is reported once in a wait. */
  readonly hints: readonly Hint[];
  /** The values of the paths in the option `show`. */
  readonly values: readonly PathValue[];
  /** The state after the attempt; `undefined` if the result was not evaluated. */
  readonly state: AttemptRecord["state"] | undefined;
  /** The index of the acceptor that matched; `undefined` if none did. */
  readonly acceptor: number | undefined;
  /** The seconds until the next attempt; `undefined` if the wait has ended. */
  readonly delay: number | undefined;
  /** The seconds until the deadline of the wait; `Infinity` if the wait has no deadline. */
  readonly remaining: number;
  /** The seconds since the wait began. */
  readonly elapsed: number;
}

/**
 * The options that the driver reads.
 *
 * @internal
 */
export type HostOptions<Response> = Pick<WaitOptions<unknown, Response>, (typeof HOST_OPTIONS)[number]>;

/** Returns the options under the engine's names. The engine validates the values. */
export function engineOptions(options: object): Record<string, unknown> {
  checkBare(options, "number", "maxWaitTime");
  checkNames(options, startOptions(), waitOptions());
  const { maxWaitTime: maxWait, deadline, input, ...others } = pickOptions(options, startOptions());
  rejectFunctions({ maxWaitTime: maxWait, ...others });
  return { maxWait, deadline: secondsUntil(deadline), ...others };
}

/** Returns the options of a stored wait under the engine's names, and its deadline in milliseconds since 1970. */
export function storedOptions(options: StartOptions | WithoutMaxWaitTime<StartOptions>): [Record<string, unknown>, deadlineAtMs: number | undefined] {
  const { deadline, ...others } = options ?? {};
  return [engineOptions(others), wallClockOf(deadline)];
}

/** Returns the options of the waits of a stored fleet under the engine's names, and their deadline in milliseconds since 1970. */
export function storedFleetOptions(options: { readonly deadline?: unknown }, others: readonly string[]): [Record<string, unknown>, number | undefined] {
  const { deadline, ...members } = options;
  return [fleetOptions(members, others), wallClockOf(deadline)];
}

/** Returns the seconds from now until a deadline; negative if it has passed. The engine checks the range. */
function secondsUntil(deadline: unknown): number | undefined {
  const moment = wallClockOf(deadline);
  return moment === undefined ? undefined : (moment - Date.now()) / 1000;
}

/** Returns a deadline in milliseconds since 1970. */
function wallClockOf(deadline: unknown): number | undefined {
  if (deadline === undefined || deadline === null) return undefined;
  const moment: unknown = typeof deadline === "object" && isDate(deadline) ? deadline.getTime() : deadline;
  if (typeof moment === "number" && !Number.isNaN(moment)) return moment;
  throw mustBe("deadline", "a `Date` or milliseconds as `Date.now()` returns them", deadline);
}

const HOST_OPTIONS = ["abortSignal", "logger", "onAttempt", "onChange", "onFailure", "cancelWith", "rateLimit", "sleep", "clock"] as const;

/** Returns the names of the options that the engine reads, and `input`. */
function startOptions(): readonly string[] {
  return [...namesOf("wait"), "input"];
}

/** Returns the names of all options. */
function waitOptions(): readonly string[] {
  return [...startOptions(), ...HOST_OPTIONS];
}

/** Validates the options of a wait and splits them into those of the engine and those of the driver. */
export function splitOptions<Input, Response>(
  options: WaitOptions<Input, Response> | WithoutMaxWaitTime<WaitOptions<Input, Response>>,
): [StartOptions<Input>, HostOptions<Response>] {
  checkBare(options, "number", "maxWaitTime");
  checkNames(options, waitOptions());
  const host = pickOptions(options, HOST_OPTIONS) as HostOptions<Response>;
  checkTime(host);
  checkLogger(host.logger);
  for (const name of ["onAttempt", "onChange", "onFailure", "cancelWith"] as const) checkFunction(name, host[name]);
  checkRateLimit(host.rateLimit);
  return [pickOptions(options, startOptions()) as unknown as StartOptions<Input>, host];
}

/** Validates the options of a fleet's caller, and returns those of its waits under the engine's names. `others` are the other names. */
export function fleetOptions(options: object, others: readonly string[]): Record<string, unknown> {
  checkBare(options, "number", "maxWaitTime");
  const names = namesOf("wait");
  checkNames(options, [...names, ...others]);
  return engineOptions(pickOptions(options, names));
}

function checkRateLimit(limit: unknown): void {
  if (limit === undefined || limit === null || limit instanceof RateLimit) return;
  throw mustBe("rateLimit", "a `RateLimit`", limit);
}

function checkLogger(logger: Logger | null | undefined): void {
  if (logger === undefined || logger === null) return;
  const names = ["debug", "info", "warn"] as const;
  if (names.some((name) => typeof logger[name] !== "function")) throw mustBe("logger", "an object with `debug`, `info` and `warn`", logger);
}

/** Validates the signal, the sleep and the clock. */
export function checkTime({ abortSignal, sleep, clock }: Pick<HostOptions<never>, "abortSignal" | "clock" | "sleep">): void {
  checkSignal(abortSignal);
  checkFunction("sleep", sleep);
  checkClock(clock, sleep);
}

function checkClock(clock: unknown, sleep: unknown): void {
  if (typeof clock !== "object" || clock === null) return checkFunction("clock", clock);
  const { startTimer } = clock as { startTimer?: unknown };
  if (typeof startTimer !== "function") throw mustBe("clock", "a function or a `FakeClock`", clock);
  if (sleep === undefined || sleep === null) return;
  throw new OptionsError({ code: "conflicting_options", option: "sleep", message: "`sleep` cannot be combined with a `FakeClock`" });
}
