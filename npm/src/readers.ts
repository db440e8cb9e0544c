/**
 * Readers of members, many of the same: an engine of JavaScript remembers at each place in a program where the objects
 * that pass there have their members, and forgets it where too many different ones pass. So each name has a place of its
 * own, as long as there are any.
 *
 * @module
 */

import { memberOf, settled } from "./data.js";

/** Reads a member as `memberOf` does. */
export type Reader = (value: unknown, name: string) => unknown;

/** A member, and how it is read. */
export interface Member {
  readonly name: string;
  readonly read: Reader;
}

type Members = Record<string, unknown>;

/* Not made by a function: that would be one place again. */
const places: readonly Reader[] = [
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
  (value, name) => (typeof value === "object" && value !== null ? settled(value, (value as Members)[name], name) : undefined),
];

const taken = new Map<string, Reader>();

/** The reader for a name: its own, or the one that the latecomers share. */
export function readerOf(name: string): Reader {
  // Names that every object has are told apart by care.
  if (name in Object.prototype) return memberOf;
  const own = taken.get(name) ?? places[taken.size] ?? memberOf;
  if (own !== memberOf) taken.set(name, own);
  return own;
}
