/**
 * JMESPath without a waiter.
 *
 * @module
 */

import { search as engineSearch } from "./engine.js";
import { asked, ExpressionError } from "./errors.js";
import { filled, hold, release } from "./kernel.js";

/**
 * What a JMESPath expression gives for a value; null where it gives nothing. Values that it finds are given as they are.
 *
 * @throws ExpressionError where the expression does not parse or cannot be evaluated on the value.
 */
export function search(expression: string, value: unknown): unknown {
  if (typeof expression !== "string") {
    throw new ExpressionError({ code: "invalid_expression", message: "the expression must be a string" });
  }
  const base = filled();
  try {
    return asked(() => engineSearch(expression, hold(value)) as unknown);
  } finally {
    release(base);
  }
}
