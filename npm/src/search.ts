/**
 * JMESPath without a waiter.
 *
 * @module
 */

import { inSlots } from "./engine/call.js";
import { search as engineSearch } from "./engine/engine.js";
import { ExpressionError } from "./errors.js";

/**
 * What a JMESPath expression gives for a value; null where it gives nothing. Values that it finds are given as they are.
 *
 * @throws ExpressionError where the expression does not parse or cannot be evaluated on the value.
 */
export function search(expression: string, value: unknown): unknown {
  if (typeof expression !== "string") {
    throw new ExpressionError({ code: "invalid_expression", message: "the expression must be a string" });
  }
  return inSlots((slot) => engineSearch(expression, slot) as unknown, value);
}
