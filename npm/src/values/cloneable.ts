/**
 * What structured clones can hold. They copy all data, so one is made only of what looks small.
 *
 * @module
 */

import { isPlain } from "./data-model.js";

/** How many values are looked at, and how long bytes may be; what has more counts as one that cannot be cloned. */
const MOST_VALUES = 1000;
const MOST_BYTES = 1 << 20;

/** Whether a value can be cloned, as far as a short look tells: where it does not, the answer is no. */
export function isCloneable(value: unknown): boolean {
  try {
    // Only a clone finds proxies, bytes that were handed over, and members that throw.
    return looksCloneable(value, new Set()) && (structuredClone(value), true);
  } catch {
    return false;
  }
}

function looksCloneable(value: unknown, visited: Set<unknown>): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function" && typeof value !== "symbol";
  // An error in its own cause can be written, but not read again.
  if (visited.has(value)) return !(value instanceof Error);
  if (visited.add(value).size > MOST_VALUES) return false;
  // Of errors, clones keep the message, the stack and the cause, where that is no accessor.
  if (value instanceof Error) return looksCloneable(Object.getOwnPropertyDescriptor(value, "cause")?.value, visited);
  if (ArrayBuffer.isView(value)) return value.buffer.byteLength <= MOST_BYTES;
  if (value instanceof Date) return true;
  if (Array.isArray(value) ? value.length > MOST_VALUES : !isPlain(value)) return false;
  return Object.values(value).every((member) => looksCloneable(member, visited));
}
