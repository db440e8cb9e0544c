/**
 * The result of evaluating one response or error.
 *
 * @module
 */

import { FAILURE, RETRY, STATE_BITS, SUCCESS } from "./engine/constants.js";
import type { Reason, State } from "./report/attempt-record.js";

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

  /** Why each acceptor, up to the one that matched, did or did not match. They are made when they are first read, by evaluating again. */
  get reasons(): readonly Reason[] {
    return (this.#reasons ??= this.#evaluateAgain());
  }
}
