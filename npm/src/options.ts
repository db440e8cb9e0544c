/**
 * The options of a wait, their checks, and its progress. Times are in seconds, unless their names end in `Ms`.
 *
 * @module
 */

import type { Sleep } from "./driver/timers.js";
import { OptionsError } from "./errors.js";
import type { Pace } from "./pace.js";
import type { AttemptRecord, PathValue } from "./report/attempt-record.js";
import type { FakeClock } from "./testing.js";
import { checkBare, checkFunction, checkNames, checkSignal, invalidOption, mustBe } from "./values/checks.js";
import { isDate } from "./values/data-model.js";
import { messageOf } from "./values/error-metadata.js";

/** The options of a wait that is driven step by step. */
export interface StartOptions<Input = unknown> {
  /**
   * The time that the whole wait may take, in seconds: more than 0, at most ten years. Required, unless `deadline` or `maxAttempts`
   * limits the wait (`WithoutMaxWaitTime`).
   */
  readonly maxWaitTime: number;
  /**
   * The time at which the wait ends at the latest, by the wall clock: a `Date`, or milliseconds as `Date.now()` returns. Several
   * waits may share it. It is read once, when the wait starts; one that has passed ends the wait without a call (`timed_out`).
   */
  readonly deadline?: Date | number | undefined;
  /**
   * The time that one attempt may take, in seconds, more than 0: a call that takes longer is cut, and the wait goes on. Without it
   * only the wait's own deadline cuts a call.
   */
  readonly attemptTimeout?: number | undefined;
  /**
   * The least delay between two attempts, in seconds, at most `maxDelay`; without it the definition's, which has 2 by default. 0
   * only together with `maxAttempts`.
   */
  readonly minDelay?: number | undefined;
  /**
   * The greatest delay between two attempts, in seconds, at least `minDelay`; without it the definition's, which has 120 by
   * default. 0 only together with `maxAttempts`.
   */
  readonly maxDelay?: number | undefined;
  /** The number of attempts after which the wait gives up (`too_many_attempts`), at least 1; unlimited without it. */
  readonly maxAttempts?: number | undefined;
  /** A pause before the first attempt, in seconds; 0 without it. It counts towards `maxWaitTime` and must be less. */
  readonly initialDelay?: number | undefined;
  /**
   * The seed of the delays' jitter, an integer from 0 to 2^53 - 1: the same seed gives the same delays, in every language.
   * Drawn by `crypto.getRandomValues` without it.
   */
  readonly seed?: number | undefined;
  /** The number of attempts in the `history` and in `explain()`, the newest ones; 10 by default. */
  readonly historyLimit?: number | undefined;
  /**
   * The time of the last poll: one `minDelay` before the deadline, which is the specification's rule and the default, or `"late"`:
   * as late as it can be answered, by twice the slowest poll so far.
   */
  readonly finalPoll?: "specification" | "late" | undefined;
  /** The rule for the delays: the specification's by default, else what `every` and `proportional` return. */
  readonly pace?: Pace | undefined;
  /**
   * The effect of a transient error that no acceptor matches (throttling, a fault of the server, a lost connection): `"retry"` makes
   * the call again, which is the default; `"fail"` ends the wait, as the specification says of any error.
   */
  readonly transientErrors?: "retry" | "fail" | undefined;
  /**
   * The longest time without any answer from the service, in seconds, more than 0; 120 by default. Then the wait ends
   * (`unreachable`).
   */
  readonly transientWindow?: number | undefined;
  /**
   * Paths of members whose values messages, reasons and reports do not show: `Credentials.SecretKey`, `Users[].Password`. A path
   * applies to the response and to the input; `message` also hides the messages of errors.
   */
  readonly redact?: readonly string[] | undefined;
  /** A text that follows the waiter's name in every message, such as the name of the resource: 1 to 200 characters. */
  readonly label?: string | undefined;
  /**
   * Paths of a response whose values progress, the history and failures include: `Stacks[0].StackStatusReason`. They do not change
   * the verdict.
   */
  readonly show?: readonly string[] | undefined;
  /** The operation's input, which `inputOutput` matchers read. */
  readonly input?: Input | undefined;
}

/** Options of a wait that a `deadline` or its attempts limit, instead of `maxWaitTime`. */
export type WithoutMaxWaitTime<Options extends StartOptions> = Omit<Options, "deadline" | "maxAttempts" | "maxWaitTime"> &
  (Pick<Options, "maxAttempts"> & { readonly deadline: Date | number } | Pick<Options, "deadline"> & { readonly maxAttempts: number }) & {
    readonly maxWaitTime?: undefined;
  };

/** The options of a wait. */
export interface WaitOptions<Input = unknown, Response = unknown> extends StartOptions<Input> {
  /** Cancels the wait and the call in flight: `WaiterCancelled`, with the signal's reason as its `cause`. */
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * The definition's acceptors as compiled code: returns the index of the first one that matches a response, `undefined` for none.
   * It decides instead of the engine, which evaluates only the last response of a failed wait, for its reasons. Errors are the
   * engine's, and so are all responses of a wait with `show`. A waiter of a predicate does not take it.
   */
  readonly matcher?: ((response: Response) => number | undefined) | undefined;
  /**
   * Called after each attempt. If it returns a promise, that is awaited, until the deadline of the wait at most. An exception that it
   * throws, or a rejection until then, ends the wait and is thrown unchanged.
   */
  readonly onAttempt?: ((progress: Progress<Response>) => unknown) | undefined;
  /**
   * Sleeps, instead of timers: **in milliseconds**, as timers do. A sleep that returns without the `clock` advancing, as a mock does,
   * counts as slept: the wait then runs in virtual time. For tests, a `FakeClock` as `clock` does both.
   */
  readonly sleep?: Sleep | undefined;
  /**
   * A monotonic clock **in milliseconds**, instead of `performance.now`; or a `FakeClock` of `smithy-waiters/testing` (which
   * counts seconds), which sleeps by itself: a wait of an hour then takes no time.
   */
  readonly clock?: Clock | FakeClock | undefined;
}

/** The options of a wait that is iterated over. */
export interface AttemptsOptions<Input = unknown> extends Omit<WaitOptions<Input>, "matcher" | "onAttempt"> {
  /** Not accepted: the loop itself receives each attempt. */
  readonly onAttempt?: undefined;
}

/** Returns the time in milliseconds since any moment; never goes back. */
export type Clock = () => number;

/** The operation. */
export type Call<Response> = (attempt: Attempt) => PromiseLike<Response> | Response;

/** The attempt that a call is made for. */
export interface Attempt {
  /** Its number, from 1. */
  readonly number: number;
  /** The seconds until the deadline of the call; `Infinity` if nothing limits it. */
  readonly remaining: number;
  /**
   * Aborted with the reason of the caller's own signal, or with a `DOMException` named "TimeoutError" at the deadline of the call.
   * It is created when it is first read.
   */
  readonly signal: AbortSignal;
}

/** An attempt that has just ended. Its `result` is the end of the call, and narrows the type. */
export type Progress<Response = unknown> = ErrorProgress | LostProgress<Response> | ResponseProgress<Response>;

/** An attempt whose call returned a response. */
export interface ResponseProgress<Response = unknown> extends AttemptProgress {
  readonly result: "response";
  /** The response. */
  readonly response: Response;
  readonly error: undefined;
}

/** An attempt whose call threw. */
export interface ErrorProgress extends AttemptProgress {
  readonly result: "error";
  readonly response: undefined;
  /** The thrown value. */
  readonly error: unknown;
}

/** An attempt whose call was cut at its deadline, or ended after the wait's: its result was not evaluated. */
export interface LostProgress<Response = unknown> extends AttemptProgress {
  readonly result: "cut" | "late";
  /** The response, if it came too late. */
  readonly response: Response | undefined;
  /** The thrown value, if it came too late. */
  readonly error: unknown;
}

/** The members of every attempt that has ended. */
export interface AttemptProgress extends Pick<AttemptRecord, "attempt" | "nextIsLast" | "reasons"> {
  /** The label of the wait. */
  readonly label: string | undefined;
  /**
   * The attempt in one line for people: the waiter and the label, the time, the state and its reason, the values of `show`, the next
   * delay.
   */
  readonly summary: string;
  /** The values of the paths that the option `show` lists. */
  readonly values: readonly PathValue[];
  /** The verdict's state; `undefined` if the result was not evaluated. */
  readonly state: AttemptRecord["state"] | undefined;
  /** The index of the acceptor that matched. */
  readonly acceptor: number | undefined;
  /** The seconds until the next attempt; `undefined` when the wait is over. */
  readonly delay: number | undefined;
  /** The seconds until the deadline of the wait; `Infinity` if only attempts are limited. */
  readonly remaining: number;
  /** The seconds since the wait began. */
  readonly elapsed: number;
}

/**
 * The options that the driver uses.
 *
 * @internal
 */
export type HostOptions<Response> = Pick<
  WaitOptions<unknown, Response>,
  "abortSignal" | "clock" | "matcher" | "onAttempt" | "sleep"
>;

/** Returns the options by the engine's names; the engine checks the values. */
export function engineOptions(options: object): Record<string, unknown> {
  checkBare(options, "number", "maxWaitTime");
  checkNames(options, START_OPTIONS, WAIT_OPTIONS);
  const { maxWaitTime: maxWait, deadline, input, ...others } = Object.fromEntries(pickOptions(options, START_OPTIONS));
  rejectFunctions({ maxWaitTime: maxWait, ...others });
  return { maxWait, deadline: secondsUntil(deadline), ...others };
}

/** The engine reads a function as a member that is absent. */
function rejectFunctions(options: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === "function") throw invalidOption(name, `\`${name}\` must not be a function: call it, or give its value`);
  }
}

/** A `deadline` that is further away is of another unit or another clock. */
const TEN_YEARS_MS = 315_360_000_000;

/** Returns the time from now until a deadline, as the engine takes it. */
function secondsUntil(deadline: unknown): number | undefined {
  if (deadline === undefined || deadline === null) return undefined;
  const moment: unknown = typeof deadline === "object" && isDate(deadline) ? deadline.getTime() : deadline;
  const left = typeof moment === "number" ? moment - Date.now() : Number.NaN;
  if (Math.abs(left) <= TEN_YEARS_MS) return left / 1000;
  const rule = "a `Date` or milliseconds as `Date.now()` returns, at most ten years from now";
  throw invalidOption("deadline", `\`deadline\` must be ${rule}, got ${messageOf(deadline)}`);
}

/** The options of the driver. */
const HOST_OPTIONS: readonly (keyof HostOptions<never>)[] = ["abortSignal", "matcher", "onAttempt", "sleep", "clock"];

/** The options of the engine, and the input. */
const START_OPTIONS: readonly (keyof StartOptions)[] = [
  "maxWaitTime",
  "deadline",
  "attemptTimeout",
  "minDelay",
  "maxDelay",
  "maxAttempts",
  "initialDelay",
  "seed",
  "historyLimit",
  "redact",
  "finalPoll",
  "pace",
  "transientErrors",
  "transientWindow",
  "label",
  "show",
  "input",
];

/** All options of a wait. */
const WAIT_OPTIONS: readonly string[] = [...START_OPTIONS, ...HOST_OPTIONS];

/** Checks the options of a wait and splits them into those of the engine and those of the driver. */
export function splitOptions<Input, Response>(
  options: WaitOptions<Input, Response> | WithoutMaxWaitTime<WaitOptions<Input, Response>>,
): [StartOptions<Input>, HostOptions<Response>] {
  checkBare(options, "number", "maxWaitTime");
  checkNames(options, WAIT_OPTIONS);
  const { abortSignal, matcher, onAttempt, sleep, clock } = options;
  checkTime({ abortSignal, sleep, clock });
  checkFunction("matcher", matcher);
  checkFunction("onAttempt", onAttempt);
  const start = Object.fromEntries(pickOptions(options, START_OPTIONS)) as unknown as StartOptions<Input>;
  // A matcher gives no values to show; the engine, which reads them, gives the same verdict.
  const hasToRead = Array.isArray(start.show) && start.show.length > 0;
  return [start, { abortSignal, matcher: hasToRead ? undefined : matcher, onAttempt, sleep, clock }];
}

/** Checks the signal, the sleep and the clock. */
export function checkTime({ abortSignal, sleep, clock }: Pick<HostOptions<never>, "abortSignal" | "clock" | "sleep">): void {
  checkSignal(abortSignal);
  checkFunction("sleep", sleep);
  checkClock(clock, sleep);
}

/** Returns the members with these names. They may be inherited: the options may be an instance of a class. */
function pickOptions(options: object, names: readonly string[]): [name: string, value: unknown][] {
  return names.filter((name) => name in options).map((name) => [name, (options as Record<string, unknown>)[name]]);
}

function checkClock(clock: unknown, sleep: unknown): void {
  if (typeof clock !== "object" || clock === null) return checkFunction("clock", clock);
  const { startTimer } = clock as { startTimer?: unknown };
  if (typeof startTimer !== "function") throw mustBe("clock", "a function or a `FakeClock`");
  if (sleep === undefined || sleep === null) return;
  throw new OptionsError({ code: "conflicting_options", option: "sleep", message: "a `FakeClock` sleeps by itself" });
}
