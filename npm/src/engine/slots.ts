/**
 * The slots that hold JavaScript values while the engine reads them by number.
 *
 * Slots are filled from the bottom up; an evaluation frees those that were filled since it began, so an evaluation inside another
 * one (from a getter) stays above it.
 *
 * @module
 */

/** The most free slots that are kept for the next evaluation. */
const SPARE_SLOTS = 1024;

const slots: unknown[] = [];
let top = 0;

/** The items of slots that are not arrays but read as arrays. */
const views = new Map<number, readonly unknown[]>();

/** Returns the number of filled slots: the base of an evaluation that begins now. */
export function slotCount(): number {
  return top;
}

/** Puts a value into the next slot and returns its number. */
export function pushSlot(value: unknown): number {
  slots[top] = value;
  return top++;
}

/** Frees every slot from `base` on. */
export function truncateSlots(base: number): void {
  while (top > base) slots[--top] = undefined;
  if (slots.length - top > SPARE_SLOTS) slots.length = top;
  if (views.size > 0) truncateViews();
}

/** Returns the value in a slot. */
export function slotValue(number: number): unknown {
  return slots[number];
}

/** Returns the items in a slot; `read` makes them of a value that is not an array. */
export function itemsInSlot(number: number, read: (value: unknown) => readonly unknown[]): readonly unknown[] {
  const value = slots[number];
  if (Array.isArray(value)) return value;
  const items = views.get(number) ?? read(value);
  views.set(number, items);
  return items;
}

function truncateViews(): void {
  for (const number of views.keys()) if (number >= top) views.delete(number);
}
