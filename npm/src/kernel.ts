/**
 * The functions that the wasm imports to read JavaScript values, which stay here in numbered slots.
 *
 * A value is described by a number: `slot << 4 | kind`, where a text that the engine knows by its number is
 * `number << 4 | CONSTANT` and needs no slot. A negative number is an error of the host's own code: the complement of the slot
 * that holds its message. Nothing here throws, because an exception must not unwind through the wasm.
 *
 * Slots are filled from the bottom up; an evaluation releases what was filled since it began, so that an evaluation inside another
 * one (from a getter) stays above it. `bindings-js/src/kernel.rs` declares the functions.
 *
 * @module
 */

import {
  ARRAY,
  ARRAY_ITEM,
  CONSTANT,
  entriesOf,
  itemsOf,
  kindOf,
  lengthOf,
  memberOf,
  NULL,
  NUMBER,
  numberOf,
  ODD_STRING,
  sizeOf,
  startOf,
  STRING,
} from "./data.js";
import { messageOf } from "./error-facts.js";
import { exactText } from "./exact.js";

const KIND_BITS = 4;

/** The most free slots that are kept for the next evaluation. */
const SPARE_SLOTS = 1024;

/** The most filled slots: a description has 31 bits. Messages of errors have room above. */
const MOST_SLOTS = 2 ** 26;

/** The longest message of an error, in UTF-16 units. */
const LONGEST_MESSAGE = 1000;

/** The memory of the wasm has grown while items were read: `copyDescriptions` has what they are. */
const MOVED = -(2 ** 31);

const slots: unknown[] = [];
let top = 0;

/** The items of slots that are not arrays but read as arrays. */
const views = new Map<number, readonly unknown[]>();

/** The names of a waiter or an expression. */
interface Table {
  readonly names: string[];
  /** The texts that the engine compares with, by their numbers; empty if it wants the values themselves. */
  readonly constants: Map<string, number>;
  /** Whether a text with a lone surrogate can equal a constant, because that contains U+FFFD. */
  odd: boolean;
}

/** The descriptions that are on their way to the wasm after `MOVED`. */
let moved: readonly number[] = [];

const tables: (Table | undefined)[] = [];
const freeTables: number[] = [];
const NO_TABLE: Table = { names: [], constants: new Map(), odd: false };

/** The room on the stack, in frames of `bindings-js/src/room.rs`, that an evaluation takes before it asks for more. */
const FRAMES = 48;

let room: (frames: number, always: boolean) => number = () => 0;

/** Sets the engine's function that takes room on the stack. */
export function takeRoomBy(engine: typeof room): void {
  room = engine;
}

/** @throws RangeError if the stack has no room for an evaluation: one that overflows inside the wasm would break it. */
export function takeRoom(): void {
  room(FRAMES, false);
}

/** Returns the number of filled slots: the base of an evaluation that begins now. */
export function filled(): number {
  return top;
}

/** Puts a value into the next slot. */
export function hold(value: unknown): number {
  slots[top] = value;
  return top++;
}

/** Frees every slot from `base` on. */
export function release(base: number): void {
  while (top > base) slots[--top] = undefined;
  if (slots.length - top > SPARE_SLOTS) slots.length = top;
  if (views.size > 0) forgetViews();
}

/** Returns the value in a slot; null for what reads as null. */
export function valueAt(slot: number): unknown {
  const value = slots[slot];
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
  const opened = tables[table]!;
  opened.names.forEach((name, number) => opened.constants.set(name, number));
  opened.odd = opened.names.some((name) => name.includes("\ufffd"));
}

export function closeTable(table: number): void {
  tables[table] = undefined;
  freeTables.push(table);
}

/** Describes the value in a slot that the host filled. */
export function describe(slot: number, table: number): number {
  try {
    return described(slots[slot], tables[table] ?? NO_TABLE);
  } catch (error) {
    return threw(error);
  }
}

export function number(slot: number): number {
  try {
    return numberOf(slots[slot]);
  } catch {
    return Number.NaN;
  }
}

/** Returns the beginning of a text, with at least `codePoints` code points if it has as many. */
export function text(slot: number, codePoints: number): string {
  const value = slots[slot] as string;
  // A code point has at most two units.
  return value.length > 2 * codePoints ? value.slice(0, 2 * codePoints) : value;
}

/** Describes the beginning of an odd text as a string: of bytes, a boxed string, a text with lone surrogates. */
export function plainText(slot: number, codePoints: number): number {
  try {
    return put(startOf(slots[slot], codePoints), STRING);
  } catch (error) {
    return threw(error);
  }
}

/** The bytes of a text in UTF-8, or of a blob. */
export function textLength(slot: number): number {
  try {
    return sizeOf(slots[slot]);
  } catch (error) {
    return threw(error);
  }
}

/** The number of items or members. */
export function length(slot: number): number {
  try {
    const value = slots[slot];
    return kindOf(value) === ARRAY ? lengthOf(view(slot)) : entriesOf(value as object).length / 2;
  } catch (error) {
    return threw(error);
  }
}

/** The member of the member … of a value, for up to three names; a name below 0 ends the path. */
export function walk(slot: number, table: number, first: number, second: number, third: number): number {
  const opened = tables[table] ?? NO_TABLE;
  try {
    return described(walked(slots[slot], opened.names, first, second, third), opened);
  } catch (error) {
    return threw(error);
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
  const opened = tables[table] ?? NO_TABLE;
  const { names } = opened;
  const room = out.length;
  // Not into `out`: the host's own code may evaluate something else, for which the memory of the wasm moves.
  const found: number[] = [];
  try {
    const items = view(slot);
    const count = Math.max(0, Math.min(lengthOf(items) - from, room));
    for (let index = 0; index < count; index++) {
      try {
        const item = items[from + index];
        const isKept = keepArrays && kindOf(item) === ARRAY;
        found.push(isKept ? put(item, ARRAY_ITEM) : described(walked(item, names, first, second, third), opened));
      } catch (error) {
        // It counts only if the engine comes to this item.
        found.push(threw(error));
      }
    }
    if (out.length < room) {
      moved = found;
      return MOVED;
    }
    out.set(found);
    return count;
  } catch (error) {
    return threw(error);
  }
}

/** Copies the descriptions that `walkItems` could not hand over, and returns their number. */
export function copyDescriptions(out: Int32Array): number {
  out.set(moved);
  return moved.length;
}

/** Whether the stack has room for a deeper part of an evaluation. */
export function hasRoom(): boolean {
  try {
    takeRoom();
    return true;
  } catch {
    return false;
  }
}

/** The members of an object: an array of names and values in turn. */
export function entries(slot: number): number {
  try {
    return put(entriesOf(slots[slot] as object), ARRAY);
  } catch (error) {
    return threw(error);
  }
}

/** Returns the text that identifies a value of which the other functions lose something; `undefined` for every other. */
export function exact(slot: number): string | undefined {
  try {
    return exactText(slots[slot]);
  } catch {
    // The engine meets the error again when it reads the value itself.
    return undefined;
  }
}

function walked(value: unknown, names: readonly string[], first: number, second: number, third: number): unknown {
  if (first < 0) return value;
  const member = memberOf(value, names[first]!);
  if (second < 0) return member;
  const next = memberOf(member, names[second]!);
  return third < 0 ? next : memberOf(next, names[third]!);
}

function described(value: unknown, table: Table): number {
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
  if (top >= MOST_SLOTS) throw new RangeError(`an evaluation reads at most ${MOST_SLOTS} values`);
  return (hold(value) << KIND_BITS) | kind;
}

function threw(error: unknown): number {
  const message = messageOf(error);
  const start = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}\u2026` : message;
  return ~hold(start.replace(/\s*\n\s*/g, " "));
}

function view(slot: number): readonly unknown[] {
  const value = slots[slot];
  if (Array.isArray(value)) return value;
  const items = views.get(slot) ?? itemsOf(value);
  views.set(slot, items);
  return items;
}

function forgetViews(): void {
  for (const slot of views.keys()) if (slot >= top) views.delete(slot);
}
