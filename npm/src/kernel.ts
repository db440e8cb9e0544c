/**
 * What the wasm asks of JavaScript: the values of an evaluation, in numbered slots, and how they are read.
 *
 * Only numbers cross, and strings where a text is needed. A value is told as `slot << 3 | kind`, null as 0, and -1 says
 * that the host's own code threw. Slots are filled from the bottom up; whoever begins an evaluation releases what was
 * filled since, so that an evaluation inside another one (from a getter) stays above it.
 *
 * The functions that the wasm imports are those that `bindings-js/src/kernel.rs` lists.
 *
 * @module
 */

import { ARRAY, entriesOf, itemsOf, kindOf, memberOf, NULL, numberOf, textOf, wellFormed } from "./data.js";
import { messageOf } from "./error-facts.js";
import { exactText } from "./exact.js";
import { Sheet } from "./sheet.js";

const THREW = -1;
const KIND_BITS = 3;

/** More free slots than that are given back. */
const SPARE_SLOTS = 1024;

const slots: unknown[] = [];
let top = 0;

/** The items of slots that are no arrays but read as such. */
const views = new Map<number, readonly unknown[]>();

/** What a waiter or an expression knows by heart. */
interface Table {
  readonly names: string[];
  readonly sheet: Sheet;
}

const tables: (Table | undefined)[] = [];
const freeTables: number[] = [];

let problem = "";
let codes: number[] = [];

/** How many slots are filled: the base of an evaluation that begins now. */
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

/** What the wasm noted of the verdict that it gave last: the codes of reasons that did not fit, eight in a number. */
export function notedCodes(): readonly number[] {
  const noted = codes;
  codes = [];
  return noted;
}

/** The value in a slot as it is; null for what reads as null. */
export function valueAt(slot: number): unknown {
  const value = slots[slot];
  return kindOf(value) === NULL || (typeof value === "number" && !Number.isFinite(value)) ? null : value;
}

/** How many tables of names are open: none when no waiter is left. */
export function openTables(): number {
  return tables.filter((table) => table !== undefined).length;
}

export function openTable(): number {
  const table = freeTables.pop() ?? tables.length;
  tables[table] = { names: [], sheet: new Sheet() };
  return table;
}

export function addName(table: number, name: string): void {
  // A string that was once a property's name is found faster as one.
  tables[table]!.names.push(Object.keys({ [name]: true })[0]!);
}

/** Begins the next test of a path. */
export function addTest(table: number, wanted: number, expected: number): void {
  const { names, sheet } = tables[table]!;
  sheet.addTest(wanted, names[expected]!);
}

/** Adds a step to the newest test; a name below 0 is none. */
export function addStep(table: number, kind: number, name: number): void {
  const { names, sheet } = tables[table]!;
  sheet.addStep(kind, names[name]);
}

/** Adds an instruction to the plan of the acceptor that comes next. */
export function addInstruction(table: number, instruction: number, operand: number): void {
  const { names, sheet } = tables[table]!;
  sheet.plan.add(instruction, operand, names);
}

export function addNumber(table: number, number: number): void {
  tables[table]!.sheet.plan.addConstant(number);
}

export function addText(table: number, text: string): void {
  tables[table]!.sheet.plan.addConstant(text);
}

/** Adds the next acceptor. */
export function addAcceptor(table: number, state: number, when: number): void {
  tables[table]!.sheet.addAcceptor(state, when);
}

/** What the acceptors of a table's waiter do with a response. */
export function sheetOf(table: number): Sheet {
  return tables[table]!.sheet;
}

export function closeTable(table: number): void {
  tables[table] = undefined;
  freeTables.push(table);
}

/** Puts a number into the next slot: it crosses as it is, and as no text. */
export function holdNumber(number: number): number {
  return hold(number);
}

export function kind(slot: number): number {
  return guarded(() => kindOf(slots[slot]));
}

export function number(slot: number): number {
  return numberOf(slots[slot]);
}

export function text(slot: number): string {
  return textOf(slots[slot]);
}

export function textIs(slot: number, table: number, name: number): boolean {
  const value = slots[slot];
  const expected = tables[table]!.names[name]!;
  if (value === expected) return true;
  // Bytes, and texts with lone surrogates: what they read as is made only where it can be equal.
  return typeof value !== "string" || (value.length === expected.length && expected.includes("\ufffd"))
    ? wellFormed(textOf(value)) === expected
    : false;
}

export function length(slot: number): number {
  const value = slots[slot];
  return Array.isArray(value) ? value.length : guarded(() => lengthOf(slot));
}

export function item(slot: number, index: number): number {
  const value = slots[slot];
  try {
    return tell(Array.isArray(value) ? value[index] : view(slot)[index]);
  } catch (error) {
    return threw(error);
  }
}

/** The member of the member … of a value, for up to three names; a name below 0 ends the path. */
export function walk(slot: number, table: number, first: number, second: number, third: number): number {
  const { names } = tables[table]!;
  try {
    let value = memberOf(slots[slot], names[first]!);
    if (second >= 0) value = memberOf(value, names[second]!);
    if (third >= 0) value = memberOf(value, names[third]!);
    return tell(value);
  } catch (error) {
    return threw(error);
  }
}

/** The members of an object: an array of names and values in turn. */
export function entries(slot: number): number {
  return guarded(() => tell(entriesOf(slots[slot] as object)));
}

/** What a test of a path says of a value, as `PathTest#check` does. */
export function test(slot: number, table: number, index: number): number {
  return tables[table]!.sheet.test(index).check(slots[slot]);
}

/** Returns the text that identifies a value of which the other functions lose something; `undefined` for every other. */
export function exact(slot: number): string | undefined {
  try {
    return exactText(slots[slot]);
  } catch {
    // The engine meets the error again where it reads the value itself.
    return undefined;
  }
}

export function thrown(): string {
  return problem;
}

/** A finite number as text, the same that the engine prints natively. */
export function printNumber(number: number): string {
  return String(number);
}

/** Puts what a JSON text says into the next slot. */
export function parse(json: string): number {
  return hold(JSON.parse(json));
}

export function noteCodes(word: number): void {
  codes.push(word);
}

/** A value that the wasm asked for: put into a slot, unless it is null. */
function tell(value: unknown): number {
  const kind = kindOf(value);
  return kind === NULL ? NULL : (hold(value) << KIND_BITS) | kind;
}

function guarded(read: () => number): number {
  try {
    return read();
  } catch (error) {
    return threw(error);
  }
}

function threw(error: unknown): number {
  problem = messageOf(error).replace(/\s*\n\s*/g, " ");
  return THREW;
}

function lengthOf(slot: number): number {
  const value = slots[slot];
  return kindOf(value) === ARRAY ? view(slot).length : entriesOf(value as object).length / 2;
}

function view(slot: number): readonly unknown[] {
  const items = views.get(slot) ?? itemsOf(slots[slot]);
  views.set(slot, items);
  return items;
}

function forgetViews(): void {
  for (const slot of views.keys()) if (slot >= top) views.delete(slot);
}
