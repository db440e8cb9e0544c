/**
 * The functions that the wasm imports to read JavaScript values, which stay here in numbered slots.
 *
 * A value is described by a number: `slot << KIND_BITS | kind`. A text that the engine knows by its number needs no slot; that number
 * stands for it. A negative number is an error of the host's own code: the complement of the slot that holds its message. Nothing
 * here throws, because an exception must not unwind through the wasm.
 *
 * `bindings-js/src/host_imports.rs` declares the functions.
 *
 * @module
 */

import { entriesOf, itemsOf, kindOf, lengthOf, memberOf, numberOf, sizeOf, startOf } from "../values/data-model.js";
import { messageOf } from "../values/error-metadata.js";
import { exactText } from "../values/exact.js";
import { remarkOn } from "../values/remark.js";
import { ARRAY, ARRAY_ITEM, CONSTANT, KIND_BITS, MOVED, NULL, NUMBER, ODD_STRING, STRING } from "./constants.js";
import { itemsInSlot, pushSlot, slotCount, slotValue } from "./slots.js";

/** The most filled slots: a description has 31 bits. Messages of errors have room above. */
const MOST_SLOTS = 2 ** 26;

/** The longest message of an error, in UTF-16 units. */
const LONGEST_MESSAGE = 1000;

/** The names of a waiter or an expression. */
interface Table {
  readonly names: string[];
  /** The texts that the engine compares with, by their numbers; empty if it wants the values themselves. */
  readonly constants: Map<string, number>;
  /** Whether a text with a lone surrogate can equal a constant, because that contains U+FFFD. */
  odd: boolean;
}

/** The descriptions that the wasm copies after `MOVED`. */
let pending: readonly number[] = [];

const tables: (Table | undefined)[] = [];
const freeTables: number[] = [];
const NO_TABLE: Table = { names: [], constants: new Map(), odd: false };

/** The room on the stack, in frames of `bindings-js/src/room.rs`, that an evaluation takes before it asks for more. */
const FRAMES = 48;

let room: (frames: number, always: boolean) => number = () => 0;

/** Sets the engine's function that takes room on the stack. */
export function provideRoom(engine: typeof room): void {
  room = engine;
}

/** @throws RangeError if the stack has no room for an evaluation: one that overflows inside the wasm would break it. */
export function takeRoom(): void {
  room(FRAMES, false);
}

/** Returns the value in a slot; null for what reads as null. */
export function valueAt(slot: number): unknown {
  const value = slotValue(slot);
  return readsAsNull(value) || (typeof value === "number" && !Number.isFinite(value)) ? null : value;
}

function readsAsNull(value: unknown): boolean {
  try {
    return kindOf(value) === NULL;
  } catch {
    return false;
  }
}

/** Returns the number of open tables: none if no waiter is left. */
export function openTables(): number {
  return tables.filter((table) => table !== undefined).length;
}

export function openTable(): number {
  const table = freeTables.pop() ?? tables.length;
  tables[table] = { names: [], constants: new Map(), odd: false };
  return table;
}

export function addName(table: number, name: string): void {
  // A string that was the name of a property once is found faster as one.
  tables[table]!.names.push(Object.keys({ [name]: true })[0]!);
}

/** Makes all names of a table constants. */
export function compareWithNames(table: number): void {
  const open = tables[table]!;
  open.names.forEach((name, number) => open.constants.set(name, number));
  open.odd = open.names.some((name) => name.includes("\ufffd"));
}

export function closeTable(table: number): void {
  tables[table] = undefined;
  freeTables.push(table);
}

/** Describes the value in a slot that the host filled. */
export function describe(slot: number, table: number): number {
  try {
    return describeValue(slotValue(slot), tables[table] ?? NO_TABLE);
  } catch (error) {
    return describeError(error);
  }
}

export function number(slot: number): number {
  try {
    return numberOf(slotValue(slot));
  } catch {
    return Number.NaN;
  }
}

/** Returns the beginning of a text, with at least `codePoints` code points if it has as many. */
export function text(slot: number, codePoints: number): string {
  const value = slotValue(slot) as string;
  // A code point has at most two units.
  return value.length > 2 * codePoints ? value.slice(0, 2 * codePoints) : value;
}

/** Describes the beginning of an odd text as a string: of bytes, a boxed string, a text with lone surrogates. */
export function plainText(slot: number, codePoints: number): number {
  try {
    return put(startOf(slotValue(slot), codePoints), STRING);
  } catch (error) {
    return describeError(error);
  }
}

/** Returns the bytes of a text in UTF-8, or of a blob. */
export function textLength(slot: number): number {
  try {
    return sizeOf(slotValue(slot));
  } catch (error) {
    return describeError(error);
  }
}

/** Returns the number of items or members. */
export function length(slot: number): number {
  try {
    const value = slotValue(slot);
    return kindOf(value) === ARRAY ? lengthOf(items(slot)) : entriesOf(value as object).length / 2;
  } catch (error) {
    return describeError(error);
  }
}

/** Describes the member of the member … of a value, for up to three names; a name below 0 ends the path. */
export function walk(slot: number, table: number, first: number, second: number, third: number): number {
  const open = tables[table] ?? NO_TABLE;
  try {
    return describeValue(memberAt(slotValue(slot), open.names, first, second, third), open);
  } catch (error) {
    return describeError(error);
  }
}

/**
 * Describes the value at the end of a path for each item from an index on, as many as `out` takes; returns their number. With
 * `keepArrays`, an item that is an array is described itself.
 */
export function walkItems(
  slot: number,
  table: number,
  first: number,
  second: number,
  third: number,
  keepArrays: boolean,
  from: number,
  out: Int32Array,
): number {
  const open = tables[table] ?? NO_TABLE;
  const { names } = open;
  const room = out.length;
  // Not into `out`: the host's own code may evaluate something else, for which the memory of the wasm moves.
  const descriptions: number[] = [];
  try {
    const values = items(slot);
    const count = Math.max(0, Math.min(lengthOf(values) - from, room));
    for (let index = 0; index < count; index++) {
      try {
        const item = values[from + index];
        const isArrayItem = keepArrays && kindOf(item) === ARRAY;
        descriptions.push(isArrayItem ? put(item, ARRAY_ITEM) : describeValue(memberAt(item, names, first, second, third), open));
      } catch (error) {
        // It counts only if the engine comes to this item.
        descriptions.push(describeError(error));
      }
    }
    if (out.length < room) {
      pending = descriptions;
      return MOVED;
    }
    out.set(descriptions);
    return count;
  } catch (error) {
    return describeError(error);
  }
}

/** Copies the descriptions that `walkItems` could not hand over, and returns their number. */
export function copyDescriptions(out: Int32Array): number {
  out.set(pending);
  return pending.length;
}

/** Returns `true` if the stack has room for a deeper part of an evaluation. */
export function hasRoom(): boolean {
  try {
    takeRoom();
    return true;
  } catch {
    return false;
  }
}

/** Describes the members of an object: an array of names and values in turn. */
export function entries(slot: number): number {
  try {
    return put(entriesOf(slotValue(slot) as object), ARRAY);
  } catch (error) {
    return describeError(error);
  }
}

/** Returns the text that identifies a value of which the other functions lose something; `undefined` for every other. */
export function exact(slot: number): string | undefined {
  try {
    return exactText(slotValue(slot));
  } catch {
    // The engine meets the error again when it reads the value itself.
    return undefined;
  }
}

/** Returns a remark about a response that is likely a mistake; `undefined` for every other. */
export function remark(slot: number): string | undefined {
  return remarkOn(slotValue(slot));
}

function memberAt(value: unknown, names: readonly string[], first: number, second: number, third: number): unknown {
  if (first < 0) return value;
  const member = memberOf(value, names[first]!);
  if (second < 0) return member;
  const next = memberOf(member, names[second]!);
  return third < 0 ? next : memberOf(next, names[third]!);
}

function describeValue(value: unknown, table: Table): number {
  if (typeof value === "string") {
    const constant = table.constants.get(value);
    if (constant !== undefined) return (constant << KIND_BITS) | CONSTANT;
    const kind = table.odd && /\p{Surrogate}/u.test(value) ? ODD_STRING : STRING;
    return put(value, kind);
  }
  const kind = kindOf(value);
  if (kind === NULL) return NULL;
  // The number of an object is made by its own code.
  if (kind === NUMBER && typeof value === "object") numberOf(value);
  return put(value, kind === STRING ? ODD_STRING : kind);
}

/** Puts a value into the next slot and describes it. */
function put(value: unknown, kind: number): number {
  if (slotCount() >= MOST_SLOTS) throw new RangeError(`an evaluation reads at most ${MOST_SLOTS} values`);
  return (pushSlot(value) << KIND_BITS) | kind;
}

function describeError(error: unknown): number {
  const message = messageOf(error);
  const start = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}\u2026` : message;
  return ~pushSlot(start.replace(/\s*\n\s*/g, " "));
}

function items(slot: number): readonly unknown[] {
  return itemsInSlot(slot, itemsOf);
}
