/**
 * Whether two values are the same, exactly: by this a continuation token is known that came back.
 *
 * @module
 */

import { ARRAY, isPlain, itemsOf, kindOf, memberNames, memberOf, NULL, NUMBER, OBJECT, STRING, textOf } from "./data.js";

/** How deep two values are compared. */
export const DEEPEST = 128;

/**
 * Whether two values are the same: numbers by their value, whatever their making and size, texts with their lone surrogates,
 * maps with all their keys. Of an object that shows no members nothing is known: it is the same as itself only.
 */
export function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (Object.is(one, other)) return true;
  if (depth > DEEPEST) throw new RangeError(`the token goes deeper than ${DEEPEST} levels`);
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return false;
  if (kind === NUMBER) return numeric(one) == numeric(other);
  if (kind === STRING) return textOf(one) === textOf(other);
  if (kind < ARRAY) return kind !== NULL || one == other;
  const [parts, others] = [partsOf(one), partsOf(other)];
  if (parts.size !== others.size || (parts.size === 0 && kind === OBJECT && !(isOpen(one) && isOpen(other)))) return false;
  return [...parts].every(([name, part]) => others.has(name) && isSame(part, others.get(name), depth + 1));
}

/** Items by their places, members by their names. */
function partsOf(value: unknown): ReadonlyMap<unknown, unknown> {
  if (kindOf(value) === ARRAY) return new Map(itemsOf(value).entries());
  if (value instanceof Map) return value;
  return new Map(Array.from(memberNames(value as object), (name) => [name, memberOf(value, name)]));
}

/** Whether an object has nothing but what it shows. */
function isOpen(value: unknown): boolean {
  return value instanceof Map || isPlain(value as object);
}

/** A number or an integer; the AWS SDK's decimals by their digits. */
function numeric(value: unknown): bigint | number | string {
  const { string } = value as { string?: unknown };
  if (typeof string !== "string") return (value as { valueOf(): bigint | number }).valueOf();
  return string.includes(".") ? string.replace(/\.?0*$/, "") : string;
}
