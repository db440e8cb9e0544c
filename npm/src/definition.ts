/**
 * A waiter's definition, as the specification has it.
 *
 * @module
 */

/**
 * One [Waiter structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure). Members that it does not
 * know are ignored, but one that looks like a known one that is missing (`minDealy`) is a `DefinitionError`.
 */
export interface WaiterDefinition {
  /** What the waiter waits for, in CommonMark. */
  readonly documentation?: string;
  /** The acceptors, in the order in which they are checked; at least one leads to `success`. */
  readonly acceptors: readonly AcceptorDefinition[];
  /** The least delay between two attempts, in whole seconds; 2 by default. */
  readonly minDelay?: number;
  /** The greatest delay between two attempts, in whole seconds; 120 by default. */
  readonly maxDelay?: number;
  /** Whether the waiter should no longer be used. */
  readonly deprecated?: boolean;
  /** Tags, for grouping. */
  readonly tags?: readonly string[];
  /**
   * Paths of members whose values reasons, messages and reports do not show, such as `Credentials.SecretKey`. Not of the
   * specification.
   */
  readonly redact?: readonly string[];
}

/** One [Acceptor structure](https://smithy.io/2.0/additional-specs/waiters.html#acceptor-structure). */
export interface AcceptorDefinition {
  /** The state that a match leads to. */
  readonly state: "success" | "failure" | "retry";
  /** What must match. */
  readonly matcher: MatcherDefinition;
  /** On a `failure`: a JMESPath expression over the output that gives the failure's message. */
  readonly message?: string;
  /**
   * On a `failure`: the resource is in a state that the definition does not list. The wait then fails with the code
   * `unexpected_state`. Not of the specification.
   */
  readonly unexpected?: boolean;
}

/** A [Matcher union](https://smithy.io/2.0/additional-specs/waiters.html#matcher-union): exactly one member is set. */
export type MatcherDefinition =
  | OneMatcher<"output", PathMatcherDefinition>
  | OneMatcher<"inputOutput", PathMatcherDefinition>
  | OneMatcher<"success", boolean>
  | OneMatcher<"errorType", string>;

/** This member and none of the others. */
type OneMatcher<Name extends string, Value> = { readonly [name in Name]: Value } & {
  readonly [name in Exclude<"output" | "inputOutput" | "success" | "errorType", Name>]?: never;
};

/** One [PathMatcher structure](https://smithy.io/2.0/additional-specs/waiters.html#pathmatcher-structure). */
export interface PathMatcherDefinition {
  /** A JMESPath expression. */
  readonly path: string;
  /** What it should give; `"true"` or `"false"` with `booleanEquals`. */
  readonly expected: string;
  /** How the two are compared. */
  readonly comparator: "stringEquals" | "booleanEquals" | "allStringEquals" | "anyStringEquals";
}
