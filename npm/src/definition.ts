/**
 * The types of a waiter definition, as in the specification.
 *
 * @module
 */

/**
 * A [Waiter structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure). Unknown members are ignored. An
 * unknown member that resembles an absent one, such as `minDealy`, is a `DefinitionError`.
 */
export interface WaiterDefinition {
  /** A description of the waiter, in CommonMark. */
  readonly documentation?: string;
  /** The acceptors, in the order in which they are evaluated. At least one must have the state `success`. */
  readonly acceptors: readonly AcceptorDefinition[];
  /**
   * The minimum delay between two attempts, in whole seconds, at least 1.
   *
   * @default 2
   */
  readonly minDelay?: number;
  /**
   * The maximum delay between two attempts, in whole seconds, at least `minDelay`.
   *
   * @default 120
   */
  readonly maxDelay?: number;
  /** `true` if the waiter should no longer be used. */
  readonly deprecated?: boolean;
  /** Tags for grouping waiters. */
  readonly tags?: readonly string[];
  /**
   * Paths of members whose values are hidden in reasons, messages and reports, such as `Credentials.SecretKey`. An extension of
   * this package; the specification does not define it. See docs/rules.md#redaction.
   */
  readonly redact?: readonly string[];
}

/** An [Acceptor structure](https://smithy.io/2.0/additional-specs/waiters.html#acceptor-structure). */
export interface AcceptorDefinition {
  /** The state of the wait after a match. */
  readonly state: "success" | "failure" | "retry";
  /** The matcher of a response or an error. */
  readonly matcher: MatcherDefinition;
  /**
   * A JMESPath expression over the output; its result is the message of the failure unless it is null or empty. Only for
   * `failure`. See docs/rules.md#failure-messages.
   */
  readonly message?: string;
  /**
   * `true` if a match means that the resource is in a state that the definition does not list. The wait then fails with the code
   * `unexpected_state`. Only for `failure`. An extension of this package; the specification does not define it. See
   * docs/rules.md#unexpected-states.
   */
  readonly unexpected?: boolean;
}

/** A [Matcher union](https://smithy.io/2.0/additional-specs/waiters.html#matcher-union). Exactly one member is set. */
export type MatcherDefinition =
  | OneMatcher<"output", PathMatcherDefinition>
  | OneMatcher<"inputOutput", PathMatcherDefinition>
  | OneMatcher<"success", boolean>
  | OneMatcher<"errorType", string>;

// The other members are `never`, so that the compiler rejects two matchers in one object.
type OneMatcher<Name extends string, Value> = { readonly [name in Name]: Value } & {
  readonly [name in Exclude<"output" | "inputOutput" | "success" | "errorType", Name>]?: never;
};

/** A [PathMatcher structure](https://smithy.io/2.0/additional-specs/waiters.html#pathmatcher-structure). */
export interface PathMatcherDefinition {
  /** A JMESPath expression. */
  readonly path: string;
  /** The expected result of the expression; `"true"` or `"false"` for `booleanEquals`. */
  readonly expected: string;
  /** The comparison between the result and the expected value. */
  readonly comparator: "stringEquals" | "booleanEquals" | "allStringEquals" | "anyStringEquals";
}
