/**
 * The functions that the wasm imports to read JavaScript values, which stay in numbered slots.
 *
 * A value is described by a number: `slot << KIND_BITS | kind`. The description of a constant contains the number of the constant
 * instead of a slot. A negative number describes an error that the caller's code threw: it is the complement of the slot that holds
 * the message. The functions never throw, because an exception must not unwind through the wasm.
 *
 * `bindings-js/src/host_imports.rs` declares the functions.
 *
 * @module
 */

import { ARRAY, ARRAY_ITEM, CONSTANT, KIND_BITS, MOVED, NULL, NUMBER, ODD_STRING, STRING } from "../constants.js";
import { entriesOf, itemsOf, kindOf, lengthOf, memberOf, numberOf, sizeOf, startOf } from "../values/data-model.js";
import { messageOf } from "../values/error-metadata.js";
import { identityOf } from "../values/identity.js";
import { warningOf } from "../values/warning.js";
import { itemsInSlot, pushSlot, slotCount, slotValue } from "./slots.js";

/**
 * The maximum number of values that one evaluation reads, which ends a list without an end. A description has bits for 2^26 slots; those
 * above the maximum are for error messages.
 */
const MOST_SLOTS = 1_000_000;

/** The length to which error messages are truncated, in UTF-16 units. */
const LONGEST_MESSAGE = 1000;

/** The names in a waiter or an expression. */
interface Table {
  readonly names: string[];
  /**
   * The numbers of the constants, which are the texts that the engine compares values with; empty if it needs the values
   * themselves.
   */
  readonly constants: Map<string, number>;
  /** `true` if a constant contains U+FFFD, and so can be equal to a text with a lone surrogate. */
  odd: boolean;
}

/** The descriptions that the wasm copies after `itemsAt` returned `MOVED`. */
let pending: readonly number[] = [];

const tables: (Table | undefined)[] = [];
const freeTables: number[] = [];
const NO_TABLE: Table = { names: [], constants: new Map(), odd: false };

/** The stack space of an evaluation, in frames of `bindings-js/src/stack.rs`. A deeper evaluation checks for more space. */
const FRAMES = 48;

let checkStack: (frames: number, always: boolean) => number = () => 0;

/** Sets the engine's function that checks the stack. */
export function setStackCheck(engine: typeof checkStack): void {
  checkStack = engine;
}

/**
 * @throws RangeError if the stack has no space for an evaluation. An overflow inside the wasm would leave it in an invalid state.
 */
export function requireStackSpace(): void {
  checkStack(FRAMES, false);
}

/** Returns the value in a slot, or null if the engine reads the value as null. */
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

/** Returns the number of open tables. It is 0 after all waiters were freed. */
export function openTables(): number {
  return tables.filter((table) => table !== undefined).length;
}

export function openTable(): number {
  // Numbers are reused, so that the list does not grow with each waiter.
  const table = freeTables.pop() ?? tables.length;
  tables[table] = { names: [], constants: new Map(), odd: false };
  return table;
}

export function addName(table: number, name: string): void {
  // V8 internalizes the names of properties, and looks up internalized strings faster.
  tables[table]!.names.push(Object.keys({ [name]: true })[0]!);
}

/** Makes all names of a table constants, too. */
export function compareWithNames(table: number): void {
  const open = tables[table]!;
  open.names.forEach((name, number) => open.constants.set(name, number));
  open.odd = open.names.some((name) => name.includes("\ufffd"));
}

export function closeTable(table: number): void {
  tables[table] = undefined;
  freeTables.push(table);
}

/** Returns the description of the value in a slot. */
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
    // None of the imports may throw: an exception would skip the clean-up of the Rust frames below it.
    return Number.NaN;
  }
}

/** Returns the beginning of a string, with at least `codePoints` code points unless the string is shorter. */
export function text(slot: number, codePoints: number): string {
  const value = slotValue(slot) as string;
  // A code point has at most two UTF-16 units.
  return value.length > 2 * codePoints ? value.slice(0, 2 * codePoints) : value;
}

/** Converts the beginning of an odd string to a string, and returns its description. See `ODD_STRING`. */
export function plainText(slot: number, codePoints: number): number {
  try {
    return put(startOf(slotValue(slot), codePoints), STRING);
  } catch (error) {
    return describeError(error);
  }
}

/** Returns the number of bytes of a text in UTF-8, or of a binary value. */
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

/** Returns the description of the value at the end of a path of up to three names. A negative number ends the path. */
export function memberAt(slot: number, table: number, first: number, second: number, third: number): number {
  const open = tables[table] ?? NO_TABLE;
  try {
    return describeValue(follow(slotValue(slot), open.names, first, second, third), open);
  } catch (error) {
    return describeError(error);
  }
}

/** Returns the description of a member whose name is not in the table. */
export function memberNamed(slot: number, table: number, name: string): number {
  try {
    return describeValue(memberOf(slotValue(slot), name), tables[table] ?? NO_TABLE);
  } catch (error) {
    return describeError(error);
  }
}

/**
 * Describes the value at the end of a path for each item from an index on, until `out` is full, and returns the number of
 * descriptions. With `keepArrays`, an item that is an array is described itself.
 */
export function itemsAt(
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
  const capacity = out.length;
  // The descriptions are not written to `out` directly, because a getter may call the engine, whose memory then may move.
  const descriptions: number[] = [];
  try {
    const values = items(slot);
    const count = Math.max(0, Math.min(lengthOf(values) - from, capacity));
    for (let index = 0; index < count; index++) {
      try {
        const item = values[from + index];
        const isArrayItem = keepArrays && kindOf(item) === ARRAY;
        descriptions.push(isArrayItem ? put(item, ARRAY_ITEM) : describeValue(follow(item, names, first, second, third), open));
      } catch (error) {
        // The error has an effect only if the engine reads this item.
        descriptions.push(describeError(error));
      }
    }
    if (out.length < capacity) {
      pending = descriptions;
      return MOVED;
    }
    out.set(descriptions);
    return count;
  } catch (error) {
    return describeError(error);
  }
}

/** Copies the descriptions after `itemsAt` returned `MOVED`, and returns their number. */
export function copyDescriptions(out: Int32Array): number {
  out.set(pending);
  return pending.length;
}

/** Returns `true` if the stack has space for a deeper part of an evaluation. */
export function hasStackSpace(): boolean {
  try {
    requireStackSpace();
    return true;
  } catch {
    return false;
  }
}

/** Returns the description of an array with the names and values of an object's members, alternating. */
export function entries(slot: number): number {
  try {
    return put(entriesOf(slotValue(slot) as object), ARRAY);
  } catch (error) {
    return describeError(error);
  }
}

/**
 * Returns the text that identifies a value which the other functions do not represent exactly; `undefined` for every other value.
 */
export function identity(slot: number): string | undefined {
  try {
    return identityOf(slotValue(slot));
  } catch {
    // The error is thrown again when the engine reads the value, and is reported there.
    return undefined;
  }
}

/** Returns a warning about a response that is probably a mistake; `undefined` for every other response. */
export function warning(slot: number): string | undefined {
  return warningOf(slotValue(slot));
}

function follow(value: unknown, names: readonly string[], first: number, second: number, third: number): unknown {
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
    // The test of each text is skipped for almost all tables, because it reads the whole text.
    const kind = table.odd && /\p{Surrogate}/u.test(value) ? ODD_STRING : STRING;
    return put(value, kind);
  }
  const kind = kindOf(value);
  if (kind === NULL) return NULL;
  // The conversion of an object to a number runs its own code, which may throw; the error is described here.
  if (kind === NUMBER && typeof value === "object") numberOf(value);
  return put(value, kind === STRING ? ODD_STRING : kind);
}

/** Puts a value into the next slot and returns its description. */
function put(value: unknown, kind: number): number {
  // A higher number would run into the bits of the kind.
  if (slotCount() >= MOST_SLOTS) throw new RangeError(`an evaluation reads at most ${MOST_SLOTS} values`);
  return (pushSlot(value) << KIND_BITS) | kind;
}

function describeError(error: unknown): number {
  const message = messageOf(error);
  // The message is copied into the wasm's memory, and its author is the host's code.
  const start = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}\u2026` : message;
  return ~pushSlot(start.replace(/\s*\n\s*/g, " "));
}

function items(slot: number): readonly unknown[] {
  return itemsInSlot(slot, itemsOf);
}
