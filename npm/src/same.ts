/**
 * Whether two values are the same, exactly: by this a continuation token is known that came back.
 *
 * @module
 */

import { ARRAY, isPlain, itemsOf, kindOf, memberNames, memberOf, NULL, NUMBER, OBJECT, STRING, textOf } from "./data.js";

/** How deep two values are compared. */
const DEEPEST = 128;

/**
 * Whether two values are the same: numbers by their value, whatever their making and size, texts with their lone surrogates,
 * maps with all their keys. Of an object that shows no members nothing is known: it is the same as itself only.
 */
export function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (Object.is(one, other)) return true;
  if (depth > DEEPEST) throw new RangeError(`the token goes deeper than ${DEEPEST} levels`);
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return false;
  switch (kind) {
    case NULL:
      return (one ?? undefined) === (other ?? undefined);
    case NUMBER:
      return sameNumber(one, other);
    case STRING:
      return textOf(one) === textOf(other);
    case ARRAY:
      return sameItems(itemsOf(one), itemsOf(other), depth + 1);
    case OBJECT:
      return sameMembers(one as object, other as object, depth + 1);
    default:
      return true;
  }
}

function sameItems(one: readonly unknown[], other: readonly unknown[], depth: number): boolean {
  return one.length === other.length && one.every((item, index) => isSame(item, other[index], depth));
}

function sameMembers(one: object, other: object, depth: number): boolean {
  if (one instanceof Map && other instanceof Map) {
    return one.size === other.size && [...one].every(([key, value]) => other.has(key) && isSame(value, other.get(key), depth));
  }
  const [names, others] = [[...memberNames(one)], new Set(memberNames(other))];
  if (names.length !== others.size || (names.length === 0 && !(isPlain(one) && isPlain(other)))) return false;
  return names.every((name) => others.has(name) && isSame(memberOf(one, name), memberOf(other, name), depth));
}

/** By value, whatever they are made of: numbers, `bigint`, the AWS SDK's decimals, dates. */
function sameNumber(one: unknown, other: unknown): boolean {
  const [left, right] = [numeric(one), numeric(other)];
  if (typeof left !== "string" && typeof right !== "string") return left == right;
  return decimal(String(left)) === decimal(String(right));
}

/** A number, an integer, or the digits of a decimal. */
function numeric(value: unknown): bigint | number | string {
  if (typeof value === "number" || typeof value === "bigint") return value;
  const { string } = value as { string?: unknown };
  return typeof string === "string" ? string : (value as { valueOf(): bigint | number }).valueOf();
}

/** The one way to write a decimal: its digits without zeros around them, and the place of the last one. */
function decimal(text: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text.trim()) ?? [];
  if (sign === undefined) return text;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign === "-" ? "-" : ""}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
