/**
 * The text of a value by which a repeated start is recognised.
 *
 * @module
 */

import { displayInput } from "../values/display.js";

/**
 * Returns a text that is equal for equal values: whatever the order of the members of objects, sets and maps.
 *
 * @throws TypeError if a value is neither plain data nor a `Date`, a `RegExp`, a `URL`, bytes, a `Map` or a `Set`, or if it contains
 * itself.
 */
export function canonical(value: unknown): string {
  return textOf(value, new Set());
}

function textOf(value: unknown, within: ReadonlySet<unknown>): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "object":
      break;
    case "function":
    case "symbol":
      throw refusal(value);
    default:
      return String(value);
  }
  if (value === null) return "null";
  if (within.has(value)) throw new TypeError("the argument must not contain itself");
  const inner = new Set(within).add(value);
  const text = (item: unknown): string => textOf(item, inner);
  const members = (entries: Iterable<readonly [unknown, unknown]>): string => sorted(entries, ([name, member]) => `${text(name)}:${text(member)}`);
  if (Array.isArray(value)) return `[${Array.from(value, text).join()}]`;
  if (value instanceof Map) return `Map{${members(value)}}`;
  if (value instanceof Set) return `Set{${sorted(value, text)}}`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof RegExp || value instanceof URL) return `${value.constructor.name}(${JSON.stringify(String(value))})`;
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return `${value.constructor.name}(${bytes.toString("hex")})`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return `{${members(Object.entries(value))}}`;
  throw refusal(value);
}

function sorted<T>(items: Iterable<T>, text: (item: T) => string): string {
  return Array.from(items, text).sort().join();
}

function refusal(value: unknown): TypeError {
  const rule = "plain data, a `Date`, a `RegExp`, a `URL`, bytes, a `Map` or a `Set`";
  return new TypeError(`the argument must be ${rule}, got ${displayInput(value)}`);
}
