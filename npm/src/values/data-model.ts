/**
 * The data model of the specification over JavaScript values: what each value is, and what is in it.
 *
 * - strings: also boxed ones, and bytes (`ArrayBuffer` and its views, `Buffer` too) as base64; a lone surrogate is U+FFFD
 * - numbers: also `bigint`, boxed ones, the AWS SDK's `NumericValue`, and `Date` in seconds; NaN and the infinities are null
 * - booleans: also boxed ones
 * - arrays: also `Set`
 * - objects: their own enumerable properties and the accessors of their classes, `Object.prototype` is never looked at;
 *   of a `Map` the entries whose keys are strings, the others are not there
 * - null: also `undefined`, functions and symbols; a member that is one of these three is not set
 *
 * @module
 */

import { ARRAY, FALSE, NULL, NUMBER, OBJECT, STRING, TRUE } from "../engine/constants.js";

/** Returns the kind of a value. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "object":
      return value === null ? NULL : kindOfObject(value);
    case "boolean":
      return value ? TRUE : FALSE;
    // What is no number in JSON the engine reads as null; in options it is refused by name.
    case "number":
    case "bigint":
      return NUMBER;
    default:
      return NULL;
  }
}

/** A member of an object; `undefined` where it is not set, or where the value is no object. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (name in Object.prototype && !Object.hasOwn(value, name)) return inheritedMember(value, name);
  // The read comes first: it tells the engine of JavaScript most of what it needs to know for the check.
  const read = (value as Members)[name];
  return Object.getPrototypeOf(value) === Object.prototype ? read : readOfInstance(value, read, name);
}

/** The members of an object that are set: names and values in turn, in the object's own order. */
export function entriesOf(value: object): unknown[] {
  const entries: unknown[] = [];
  for (const name of memberNames(value)) {
    const member = memberOf(value, name);
    if (isSet(member)) entries.push(name, member);
  }
  return entries;
}

/** The items of what reads as an array. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : listOf(value as Set<unknown>);
}

/** The number of items. An array may be a proxy, which gives what it likes. */
export function lengthOf(items: readonly unknown[]): number {
  const { length } = items;
  if (Number.isSafeInteger(length) && length >= 0) return length;
  throw new TypeError("the length of an array is not a whole number");
}

/** The number of what reads as one: dates are epoch seconds. */
export function numberOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return Number(value);
  if (isDate(value)) return secondsOf(value);
  return Number(isNumericValue(value) ? value.string : value);
}

/** The text of what reads as one: bytes are base64. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return isBytes(value) ? base64(bytesOf(value)) : String(value);
}

/** The units of a text that are more work than any evaluation may take: its bytes need not be counted. */
const LONGEST_MEASURED = 2 ** 27;

/** The bytes of what reads as a text: in UTF-8, or of a blob. */
export function sizeOf(value: unknown): number {
  if (isBytes(value)) return value.byteLength;
  const text = textOf(value);
  let size = text.length;
  if (size > LONGEST_MEASURED) return size;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // Each half of a pair is two of four bytes; alone it reads as U+FFFD, which has three.
    const isPair = unit >= 0xd800 && unit < 0xe000 && text.codePointAt(index)! > 0xffff;
    if (isPair) index++;
    size += isPair || unit >= 0x800 ? 2 : 1;
  }
  return size;
}

/** The beginning of what reads as a text, with at least `codePoints` code points if it has as many: no more of it is made. */
export function startOf(value: unknown, codePoints: number): string {
  if (!isBytes(value)) return textOf(value).slice(0, 2 * codePoints);
  // Three bytes are four characters of base64.
  return base64(bytesOf(value).subarray(0, 3 * Math.ceil(codePoints / 4)));
}

type Members = Record<string, unknown>;

/** Bytes that are converted at once; a multiple of 3. */
const PIECE = 6144;
/** More than any evaluation takes, and soon counted. */
const MOST_MEMBERS = 1_000_000;
const MOST_CLASSES = 1000;

/** Whether an object is of no class. */
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

/** A number that is too long for a double, as the AWS SDK has it: an instance with its digits as a text. */
function isNumericValue(value: object): value is { string: string } {
  const { type, string } = value as { type?: unknown; string?: unknown };
  return type === "bigDecimal" && typeof string === "string";
}

/** What was read off an object that may not be plain, if it is a member; `undefined` if it is something else. */
function readOfInstance(value: object, read: unknown, name: string): unknown {
  if (isPlain(value)) return read;
  if (isMap(value)) return value.get(name);
  if (kindOfObject(value) !== OBJECT) return undefined;
  const own = Object.getOwnPropertyDescriptor(value, name);
  return (own === undefined ? hasAccessor(value, name) : own.enumerable) ? read : undefined;
}

/** A member by a name that every object has, of one that has it from its classes if at all. */
function inheritedMember(value: object, name: string): unknown {
  if (isPlain(value)) return undefined;
  if (isMap(value)) return value.get(name);
  return kindOfObject(value) === OBJECT && hasAccessor(value, name) ? (value as Members)[name] : undefined;
}

/** Whether the nearest of an object's classes that knows the name has an accessor for it. */
function hasAccessor(value: object, name: string): boolean {
  for (const prototype of classesOf(value)) {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    if (property !== undefined) return property.get !== undefined;
  }
  return false;
}

/** The names that an object may have members by. */
export function memberNames(value: object): Iterable<string> {
  if (isMap(value)) return listOf(value.keys()).filter((key) => typeof key === "string");
  return isPlain(value) ? Object.keys(value) : new Set([...Object.keys(value), ...accessorNames(value)]);
}

function accessorNames(value: object): string[] {
  const names = classesOf(value).flatMap((prototype) => Object.getOwnPropertyNames(prototype));
  return names.filter((name) => hasAccessor(value, name));
}

/** An object's prototypes, the nearest first, without `Object.prototype` (of whichever realm). */
function classesOf(value: object): object[] {
  const classes: object[] = [];
  let prototype: unknown = Object.getPrototypeOf(value);
  while (typeof prototype === "object" && prototype !== null && !Object.hasOwn(prototype, "isPrototypeOf")) {
    if (classes.push(prototype) > MOST_CLASSES) throw new RangeError(`an object has more than ${MOST_CLASSES} prototypes`);
    prototype = Object.getPrototypeOf(prototype);
  }
  return classes;
}

/** The values that an iterator gives. It may be the host's own, and never end: no `Set` or `Map` holds more than these. */
function listOf(values: Iterable<unknown>): unknown[] {
  const list: unknown[] = [];
  for (const value of values) {
    if (list.push(value) > MOST_MEMBERS) throw new RangeError(`a collection has more than ${MOST_MEMBERS} items`);
  }
  return list;
}

/** Whether a member is set. */
export function isSet(member: unknown): boolean {
  return member !== undefined && typeof member !== "function" && typeof member !== "symbol";
}

/** What an object is by its making, also where another realm made it. */
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
  // In pieces without padding: one call takes only so many arguments.
  const pieces: string[] = [];
  for (let start = 0; start < view.length; start += PIECE) {
    pieces.push(btoa(String.fromCharCode(...view.subarray(start, start + PIECE))));
  }
  return pieces.join("");
}
