/**
 * What the caller of a wait decides. Times are in seconds.
 *
 * @module
 */

import { OptionsError } from "./errors.js";
import { didYouMean } from "./hint.js";
import { ENGINE_NAMES } from "./option-names.js";
import type { AttemptRecord } from "./outcome.js";
import type { FakeClock } from "./testing.js";

/** The options of a wait that is driven step by step. */
export interface StartOptions<Input = unknown> {
  /** The time that the whole wait may take, in seconds: more than 0, at most ten years. The only one that must be given. */
  readonly maxWaitTime: number;
  /** The least delay between two attempts, in seconds, at most `maxDelay`; without it the definition's, which has 2 by default. */
  readonly minDelay?: number | undefined;
  /**
   * The greatest delay between two attempts, in seconds, at least `minDelay`; without it the definition's, which has 120 by
   * default.
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
  /** How many of the newest attempts are remembered, for the `history` and for `explain()`; 10 without it. */
  readonly historyLimit?: number | undefined;
  /**
   * When the last poll is made: one `minDelay` before the deadline, as the specification says and as it is without this
   * option, or at the deadline with `finalPollGrace` to answer in.
   */
  readonly finalPoll?: "beforeDeadline" | "atDeadline" | undefined;
  /** How much later the deadline of a last poll `"atDeadline"` is, in seconds, more than 0; required with it. */
  readonly finalPollGrace?: number | undefined;
  /** The operation's input, which `inputOutput` matchers look at. */
  readonly input?: Input | undefined;
}

/** The options of a wait. */
export interface WaitOptions<Input = unknown, Response = unknown> extends StartOptions<Input> {
  /** Cancels the wait, and the call that is in flight: `WaiterCancelled`, with the signal's reason as its `cause`. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Called after each attempt. What it throws ends the wait and is thrown as it is; what it gives is not awaited. */
  readonly onAttempt?: ((progress: Progress<Response>) => void) | undefined;
  /**
   * Sleeps, instead of timers: **in milliseconds**, as timers do. Give a `clock` with it that tells the time that it takes;
   * for tests, a `FakeClock` as `clock` does both.
   */
  readonly sleep?: Sleep | undefined;
  /**
   * A monotonic clock **in milliseconds**, instead of `performance.now`; or a `FakeClock` of `smithy-waiters/testing` (which
   * counts seconds), which sleeps by itself: a wait of an hour then takes no time.
   */
  readonly clock?: Clock | FakeClock | undefined;
}

/** The options of a wait whose attempts are asked for one by one. */
export interface AttemptsOptions<Input = unknown> extends Omit<WaitOptions<Input>, "onAttempt"> {
  /** None: the loop is told of each attempt itself. */
  readonly onAttempt?: undefined;
}

/** Resolves after that many milliseconds; the signal says that nobody waits for it any more. */
export type Sleep = (ms: number, signal: AbortSignal) => PromiseLike<unknown>;

/** Gives the time in milliseconds since any moment; never goes back. */
export type Clock = () => number;

/** The operation. Its signal fires when the caller cancels, and at the deadline. */
export type Call<Response> = (attempt: Attempt) => PromiseLike<Response> | Response;

/** The attempt that a call is made for. */
export interface Attempt {
  /** Its number, from 1. */
  readonly number: number;
  /** The seconds until the deadline. */
  readonly remaining: number;
  /** Fires with the reason of the caller's own signal, or with a `DOMException` named "TimeoutError" at the deadline. */
  readonly signal: AbortSignal;
}

/** An attempt as it has just ended. */
export interface Progress<Response = unknown> extends Pick<AttemptRecord, "attempt" | "last" | "reasons" | "result"> {
  /** The verdict's state; `undefined` where the result was not looked at. */
  readonly state: AttemptRecord["state"] | undefined;
  /** The index of the acceptor that matched. */
  readonly acceptor: number | undefined;
  /** The seconds until the next attempt; `undefined` when the wait is over. */
  readonly delay: number | undefined;
  /** The seconds until the deadline. */
  readonly remaining: number;
  /** The seconds since the wait began. */
  readonly elapsed: number;
  /** What the call gave. */
  readonly response: Response | undefined;
  /** What the call threw. */
  readonly error: unknown;
}

/** The options as the engine names them; their values are its to check. */
export function engineOptions(options: object): Record<string, unknown> {
  checkObject(options);
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (Object.hasOwn(ENGINE_NAMES, name)) named[ENGINE_NAMES[name]!] = value;
    else if (name !== "input") throw unknownOption(name, WAIT_OPTIONS);
  }
  return named;
}

/** What a wait may be given. */
export const WAIT_OPTIONS: readonly string[] = [...Object.keys(ENGINE_NAMES), "input", "abortSignal", "onAttempt", "sleep", "clock"];

/** What a driver acts with. */
export type HostOptions<Response> = Pick<
  WaitOptions<unknown, Response>,
  "abortSignal" | "onAttempt" | "sleep" | "clock"
>;

/** The options of a wait in two parts: what the engine decides by, and what the driver acts with. */
export function partOptions<Input, Response>(
  options: WaitOptions<Input, Response>,
): [StartOptions<Input>, HostOptions<Response>] {
  checkObject(options);
  const { abortSignal, onAttempt, sleep, clock, ...start } = options;
  checkSignal(abortSignal);
  checkFunction("onAttempt", onAttempt);
  checkFunction("sleep", sleep);
  checkClock(clock, sleep);
  return [start, { abortSignal, onAttempt, sleep, clock }];
}

/** Refuses options other than those listed. */
export function checkNames(options: object, names: readonly string[]): void {
  checkObject(options);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw unknownOption(name, names);
}

/** Refuses what is no boolean, where it is given. */
export function checkBoolean(option: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "boolean") return;
  throw new OptionsError({ code: "invalid_option", option, message: `\`${option}\` must be a boolean` });
}

/** Refuses what is no function, where it is given. */
export function checkFunction(option: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "function") return;
  throw new OptionsError({ code: "invalid_option", option, message: `\`${option}\` must be a function` });
}

function checkClock(clock: unknown, sleep: unknown): void {
  if (typeof clock !== "object" || clock === null) return checkFunction("clock", clock);
  const { alarm } = clock as { alarm?: unknown };
  if (typeof alarm !== "function") {
    throw new OptionsError({ code: "invalid_option", option: "clock", message: "`clock` must be a function or a `FakeClock`" });
  }
  if (sleep === undefined || sleep === null) return;
  throw new OptionsError({ code: "conflicting_options", option: "sleep", message: "a `FakeClock` sleeps by itself" });
}

/** Refuses a call that is none: the caller's mistake, not an error of the operation. */
export function checkCall(call: unknown): void {
  if (typeof call !== "function") throw new TypeError(`the call must be a function, got ${shown(call)}`);
}

/** Refuses what is no object, by the name of what it should be. */
export function checkObject(options: unknown, what = "the options"): void {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return;
  const message = `${what} must be an object, got ${shown(options)}`;
  throw new OptionsError({ code: "invalid_option", option: "", message });
}

/** What a value is, in a message. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined || signal === null || typeof signal.addEventListener === "function") return;
  const message = "`abortSignal` must be an `AbortSignal`";
  throw new OptionsError({ code: "invalid_option", option: "abortSignal", message });
}

/** What is thrown for an option that there is not. */
export function unknownOption(option: string, known: readonly string[]): OptionsError {
  const message = `\`${option}\` is not an option${didYouMean(option, known)}`;
  return new OptionsError({ code: "unknown_option", option, message });
}
