/**
 * The attempt that a call is handed.
 *
 * @module
 */

import type { Attempt } from "../options.js";

/** The signal of one attempt, created when it is first read. */
export class AttemptSignal {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | "deadline" | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#abort();
    }
    return this.#controller.signal;
  }

  /** Aborts the signal with a reason. */
  abort(reason: unknown): void {
    this.#aborted = { reason };
    this.#abort();
  }

  /** Aborts the signal as a platform's own timeouts do. */
  abortAtDeadline(): void {
    this.#aborted = "deadline";
    this.#abort();
  }

  #abort(): void {
    const aborted = this.#aborted;
    if (aborted === undefined || this.#controller === undefined) return;
    const reason = aborted === "deadline" ? new DOMException("the deadline of the attempt has passed", "TimeoutError") : aborted.reason;
    this.#controller.abort(reason);
  }
}

/** What a call is handed; its `signal` is an own property, which a spread takes along. */
export function attemptOf(number: number, remaining: number, lazy: AttemptSignal): Attempt {
  return {
    number,
    remaining,
    get signal() {
      return lazy.signal;
    },
  };
}
