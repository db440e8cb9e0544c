/**
 * The mapping of JavaScript values to the
 * [JMESPath data model](https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model) of the specification.
 *
 * - Strings: strings, boxed strings, and bytes (`ArrayBuffer`, its views and `Buffer`) as base64. A lone surrogate is U+FFFD.
 * - Numbers: numbers, `bigint`, boxed numbers, the AWS SDK's `NumericValue`, and `Date` in epoch seconds. NaN and the infinities
 *   are null.
 * - Booleans: booleans and boxed booleans.
 * - Arrays: arrays and `Set`.
 * - Objects: all other objects. The members are the own enumerable properties and the accessors of the classes, without those of
 *   `Object.prototype`. The members of a `Map` are the entries whose keys are strings.
 * - Null: null, `undefined`, functions and symbols. A member with one of the last three values is absent.
 *
 * Rule: docs/rules.md#host-values
 *
 * @module
 */

import { ARRAY, FALSE, NULL, NUMBER, OBJECT, STRING, TRUE } from "../constants.js";

/** Returns the kind of a value. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "object":
      return value === null ? NULL : kindOfObject(value);
    case "boolean":
      return value ? TRUE : FALSE;
    // The engine reads NaN and the infinities as null; in options it rejects them by name.
    case "number":
    case "bigint":
      return NUMBER;
    default:
      return NULL;
  }
}

/** Returns a member of an object; `undefined` if the member is absent or the value is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (name in Object.prototype && !Object.hasOwn(value, name)) return inheritedMember(value, name);
  // The member is read before the check, because JavaScript engines optimize this order.
  const read = (value as Members)[name];
  return Object.getPrototypeOf(value) === Object.prototype ? read : memberOfInstance(value, read, name);
}

/** Returns the names and values of an object's members, alternating, in the order of the object. Absent members are omitted. */
export function entriesOf(value: object): unknown[] {
  const entries: unknown[] = [];
  for (const name of memberNames(value)) {
    const member = memberOf(value, name);
    if (isSet(member)) entries.push(name, member);
  }
  return entries;
}

/** Returns the items of a value of the kind `ARRAY`. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : listOf(value as Set<unknown>);
}

/** @throws TypeError if the length is not a whole number: an array may be a proxy, which can return any length. */
export function lengthOf(items: readonly unknown[]): number {
  const { length } = items;
  if (Number.isSafeInteger(length) && length >= 0) return length;
  throw new TypeError("the length of an array is not a whole number");
}

/** Returns the number of a value of the kind `NUMBER`. Dates are epoch seconds. */
export function numberOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return Number(value);
  if (isDate(value)) return secondsOf(value);
  return Number(isNumericValue(value) ? value.string : value);
}

/** Returns the text of a value of the kind `STRING`. Bytes are base64. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return isBytes(value) ? base64(bytesOf(value)) : String(value);
}

/** The length in UTF-16 units beyond which bytes are not counted, because the text exceeds the limits of every evaluation. */
const LONGEST_MEASURED = 2 ** 27;

/** Returns the size of a value of the kind `STRING`, in bytes of UTF-8 or in the bytes of a binary value. */
export function sizeOf(value: unknown): number {
  if (isBytes(value)) return value.byteLength;
  const text = textOf(value);
  let size = text.length;
  if (size > LONGEST_MEASURED) return size;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair has four bytes, two for each unit. A lone surrogate is read as U+FFFD, which has three.
    const isPair = unit >= 0xd800 && unit < 0xe000 && text.codePointAt(index)! > 0xffff;
    if (isPair) index++;
    size += isPair || unit >= 0x800 ? 2 : 1;
  }
  return size;
}

/** Returns the beginning of a text, with at least `codePoints` code points unless the text is shorter. */
export function startOf(value: unknown, codePoints: number): string {
  if (!isBytes(value)) return textOf(value).slice(0, 2 * codePoints);
  // Three bytes make four characters of base64. Only as many bytes are encoded as needed.
  return base64(bytesOf(value).subarray(0, 3 * Math.ceil(codePoints / 4)));
}

type Members = Record<string, unknown>;

/** The number of bytes to encode at once; a multiple of 3, so that the pieces have no padding. */
const PIECE = 6144;
/** The limit on the items of a collection, which is higher than the limits of every evaluation. */
const MOST_MEMBERS = 1_000_000;
const MOST_CLASSES = 1000;

/** Returns `true` if an object has no class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOfObject(value: object): number {
  if (Array.isArray(value)) return ARRAY;
  if (isPlain(value)) return OBJECT;
  if (isBytes(value)) return STRING;
  switch (brand(value)) {
    case "[object Set]":
      return ARRAY;
    case "[object Date]":
      return Number.isNaN(secondsOf(value as Date)) ? NULL : NUMBER;
    case "[object BigInt]":
    case "[object Number]":
      return NUMBER;
    case "[object Boolean]":
      return Boolean.prototype.valueOf.call(value) ? TRUE : FALSE;
    case "[object String]":
      return STRING;
    default:
      return isNumericValue(value) ? NUMBER : OBJECT;
  }
}

/** Returns `true` for a number of the AWS SDK that is too long for a double: an object with the digits as a string. */
function isNumericValue(value: object): value is { string: string } {
  const { type, string } = value as { type?: unknown; string?: unknown };
  return type === "bigDecimal" && typeof string === "string";
}

/** Returns a property that was read from an object if the property is a member; `undefined` otherwise. */
function memberOfInstance(value: object, read: unknown, name: string): unknown {
  if (isPlain(value)) return read;
  if (isMap(value)) return value.get(name);
  if (kindOfObject(value) !== OBJECT) return undefined;
  const property = Object.getOwnPropertyDescriptor(value, name);
  return (property === undefined ? hasAccessor(value, name) : property.enumerable) ? read : undefined;
}

/** Returns a member whose name is also a property of `Object.prototype`, from an object without an own property of that name. */
function inheritedMember(value: object, name: string): unknown {
  if (isPlain(value)) return undefined;
  if (isMap(value)) return value.get(name);
  return kindOfObject(value) === OBJECT && hasAccessor(value, name) ? (value as Members)[name] : undefined;
}

/** Returns `true` if the nearest class with a property of that name defines it as an accessor. */
function hasAccessor(value: object, name: string): boolean {
  for (const prototype of classesOf(value)) {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    if (property !== undefined) return property.get !== undefined;
  }
  return false;
}

/** Returns the names of an object's members, including absent ones. */
export function memberNames(value: object): Iterable<string> {
  if (isMap(value)) return listOf(value.keys()).filter((key) => typeof key === "string");
  return isPlain(value) ? Object.keys(value) : new Set([...Object.keys(value), ...accessorNames(value)]);
}

function accessorNames(value: object): string[] {
  const names = classesOf(value).flatMap((prototype) => Object.getOwnPropertyNames(prototype));
  return names.filter((name) => hasAccessor(value, name));
}

/** Returns the prototypes of an object, the nearest first, without the `Object.prototype` of any realm. */
function classesOf(value: object): object[] {
  const classes: object[] = [];
  let prototype: unknown = Object.getPrototypeOf(value);
  while (typeof prototype === "object" && prototype !== null && !Object.hasOwn(prototype, "isPrototypeOf")) {
    if (classes.push(prototype) > MOST_CLASSES) throw new RangeError(`an object has more than ${MOST_CLASSES} prototypes`);
    prototype = Object.getPrototypeOf(prototype);
  }
  return classes;
}

/** Collects the values of an iterator. The limit is for custom iterators, which may be infinite. */
function listOf(values: Iterable<unknown>): unknown[] {
  const list: unknown[] = [];
  for (const value of values) {
    if (list.push(value) > MOST_MEMBERS) throw new RangeError(`a collection has more than ${MOST_MEMBERS} items`);
  }
  return list;
}

/** Returns `true` if the value of a member is not one of those that mark an absent member. */
export function isSet(member: unknown): boolean {
  return member !== undefined && typeof member !== "function" && typeof member !== "symbol";
}

/** Returns the built-in kind of an object, which is the same in all realms. */
function brand(value: object): string {
  return Object.prototype.toString.call(value);
}

function isMap(value: object): value is Map<unknown, unknown> {
  return brand(value) === "[object Map]";
}

export function isDate(value: object | null): value is Date {
  return value !== null && brand(value) === "[object Date]";
}

function secondsOf(date: Date): number {
  return Date.prototype.getTime.call(date) / 1000;
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || (typeof value === "object" && value !== null && brand(value) === "[object ArrayBuffer]");
}

function bytesOf(bytes: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
}

function base64(view: Uint8Array): string {
  // The bytes are encoded in pieces, because the number of arguments of a call is limited.
  const pieces: string[] = [];
  for (let start = 0; start < view.length; start += PIECE) {
    pieces.push(btoa(String.fromCharCode(...view.subarray(start, start + PIECE))));
  }
  return pieces.join("");
}
