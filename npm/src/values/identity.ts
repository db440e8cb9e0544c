/**
 * Texts that identify values which the data model does not represent exactly. Continuation tokens are compared by them.
 *
 * @module
 */

import { NUMBER, OBJECT, STRING } from "../constants.js";
import { isPlain, kindOf, memberNames, textOf } from "./data-model.js";

/**
 * Returns the text of a value that the engine cannot read exactly; `undefined` for every other value.
 *
 * - An integer or a decimal that a double cannot represent: its digits.
 * - A string with lone surrogates, which strings of other languages cannot contain: the string as JSON.
 * - A map with keys that are not strings, or a class instance without members: a text that is unique to the object.
 */
export function identityOf(value: unknown): string | undefined {
  switch (kindOf(value)) {
    case NUMBER:
      return exactNumber(value);
    case STRING:
      // Base64 has no surrogates, so bytes are always exact.
      return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? undefined : exactString(textOf(value));
    case OBJECT:
      return hasExactMembers(value as object) ? undefined : objectName(value as object);
    default:
      return undefined;
  }
}

function exactNumber(value: unknown): string | undefined {
  const primitive = typeof value === "object" ? (value as { valueOf(): unknown }).valueOf() : value;
  if (typeof primitive === "bigint") return BigInt(Number(primitive)) === primitive ? undefined : normalize(String(primitive));
  const { string } = value as { string?: unknown };
  if (typeof string !== "string") return undefined;
  const digits = normalize(string);
  return digits === normalize(String(Number(string))) ? undefined : digits;
}

/** Returns the canonical form of a decimal: its digits without leading and trailing zeros, and its exponent. */
function normalize(decimal: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(decimal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

function exactString(text: string): string | undefined {
  return /\p{Surrogate}/u.test(text) ? JSON.stringify(text) : undefined;
}

function hasExactMembers(value: object): boolean {
  if (value instanceof Map) return [...Map.prototype.keys.call(value)].every((key) => typeof key === "string");
  return isPlain(value) || [...memberNames(value)].length > 0;
}

const numbers = new WeakMap<object, number>();
let newest = 0;

function objectName(object: object): string {
  const number = numbers.get(object) ?? ++newest;
  numbers.set(object, number);
  return `<object ${number}>`;
}
