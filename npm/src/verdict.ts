/**
 * Verdicts.
 *
 * @module
 */

import { FAILURE, RETRY, STATE_BITS, SUCCESS } from "./constants.js";
import type { Reason, State } from "./report/attempt-record.js";

/**
 * The result of a call: `{ response }` or `{ error }`. Exactly one member must be present; its value may be `undefined`. A string
 * as `error` is the name of the error.
 */
export type Observation<Response = unknown> =
  | { readonly response: Response; readonly error?: never }
  | { readonly error: unknown; readonly response?: never };

/** The states under their numbers in the engine's verdicts. */
const STATES = new Map<number, State>([
  [SUCCESS, "success"],
  [FAILURE, "failure"],
  [RETRY, "retry"],
]);

/** The result of evaluating one response or error: the next state and the acceptor that matched. */
export class Verdict<Response = unknown> {
  /** The next state. If no acceptor matched, it is `retry` for a response and `failure` for an error. */
  readonly state: State;
  /** The index of the acceptor that matched; `undefined` if none did. */
  readonly acceptor: number | undefined;
  /** The evaluated response; `undefined` for an error. */
  readonly response: Response | undefined;
  /** The evaluated error; `undefined` for a response. */
  readonly error: unknown;
  readonly #evaluateAgain: () => readonly Reason[];
  #reasons: readonly Reason[] | undefined;

  /** @internal */
  constructor(verdict: number, { response, error }: Observation<Response>, evaluateAgain: () => readonly Reason[]) {
    const place = verdict >>> STATE_BITS;
    this.state = STATES.get(verdict - (place << STATE_BITS))!;
    this.acceptor = place === 0 ? undefined : place - 1;
    this.response = response;
    this.error = error;
    this.#evaluateAgain = evaluateAgain;
  }

  /**
   * The reason of each acceptor up to the one that matched. The first access evaluates the response or the error again, because
   * reasons are expensive to create.
   */
  get reasons(): readonly Reason[] {
    return (this.#reasons ??= this.#evaluateAgain());
  }
}
