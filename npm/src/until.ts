/**
 * The short form of a waiter: an expression and its values, or a predicate.
 *
 * @module
 */

import type { AcceptorDefinition, MatcherDefinition } from "./definition.js";
import { DefinitionError } from "./errors/waiter.js";
import { textOf } from "./input/json-text.js";
import { typeName } from "./values/display.js";
import type { NamingOptions } from "./values/error-metadata.js";
import { rejectPromise } from "./values/promise.js";

/** A function that returns `true` for a response in the desired state. */
export type Predicate<Response = unknown> = (response: Response) => boolean | null | undefined;

/** The options of `Waiter.until` with a predicate. */
export interface PredicateOptions extends NamingOptions {
  /** The waiter's name for messages, as in {@link WaiterOptions}. The waiter has no name by default. */
  readonly name?: string | undefined;
  /**
   * The names of errors after which the wait continues. `"any"` continues after every error, including those of your own code.
   *
   * @default []
   */
  readonly retryErrors?: readonly string[] | "any" | null | undefined;
  /**
   * The names of errors that are a success, such as the error for a deleted resource.
   *
   * @default []
   */
  readonly successErrors?: readonly string[] | null | undefined;
}

/** What a path of the response must give. See docs/rules.md#goals. */
export interface Goal {
  /** A JMESPath expression on the response. Without `expected` and `present`, it must be a condition. */
  readonly path: string;
  /** The expected value, or several of which the path must give one. */
  readonly expected?: boolean | string | readonly string[] | null | undefined;
  /**
   * `true` if one item of a list is enough. Failures always need only one.
   *
   * @default false
   */
  readonly any?: boolean | null | undefined;
  /**
   * `true` if any value other than null, `false`, and an empty text, list or object reaches the goal.
   *
   * @default false
   */
  readonly present?: boolean | null | undefined;
}

/** The options of `Waiter.until` with a condition or with goals. */
export interface ConditionOptions extends PredicateOptions {
  /**
   * The failures: goals with a path of their own, and matchers such as `{ errorType: "AccessDenied" }`. They are evaluated before the
   * condition.
   *
   * @default []
   */
  readonly fail?: readonly (Goal | MatcherDefinition)[] | null | undefined;
  /**
   * `true` if numbers and booleans are also compared by their texts: `3` equals `"3"`.
   *
   * @default false
   */
  readonly text?: boolean | null | undefined;
}

/** The options of `Waiter.until` with a path and its expected value. */
export interface UntilOptions extends Omit<ConditionOptions, "fail"> {
  /**
   * The failures: values of the path, goals with a path of their own, or matchers such as `{ errorType: "AccessDenied" }`. They are
   * evaluated before the expected value. If a path returns a list, one item with such a value is a failure.
   *
   * @default []
   */
  readonly fail?: readonly (Goal | MatcherDefinition | string)[] | null | undefined;
  /**
   * The intermediate values of the path. If there is at least one, every other value is a failure with the code `unexpected_state`,
   * except an absent or null value, after which the wait continues. See docs/rules.md#unexpected-states.
   *
   * @default []
   */
  readonly pending?: readonly string[] | null | undefined;
  /**
   * `true` if one item of a list must have the expected value, `false` if every item must have it.
   *
   * @default false
   */
  readonly any?: boolean | null | undefined;
}

/** The acceptors to add to a waiter. They are evaluated before those of the waiter. */
export interface WaiterExtension {
  /**
   * The failures: values of the path that the waiter's success acceptor reads, or matchers such as `{ errorType: "AccessDenied" }`.
   * If the path returns a list, one item with such a value is a failure.
   *
   * @default []
   */
  readonly fail?: readonly (MatcherDefinition | string)[] | null | undefined;
  /**
   * Acceptors that are evaluated before all others, including those of `fail`.
   *
   * @default []
   */
  readonly first?: readonly AcceptorDefinition[] | null | undefined;
}

/** The options that are members of the short form. */
export const UNTIL_OPTIONS = ["name", "any", "text", "fail", "pending", "retryErrors", "successErrors"] as const;

/**
 * Returns the short form as JSON text. The text has no expression if the expression is a predicate.
 *
 * @throws DefinitionError if the expression is neither a string nor a function, or if an option is a function.
 */
export function shortForm(expression: unknown, expected: unknown, options: object): string {
  if (typeof expression !== "string" && typeof expression !== "function" && !Array.isArray(expression)) {
    const message = `\`expression\` must be a string, a list of goals or a function, got ${typeName(expression)}`;
    throw new DefinitionError({ code: "wrong_type", message, path: "expression" });
  }
  for (const [member, value] of Object.entries({ expected, ...options })) {
    // `JSON.stringify` omits functions silently.
    if (typeof value !== "function" || member === "errorNames") continue;
    const message = `\`${member}\` must not be a function`;
    throw new DefinitionError({ code: "wrong_type", message, path: member });
  }
  const members = options as Record<(typeof UNTIL_OPTIONS)[number], unknown>;
  const form = UNTIL_OPTIONS.map((name) => [name, members[name]] as const);
  return textOf("short form", { expression, expected, ...Object.fromEntries(form) });
}

/** Returns the value that the engine reads as the response: the result of the predicate and the response, or only the response. */
export function evaluated(predicate: Predicate<never> | undefined, response: unknown): unknown {
  if (predicate === undefined) return response;
  return { predicate: Boolean(rejectPromise("predicate", predicate(response as never))), response };
}
