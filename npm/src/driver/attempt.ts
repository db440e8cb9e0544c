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
  #end: { readonly reason: unknown } | "deadline" | undefined;

  constructor(number: number, remaining: number) {
    this.number = number;
    this.remaining = remaining;
    // An own property, so that a spread has it, too.
    Object.defineProperty(this, "signal", SIGNAL);
  }

  static signalOf(attempt: PendingAttempt): AbortSignal {
    if (attempt.#controller === undefined) {
      attempt.#controller = new AbortController();
      attempt.#abort();
    }
    return attempt.#controller.signal;
  }

  /** Aborts the signal with a reason. */
  static abort(attempt: PendingAttempt, reason: unknown): void {
    attempt.#end = { reason };
    attempt.#abort();
  }

  /** Aborts the signal as a platform's own timeouts do. */
  static abortAtDeadline(attempt: PendingAttempt): void {
    attempt.#end = "deadline";
    attempt.#abort();
  }

  #abort(): void {
    const end = this.#end;
    if (end === undefined || this.#controller === undefined) return;
    this.#controller.abort(end === "deadline" ? new DOMException("the deadline of the attempt has passed", "TimeoutError") : end.reason);
  }
}

const SIGNAL: PropertyDescriptor & ThisType<PendingAttempt> = {
  enumerable: true,
  get() {
    return PendingAttempt.signalOf(this);
  },
};
