/**
 * Whether options are what they should be, as far as the engine does not say.
 *
 * @module
 */

import { unknownOption as messageOfUnknown } from "./engine.js";
import { asked, OptionsError } from "./errors.js";
import type { HostOptions, LimitedByAttempts, StartOptions, WaitOptions } from "./options.js";
import { isThenable } from "./thenable.js";

/** The options as the engine names them; their values are its to check. */
export function engineOptions(options: object): Record<string, unknown> {
  checkBare(options, "number", "maxWaitTime");
  checkNames(options, START_OPTIONS, WAIT_OPTIONS);
  const given = picked(options, START_OPTIONS).filter(([name]) => name !== "input");
  return Object.fromEntries(given.map(([name, value]) => [name === "maxWaitTime" ? "maxWait" : name, value]));
}

/** What the driver of a wait acts with. */
const HOST_OPTIONS: readonly (keyof HostOptions<never>)[] = ["abortSignal", "matcher", "onAttempt", "sleep", "clock"];

/** What the engine is told, and the input. */
const START_OPTIONS: readonly (keyof StartOptions)[] = [
  "maxWaitTime",
  "attemptTimeout",
  "minDelay",
  "maxDelay",
  "maxAttempts",
  "initialDelay",
  "seed",
  "historyLimit",
  "redact",
  "finalPoll",
  "finalPollGrace",
  "input",
];

/** What a wait may be given. */
const WAIT_OPTIONS: readonly string[] = [...START_OPTIONS, ...HOST_OPTIONS];

/** The options of a wait in two parts: what the engine decides by, and what the driver acts with. */
export function partOptions<Input, Response>(
  options: LimitedByAttempts<WaitOptions<Input, Response>> | WaitOptions<Input, Response>,
): [StartOptions<Input>, HostOptions<Response>] {
  checkBare(options, "number", "maxWaitTime");
  checkNames(options, WAIT_OPTIONS);
  const { abortSignal, matcher, onAttempt, sleep, clock } = options;
  checkTime({ abortSignal, sleep, clock });
  checkFunction("matcher", matcher);
  checkFunction("onAttempt", onAttempt);
  const start = Object.fromEntries(picked(options, START_OPTIONS)) as unknown as StartOptions<Input>;
  return [start, { abortSignal, matcher, onAttempt, sleep, clock }];
}

/** Refuses what is no signal, no sleep or no clock. */
export function checkTime({ abortSignal, sleep, clock }: Pick<HostOptions<never>, "abortSignal" | "clock" | "sleep">): void {
  checkSignal(abortSignal);
  checkFunction("sleep", sleep);
  checkClock(clock, sleep);
}

/** Refuses what is no retry strategy, where it is given. */
export function checkStrategy(option: string, strategy: unknown): void {
  if (strategy === undefined || strategy === null) return;
  const has = (method: string): boolean => typeof (strategy as Record<string, unknown>)[method] === "function";
  if (["acquireInitialToken", "refreshRetryToken", "recordSuccess"].every(has)) return;
  throw mustBe(option, "a `RetryStrategy`");
}

/** Refuses options other than those listed; a near one of those `known` is suggested. */
export function checkNames(options: object, names: readonly string[], known = names): void {
  checkObject(options);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw unknownOption(name, known);
}

/** The members that are there, of these names: they may be inherited, as a platform's own options may. */
function picked(options: object, names: readonly string[]): [name: string, value: unknown][] {
  return names.filter((name) => name in options).map((name) => [name, (options as Record<string, unknown>)[name]]);
}

/** Refuses what is no boolean, where it is given. */
export function checkBoolean(option: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "boolean") return;
  throw mustBe(option, "a boolean");
}

/** Refuses what is no integer, or less than that. */
export function checkInteger(option: string, value: unknown, least: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return;
  throw mustBe(option, `an integer, at least ${least}`);
}

/** Returns whether a value is a finite number of seconds, at least 0. */
export function isDuration(seconds: unknown): seconds is number {
  return typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY;
}

/** Refuses what is no function, where it is given. */
export function checkFunction(option: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "function") return;
  throw mustBe(option, "a function");
}

function checkClock(clock: unknown, sleep: unknown): void {
  if (typeof clock !== "object" || clock === null) return checkFunction("clock", clock);
  const { startTimer } = clock as { startTimer?: unknown };
  if (typeof startTimer !== "function") throw mustBe("clock", "a function or a `FakeClock`");
  if (sleep === undefined || sleep === null) return;
  throw new OptionsError({ code: "conflicting_options", option: "sleep", message: "a `FakeClock` sleeps by itself" });
}

/** Refuses a call that is none: the caller's mistake, not an error of the operation. */
export function checkCall(call: unknown): void {
  if (typeof call === "function") return;
  const got = isThenable(call) ? "a promise: pass the function itself, not its promise" : shown(call);
  throw new TypeError(`the call must be a function, got ${got}`);
}

/** Refuses an option's bare value where the options are due. */
export function checkBare(options: unknown, type: "number" | "string", option: string): void {
  if (typeof options !== type) return;
  const value = type === "string" ? JSON.stringify(options) : String(options);
  throw invalidOption("", `the options must be an object, got a ${type}: did you mean \`{ ${option}: ${value} }\`?`);
}

/** Refuses what is no object, by the name of what it should be. */
export function checkObject(options: unknown, what = "the options"): void {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return;
  throw invalidOption("", `${what} must be an object, got ${shown(options)}`);
}

/** What a value is, in a message. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

/** Refuses what is no signal, where it is given. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined || signal === null) return;
  if (typeof signal.addEventListener === "function" && typeof signal.aborted === "boolean") return;
  throw mustBe("abortSignal", "an `AbortSignal`");
}

/** What is thrown for an option's value. */
export function invalidOption(option: string, message: string): OptionsError {
  return new OptionsError({ code: "invalid_option", option, message });
}

/** What is thrown for an option's value that is something else. */
export function mustBe(option: string, what: string): OptionsError {
  return invalidOption(option, `\`${option}\` must be ${what}`);
}

/** What is thrown for an option that there is not. */
export function unknownOption(option: string, known: readonly string[]): OptionsError {
  const message = asked(() => messageOfUnknown(option, [...known]));
  return new OptionsError({ code: "unknown_option", option, message });
}
