/**
 * The attempt that a call is made for.
 *
 * @module
 */

import type { Attempt } from "../options.js";

/** An attempt in progress, whose signal is created when it is first read. */
export class PendingAttempt implements Attempt {
  readonly number: number;
  readonly remaining: number;
  declare readonly signal: AbortSignal;
  #controller: AbortController | undefined;
  /** Returns the reason of an aborted signal. */
  #reason: (() => unknown) | undefined;

  constructor(number: number, remaining: number) {
    this.number = number;
    this.remaining = remaining;
    // An own property, so that a spread has it, too; and without `this`, which a proxy would change.
    Object.defineProperty(this, "signal", { enumerable: true, get: () => PendingAttempt.#signalOf(this) });
  }

  static #signalOf(attempt: PendingAttempt): AbortSignal {
    if (attempt.#controller === undefined) {
      attempt.#controller = new AbortController();
      if (attempt.#reason !== undefined) attempt.#controller.abort(attempt.#reason());
    }
    return attempt.#controller.signal;
  }

  static abort(attempt: PendingAttempt, reason: () => unknown): void {
    attempt.#reason = reason;
    attempt.#controller?.abort(reason());
  }
}
