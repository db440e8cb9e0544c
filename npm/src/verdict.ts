/**
 * The result of evaluating one response or error.
 *
 * @module
 */

import { inSlots } from "./engine/call.js";
import { FAILURE, RETRY, STATE_BITS, SUCCESS } from "./engine/constants.js";
import type { EngineWaiter } from "./engine/engine.js";
import type { Reason, State } from "./report/attempt-record.js";
import type { ErrorMetadata } from "./values/error-metadata.js";

/** The result of a call: the presence of a member counts, not its value. A text as `error` is the error's name. */
export type Observation<Response = unknown> =
  | { readonly response: Response; readonly error?: never }
  | { readonly error: unknown; readonly response?: never };

/** The states by their numbers in the engine's verdicts. */
const STATES = new Map<number, State>([
  [SUCCESS, "success"],
  [FAILURE, "failure"],
  [RETRY, "retry"],
]);

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
  readonly #facts: ErrorMetadata | undefined;
  #reasons: readonly Reason[] | undefined;

  /** @internal */
  constructor(
    engine: EngineWaiter,
    verdict: number,
    input: unknown,
    facts: ErrorMetadata | undefined,
    response: Response | undefined,
    error: unknown,
  ) {
    this.#engine = engine;
    this.#input = input;
    this.#facts = facts;
    const place = verdict >>> STATE_BITS;
    this.state = STATES.get(verdict - (place << STATE_BITS))!;
    this.acceptor = place === 0 ? undefined : place - 1;
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
