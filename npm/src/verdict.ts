/**
 * What a waiter says of one response or error.
 *
 * @module
 */

import type { EngineWaiter } from "./engine.js";
import type { ErrorFacts } from "./error-facts.js";
import { told } from "./json.js";
import { hold, notedCodes, release } from "./kernel.js";
import { acceptorOf, stateOf } from "./packed.js";

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

const NONE: readonly number[] = [];

/** What a waiter says of one response or error. */
export class Verdict<Response = unknown> {
  /** What follows. */
  readonly state: State;
  /** The index of the acceptor that matched; `undefined` where none did: an error is then a failure, a response a retry. */
  readonly acceptor: number | undefined;
  /** The response that was looked at. */
  readonly response: Response | undefined;
  /** The error that was looked at. */
  readonly error: unknown;
  readonly #engine: EngineWaiter;
  readonly #input: unknown;
  /** Of an error; a response has none. */
  readonly #facts: ErrorFacts | undefined;
  readonly #packed: number;
  readonly #noted: readonly number[];
  #reasons: readonly Reason[] | undefined;

  /** @internal */
  constructor(
    engine: EngineWaiter,
    packed: number,
    input: unknown,
    facts: ErrorFacts | undefined,
    response: Response | undefined,
    error: unknown,
  ) {
    this.#engine = engine;
    this.#input = input;
    this.#facts = facts;
    this.#packed = packed;
    this.#noted = packed < 0 ? notedCodes() : NONE;
    this.state = stateOf(packed);
    this.acceptor = acceptorOf(packed, this.#noted);
    this.response = response;
    this.error = error;
  }

  /** Why each acceptor that was looked at did or did not match. The texts are made by looking again when they are asked for. */
  get reasons(): readonly Reason[] {
    return (this.#reasons ??= told<Reason[]>(this.#explained()));
  }

  #explained(): string {
    const engine = this.#engine;
    const facts = this.#facts;
    const noted = new Uint32Array(this.#noted);
    const base = hold(this.#input);
    try {
      return facts === undefined
        ? engine.explainResponse(this.#packed, noted, base, hold(this.response))
        : engine.explainError(this.#packed, noted, base, facts.by, facts.name, facts.message);
    } finally {
      release(base);
    }
  }
}
