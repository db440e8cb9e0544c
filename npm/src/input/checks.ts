/**
 * Validation of arguments that the engine does not receive.
 *
 * @module
 */

import { count, mustBe as messageOfRule, unknownOption as messageOfUnknown } from "../engine/engine.js";
import { OptionsError } from "../errors/waiter.js";
import { displayInput, typeName } from "../values/display.js";
import { isThenable } from "../values/promise.js";
import { callEngine, inSlots } from "./engine-call.js";

/** Rejects unknown options. The error suggests the most similar name in `known`. */
export function checkNames(options: object, names: readonly string[], known = names): void {
  checkObject(options);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw unknownOption(name, known);
}

/** Rejects a value that is neither a boolean nor absent. */
export function checkBoolean(option: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "boolean") return;
  throw mustBe(option, "boolean", value);
}

/** Rejects a value that is not a text, or is empty. */
export function checkText(option: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || value === "") throw notText(option, "a text", value);
}

/** Returns the error for a text that violates a rule. */
export function notText(option: string, rule: string, value: unknown): OptionsError {
  return typeof value === "string" ? invalidOption(option, `\`${option}\` must be ${rule}, got ${JSON.stringify(value)}`) : mustBe(option, rule, value);
}

/** Returns an integer of at least 0; undefined for null and undefined. */
export function countOf(option: string, value: unknown): number | undefined {
  return inSlots((slot) => count(option, slot), value);
}

/** Rejects a value that is neither a function nor absent. */
export function checkFunction(option: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "function") return;
  throw mustBe(option, "function", value);
}

/** @throws TypeError if the call is not a function. The operation's own errors are never thrown directly. */
export function checkCall(call: unknown): void {
  if (typeof call === "function") return;
  const got = isThenable(call) ? "a promise: pass the function itself, not its promise" : typeName(call);
  throw new TypeError(`the call must be a function, got ${got}`);
}

/** Rejects the value of the most frequent option in place of the options object. */
export function checkBare(options: unknown, type: "number" | "string", option: string): void {
  if (typeof options !== type) return;
  const value = type === "string" ? JSON.stringify(options) : String(options);
  throw invalidOption("", `the options must be an object, got a ${type}: did you mean \`{ ${option}: ${value} }\`?`);
}

/** Rejects a value that is not an object. `what` names the argument in the error. */
export function checkObject(options: unknown, what = "the options"): void {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return;
  throw invalidOption("", `${what} must be an object, got ${typeName(options)}`);
}

/** Rejects a value that is neither an `AbortSignal` nor absent. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined || signal === null) return;
  if (typeof signal.addEventListener === "function" && typeof signal.aborted === "boolean") return;
  throw mustBe("abortSignal", "an `AbortSignal`", signal);
}

/** Returns `true` for an iterable that is not a text. */
export function isList(values: unknown): values is Iterable<unknown> {
  return typeof values === "object" && values !== null && Symbol.iterator in values;
}

/** Returns the error for an option with an invalid value. */
export function invalidOption(option: string, message: string): OptionsError {
  return new OptionsError({ code: "invalid_option", option, message });
}

/** Returns the error for an option whose value violates a rule: one of the engine, such as `boolean`, or the text of another one. */
export function mustBe(option: string, rule: string, value: unknown): OptionsError {
  return invalidOption(option, callEngine(() => messageOfRule(option, rule, displayInput(value))));
}

/** Returns the error for an unknown option. */
function unknownOption(option: string, known: readonly string[]): OptionsError {
  const message = callEngine(() => messageOfUnknown(option, [...known]));
  return new OptionsError({ code: "unknown_option", option, message });
}
