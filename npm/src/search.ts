/**
 * JMESPath evaluation, for use without a waiter.
 *
 * @module
 */

import { search as engineSearch } from "./engine/engine.js";
import { ExpressionError } from "./errors/waiter.js";
import { inSlots } from "./input/engine-call.js";
import { displayInput } from "./values/display.js";

/**
 * Evaluates a JMESPath expression on a value and returns the result, or null if the expression selects nothing. Values that the
 * expression selects are returned unchanged; they are not copied.
 *
 * @param expression the JMESPath expression.
 * @param value any value; it is read as described in docs/rules.md#host-values.
 * @throws ExpressionError if the expression does not parse, or cannot be evaluated on the value.
 */
export function search(expression: string, value: unknown): unknown {
  if (typeof expression !== "string") {
    throw new ExpressionError({ code: "invalid_expression", message: `\`expression\` must be a string, got ${displayInput(expression)}` });
  }
  return inSlots((slot) => engineSearch(expression, slot) as unknown, value);
}
