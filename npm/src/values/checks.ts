/**
 * Checks of arguments that the engine does not make.
 *
 * @module
 */

import { callEngine } from "../engine/call.js";
import { unknownOption as messageOfUnknown } from "../engine/engine.js";
import { OptionsError } from "../errors.js";
import { isThenable } from "./promise.js";

/** Refuses options other than those listed; a near one of those `known` is suggested. */
export function checkNames(options: object, names: readonly string[], known = names): void {
  checkObject(options);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw unknownOption(name, known);
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

/** Refuses a call that is none: the caller's mistake, not an error of the operation. */
export function checkCall(call: unknown): void {
  if (typeof call === "function") return;
  const got = isThenable(call) ? "a promise: pass the function itself, not its promise" : typeName(call);
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
  throw invalidOption("", `${what} must be an object, got ${typeName(options)}`);
}

/** Returns the type of a value, for messages. */
export function typeName(value: unknown): string {
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
  const message = callEngine(() => messageOfUnknown(option, [...known]));
  return new OptionsError({ code: "unknown_option", option, message });
}
