/**
 * The slots that hold JavaScript values while the engine reads them.
 *
 * The slots are a stack. An evaluation frees the slots that were filled since it began, so that an evaluation inside another one,
 * from a getter, does not affect the slots of the outer one.
 *
 * @module
 */

/** The number of free slots to keep allocated for the next evaluation. */
const SPARE_SLOTS = 1024;

const slots: unknown[] = [];
let top = 0;

/** The items of the slots whose values are read as arrays without being arrays. */
const views = new Map<number, readonly unknown[]>();

/** Returns the number of filled slots, which is the base of the next evaluation. */
export function slotCount(): number {
  return top;
}

/** Puts a value into the next slot and returns its number. */
export function pushSlot(value: unknown): number {
  slots[top] = value;
  return top++;
}

/** Frees the slots from `base` on. */
export function truncateSlots(base: number): void {
  // Set to `undefined`, so that the values can be garbage-collected before the slots are used again.
  while (top > base) slots[--top] = undefined;
  if (slots.length - top > SPARE_SLOTS) slots.length = top;
  if (views.size > 0) truncateViews();
}

/** Returns the value in a slot. */
export function slotValue(number: number): unknown {
  return slots[number];
}

/** Returns the items of the value in a slot. `read` returns the items of a value that is not an array, and is called once. */
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
