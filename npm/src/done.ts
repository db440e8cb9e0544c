/**
 * The last step of a wait.
 *
 * @module
 */

import { failureOf } from "./errors.js";
import type { AttemptRecord, Ending, FailureCode, LastSeen, Outcome } from "./outcome.js";

/** The wait is over. `state` says how, to the compiler, too. */
export type DoneStep<Response = unknown> = FailureStep<Response> | SuccessStep<Response>;

/**
 * How a wait ended.
 *
 * @internal
 */
export interface End<Response> {
  readonly ending: Ending;
  readonly explanation: string;
  readonly seen: LastSeen<Response>;
}

/**
 * The step that says so.
 *
 * @internal
 */
export function doneStep<Response>(end: End<Response>): DoneStep<Response> {
  const { code } = end.ending;
  return code === undefined ? new SuccessStep(end) : new FailureStep(end, code);
}

/** What is known of every wait that is over. */
abstract class Done {
  readonly type = "done";
  /** What happened, for people. */
  readonly message: string;
  /** The index of the acceptor that decided. */
  readonly acceptor: number | undefined;
  /** That acceptor as the definition has it, as JSON text. */
  readonly acceptorText: string | undefined;
  /** The number of calls that were made. */
  readonly attempts: number;
  /** How long it took, in milliseconds. */
  readonly elapsedMs: number;
  /** The newest attempts, the oldest first; at most `historyLimit`. */
  readonly history: readonly AttemptRecord[];
  readonly #explanation: string;

  /** @internal */
  constructor({ ending, explanation }: Omit<End<unknown>, "seen">) {
    this.message = ending.message;
    this.acceptor = ending.acceptor;
    this.acceptorText = ending.acceptorText;
    this.attempts = ending.attempts;
    this.elapsedMs = ending.elapsedMs;
    this.history = ending.history;
    this.#explanation = explanation;
  }

  /** The whole story for people: the message, then each attempt and each acceptor it was held against. */
  explain(): string {
    return this.#explanation;
  }
}

/** A wait that succeeded. */
export class SuccessStep<Response = unknown> extends Done {
  readonly state = "success";
  /** Only failures have one. */
  readonly code: undefined;
  readonly #seen: LastSeen<Response>;

  /** @internal */
  constructor(end: End<Response>) {
    super(end);
    this.code = undefined;
    this.#seen = end.seen;
  }

  /** The same as an outcome, with the response or error that the wanted state was seen in. */
  outcome(): Outcome<Response> {
    const seen = this.#seen;
    const { attempts, acceptor, acceptorText, history } = this;
    const facts = { attempts, elapsed: this.elapsedMs / 1000, acceptor, acceptorText, history };
    // One that was resumed at its end has seen nothing itself.
    if (seen.failed || (seen.isEmpty && history.at(-1)?.result === "error")) {
      return { result: "error", response: undefined, error: seen.error, ...facts };
    }
    return { result: "response", response: seen.response as Response, error: undefined, ...facts };
  }
}

/** A wait that did not succeed. */
export class FailureStep<Response = unknown> extends Done {
  readonly state = "failure";
  /** Why, for programs. */
  readonly code: FailureCode;
  readonly #end: End<Response>;

  /** @internal */
  constructor(end: End<Response>, code: FailureCode) {
    super(end);
    this.code = code;
    this.#end = end;
  }

  /** There is none: throws the `WaiterError` that the wait ended with. */
  outcome(): never {
    throw failureOf({ ...this.#end, code: this.code });
  }
}
