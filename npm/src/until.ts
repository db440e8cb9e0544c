/**
 * The short form of a waiter: an expression and its values, or a predicate.
 *
 * @module
 */

import type { AcceptorDefinition, MatcherDefinition } from "./definition.js";
import { textOf } from "./engine/json-text.js";
import { DefinitionError } from "./errors.js";
import { typeName } from "./values/checks.js";
import type { NamingOptions } from "./values/error-metadata.js";
import { rejectPromise } from "./values/promise.js";

/** Returns `true` for a response in the desired state. */
export type Predicate<Response = unknown> = (response: Response) => boolean | null | undefined;

/** The options of a waiter of a predicate. */
export interface PredicateOptions extends NamingOptions {
  /** The waiter's name, as `new Waiter` takes it. */
  readonly name?: string | undefined;
  /** The names of errors after which the wait goes on. */
  readonly retryErrors?: readonly string[] | null | undefined;
}

/** The options of a waiter of a condition. */
export interface ConditionOptions extends PredicateOptions {
  /** Failures: matchers of the specification, such as `{ errorType: "AccessDenied" }`. They are tried before the success. */
  readonly fail?: readonly MatcherDefinition[] | null | undefined;
}

/** The options of a waiter of a path and its values. */
export interface UntilOptions extends PredicateOptions {
  /** Failures: values of the path, of a list one item is enough; or matchers of the specification. They are tried before the success. */
  readonly fail?: readonly (MatcherDefinition | string)[] | null | undefined;
  /**
   * Values on the way to the expected one. With any, all others are failures, code `unexpected_state`; a value that is absent or null
   * is not one of them.
   */
  readonly pending?: readonly string[] | null | undefined;
  /** `true` if one item of a list with the expected value is enough; by default every item must have it. */
  readonly any?: boolean | null | undefined;
}

/** Acceptors to add to a waiter. They are tried first. */
export interface WaiterExtension {
  /**
   * Failures: values of the path by which the waiter succeeds, of a list one item is enough; or matchers of the specification, such as
   * `{ errorType: "AccessDenied" }`.
   */
  readonly fail?: readonly (MatcherDefinition | string)[] | null | undefined;
  /** Acceptors of the specification, which are tried before all others. */
  readonly first?: readonly AcceptorDefinition[] | null | undefined;
}

/** The members of the short form that are options. */
export const UNTIL_OPTIONS = ["name", "any", "fail", "pending", "retryErrors"] as const;

/**
 * Returns the short form as JSON text; of a predicate it has no expression.
 *
 * @throws DefinitionError for an expression that is neither a string nor a function.
 */
export function shortForm(expression: unknown, expected: unknown, options: object): string {
  if (typeof expression !== "string" && typeof expression !== "function") {
    const message = `\`expression\` must be a string or a function, got ${typeName(expression)}`;
    throw new DefinitionError({ code: "wrong_type", message, path: "expression" });
  }
  for (const [member, value] of Object.entries({ expected, ...options })) {
    // JSON would leave it out.
    if (typeof value !== "function" || member === "errorNames") continue;
    const message = `\`${member}\` must not be a function`;
    throw new DefinitionError({ code: "wrong_type", message, path: member });
  }
  const { name, any, fail, pending, retryErrors } = options as Record<(typeof UNTIL_OPTIONS)[number], unknown>;
  return textOf("short form", { expression, expected, name, any, fail, pending, retryErrors });
}

/** Returns what the engine reads as the response; with a predicate, its result beside the response itself. */
export function evaluated(predicate: Predicate<never> | undefined, response: unknown): unknown {
  if (predicate === undefined) return response;
  return { predicate: Boolean(rejectPromise("predicate", predicate(response as never))), response };
}
