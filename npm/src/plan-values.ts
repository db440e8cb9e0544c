/**
 * Values as plans see them: plain ones only.
 *
 * Whatever else there may be is thrown as `UNDECIDED`: the core must look.
 *
 * @module
 */

import { isPlain, isSet } from "./data.js";

/** Thrown where the core must look. */
const UNDECIDED = Symbol("undecided");

export function undecided(): never {
  throw UNDECIDED;
}

/** A plain value as it is, what reads as null as null. */
export function settledValue(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "object":
      if (value === null || Array.isArray(value)) return value;
      return Object.getPrototypeOf(value) === Object.prototype || isPlain(value) ? value : undecided();
    case "bigint":
      return undecided();
    default:
      return null;
  }
}

/** The items of an array, null of anything else. */
export function arrayOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  settledValue(value);
  return null;
}

export function isTruthy(given: unknown): boolean {
  if (typeof given === "boolean") return given;
  const value = settledValue(given);
  if (typeof value !== "object" || value === null) return value === 0 || Boolean(value);
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some(isSet);
}

/** Whether two settled values are equal. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return typeof left !== "object" || left === null || undecided();
  if (typeof left === "string" && typeof right === "string") return !differ(left, right);
  return typeof left === "object" && left !== null && typeof right === "object" && right !== null ? undecided() : false;
}

/** Whether a value that is not the wanted text reads as it. */
export function isText(value: unknown, wanted: string): boolean {
  return isEqual(settledValue(value), wanted);
}

export function includes(text: string, part: string): boolean {
  return isPlainText(text) && isPlainText(part) ? text.includes(part) : undecided();
}

/** A text without surrogates, and so as long in code points. */
export function isPlainText(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text);
}

/** Whether two texts that are not the same are no equal ones either: each lone surrogate is U+FFFD. */
function differ(left: string, right: string): boolean {
  return left.length !== right.length || (isPlainText(left) && isPlainText(right)) || undecided();
}
