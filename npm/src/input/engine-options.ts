/**
 * The options that the engine reads.
 *
 * @module
 */

import { optionNames, waitOptionNames } from "../engine/engine.js";
import { messageOf } from "../values/error-metadata.js";
import { checkNames, invalidOption } from "./checks.js";
import { callEngine } from "./engine-call.js";

/** The kinds of the engine's options. */
type Kind = "compression" | "fleet" | "paging" | "request" | "tally" | "wait";

const namesOfKinds = new Map<Kind, readonly string[]>();

/** Returns the names of the engine's options. */
export function namesOf(kind: Kind): readonly string[] {
  const names = namesOfKinds.get(kind) ?? callEngine(() => (kind === "wait" ? waitOptionNames() : optionNames(kind)));
  namesOfKinds.set(kind, names);
  return names;
}

/** Returns the options that the engine reads. Rejects functions, and names that are neither the engine's nor one of `others`. */
export function optionsOf(kind: Kind, options: object, others: readonly string[]): Record<string, unknown> {
  const names = namesOf(kind);
  checkNames(options, [...names, ...others]);
  const members = pickOptions(options, names);
  rejectFunctions(members);
  return members;
}

/** Rejects functions, which the engine would read as absent members. */
export function rejectFunctions(options: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === "function") throw invalidOption(name, `\`${name}\` must not be a function: call it and pass its result`);
  }
}

/** Returns the members with these names, including inherited ones, because the options may be an instance of a class. */
export function pickOptions(options: object, names: readonly string[]): Record<string, unknown> {
  const present = names.filter((name) => name in options);
  return Object.fromEntries(present.map((name) => [name, readable(name, (options as Record<string, unknown>)[name])]));
}

/** Returns the value of an option. Rejects a revoked proxy, from which nothing can be read. */
function readable(name: string, value: unknown): unknown {
  try {
    Array.isArray(value);
    return value;
  } catch (error) {
    throw invalidOption(name, `\`${name}\` cannot be read: ${messageOf(error)}`);
  }
}
