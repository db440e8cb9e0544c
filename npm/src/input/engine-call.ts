/**
 * Calls of the engine.
 *
 * @module
 */

import { requireStackSpace } from "../engine/host-imports.js";
import { ready } from "../engine/load.js";
import { pushSlot, slotCount, truncateSlots } from "../engine/slots.js";
import { PaginationError, type PaginationProblem, RetryRefusal, type RetryEndCode, TokenError } from "../errors/client.js";
import {
  DefinitionError,
  type DefinitionProblem,
  ExpressionError,
  type ExpressionProblem,
  OptionsError,
  type OptionsProblem,
  StateError,
  type StateProblem,
} from "../errors/waiter.js";

/** The maximum nesting of calls. Calls nest if a getter that the engine reads calls the engine. */
const DEEPEST = 8;

let depth = 0;

/**
 * Calls the engine, and frees the slots that the call filled.
 *
 * @throws DefinitionError, OptionsError or another error of this package if the engine rejects its input; RangeError if the stack
 * is nearly exhausted or calls nest too deep.
 */
export function callEngine<T>(engine: () => T): T {
  ready();
  requireStackSpace();
  if (depth >= DEEPEST) throw new RangeError(`evaluations are nested deeper than ${DEEPEST} levels`);
  const base = slotCount();
  depth++;
  try {
    return engine();
  } catch (error) {
    throw isRefusal(error) ? errorOf(error) : error;
  } finally {
    depth--;
    truncateSlots(base);
  }
}

/** Returns `true` if the engine threw a value, `false` if the caller's code threw it. */
function isRefusal(error: unknown): error is Refusal {
  return typeof error === "object" && error !== null && !(error instanceof Error) && "type" in error && "code" in error;
}

function errorOf(refusal: Refusal): Error {
  switch (refusal.type) {
    case "definition":
      return new DefinitionError(refusal);
    case "expression":
      return new ExpressionError(refusal);
    case "options":
      return new OptionsError(refusal);
    case "pagination":
      return new PaginationError(refusal);
    case "retry":
      return new RetryRefusal(refusal.message, refusal.code);
    case "state":
      return new StateError(refusal);
    case "token":
      return new TokenError(refusal.message, refusal.code);
  }
}

/** The object that the engine throws for invalid input. */
type Refusal =
  | ({ readonly type: "definition" } & DefinitionProblem)
  | ({ readonly type: "expression" } & ExpressionProblem)
  | ({ readonly type: "options" } & OptionsProblem)
  | ({ readonly type: "pagination" } & PaginationProblem)
  | { readonly type: "retry"; readonly code: RetryEndCode; readonly message: string }
  | ({ readonly type: "state" } & StateProblem)
  | { readonly type: "token"; readonly code: TokenError["code"]; readonly message: string };

/** Calls the engine with one or two values, which are in slots during the call. */
export function inSlots<T>(make: (first: number, second: number) => T, first: unknown, second?: unknown): T {
  return callEngine(() => make(pushSlot(first), pushSlot(second)));
}
