/**
 * The result of evaluating one response or error.
 *
 * @module
 */

import type { EngineWaiter } from "./engine.js";
import type { ErrorFacts } from "./error-facts.js";
import { inSlots } from "./slots.js";

/** The state that an acceptor leads to, or that follows where none matches. */
export type State = "success" | "failure" | "retry";

/** What came of a call: that one of the two is there counts, not its value. A text as `error` is the error's name. */
export type Seen<Response = unknown> =
  | { readonly response: Response; readonly error?: never }
  | { readonly error: unknown; readonly response?: never };

/** Why an acceptor did or did not match. */
export interface Reason {
  /** The index of the acceptor; `undefined` if the attempt timeout is the reason. */
  readonly acceptor: number | undefined;
  /** Whether it did. */
  readonly matched: boolean;
  /** Why, for programs. */
  readonly code: ReasonCode;
  /** Why, for people. */
  readonly text: string;
}

/** Why an acceptor did or did not match, for programs; `matched` and `matched_by_class` are matches. */
export type ReasonCode =
  | "empty"
  | "evaluation_error"
  | "limit_exceeded"
  | "matched"
  | "matched_by_class"
  | "not_applicable"
  | "not_equal"
  | "null"
  | "transient"
  | "wrong_type";

/**
 * The states by their numbers in the engine's verdicts.
 *
 * @internal
 */
export const STATES: readonly State[] = ["success", "failure", "retry"];

/** The result of evaluating one response or error: the next state, and the acceptor that leads to it. */
export class Verdict<Response = unknown> {
  /** The next state. */
  readonly state: State;
  /** The index of the acceptor that matched; `undefined` if none did: an error is then a failure, a response a retry. */
  readonly acceptor: number | undefined;
  /** The response that was evaluated. */
  readonly response: Response | undefined;
  /** The error that was evaluated. */
  readonly error: unknown;
  readonly #engine: EngineWaiter;
  readonly #input: unknown;
  /** Of an error; a response has none. */
  readonly #facts: ErrorFacts | undefined;
  #reasons: readonly Reason[] | undefined;

  /** @internal */
  constructor(
    engine: EngineWaiter,
    verdict: number,
    input: unknown,
    facts: ErrorFacts | undefined,
    response: Response | undefined,
    error: unknown,
  ) {
    this.#engine = engine;
    this.#input = input;
    this.#facts = facts;
    // The state, and above it the acceptor's index plus 1.
    this.state = STATES[verdict & 3]!;
    this.acceptor = verdict < 4 ? undefined : (verdict >>> 2) - 1;
    this.response = response;
    this.error = error;
  }

  /** Why each acceptor, up to the one that matched, did or did not match. They are made when they are first read, by evaluating again. */
  get reasons(): readonly Reason[] {
    return (this.#reasons ??= this.#evaluateAgain());
  }

  #evaluateAgain(): readonly Reason[] {
    const engine = this.#engine;
    const facts = this.#facts;
    return inSlots(
      (input, response) =>
        (facts === undefined
          ? engine.reasonsOfResponse(input, response)
          : engine.reasonsOfError(input, facts.by, facts.name, facts.message)) as readonly Reason[],
      this.#input,
      this.response,
    );
  }
}
