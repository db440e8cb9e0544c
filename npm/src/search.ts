/**
 * JMESPath without a waiter.
 *
 * @module
 */

import { search as engineSearch } from "./engine.js";
import { ExpressionError } from "./errors.js";
import { valueAt } from "./kernel.js";
import { inSlots } from "./slots.js";

/**
 * What a JMESPath expression gives for a value; null where it gives nothing. Values that it finds are given as they are.
 *
 * @throws ExpressionError where the expression does not parse or cannot be evaluated on the value.
 */
export function search(expression: string, value: unknown): unknown {
  if (typeof expression !== "string") {
    throw new ExpressionError({ code: "invalid_expression", message: "the expression must be a string" });
  }
  return inSlots((slot) => rebuilt(JSON.parse(engineSearch(expression, slot)) as Found), value);
}

/** What the engine found: values of the host's by their slots, and what it made around them. */
type Found =
  | null
  | boolean
  | number
  | string
  | { readonly slot: number }
  | { readonly array: readonly Found[] }
  | { readonly object: readonly (readonly [string, Found])[] };

function rebuilt(found: Found): unknown {
  if (typeof found !== "object" || found === null) return found;
  if ("slot" in found) return valueAt(found.slot);
  if ("array" in found) return found.array.map(rebuilt);
  return Object.fromEntries(found.object.map(([name, value]) => [name, rebuilt(value)]));
}
