/**
 * A retry strategy inside a wait: asked about errors that no acceptor matches.
 *
 * @module
 */

import { unpacked } from "./failure-info.js";
import { withPause } from "./kernel.js";
import { classified } from "./reading.js";
import { RetryRefusal, TokenError } from "./retry-errors.js";
import type { RetryStrategy, RetryToken } from "./retry-strategy.js";
import { acquired, delayMsOf, recorded, released } from "./retry-token.js";

/** A strategy, and the token of the calls since the newest response. */
export class Transients {
  readonly #strategy: RetryStrategy;
  #token: RetryToken | undefined;

  constructor(strategy: RetryStrategy) {
    this.#strategy = strategy;
  }

  /** Takes a step for an error. What the strategy's own code throws, other than its no, is thrown after it. */
  asked<T extends { readonly type: string }>(error: unknown, step: () => T): T {
    let problem: { readonly error: unknown } | undefined;
    const pause = (): number | string => {
      try {
        return this.#pause(error);
      } catch (thrown) {
        if (thrown instanceof RetryRefusal || thrown instanceof TokenError) return thrown.message;
        problem = { error: thrown };
        return "";
      }
    };
    const taken = withPause(pause, step);
    if (problem !== undefined) throw problem.error;
    if (taken.type === "done") this.#release();
    return taken;
  }

  /** Gives a token back whose attempt is not made. */
  #release(): void {
    if (this.#token !== undefined) released(this.#strategy, this.#token);
    this.#token = undefined;
  }

  /** Tells the strategy of a response. */
  succeed(): void {
    recorded(this.#strategy, this.#taken());
  }

  /** The least pause before another attempt. A wait only looks: its calls may be repeated without harm. */
  #pause(error: unknown): number {
    const token = this.#taken();
    if (token instanceof RetryRefusal) throw token;
    const failure = unpacked(classified(error, { idempotent: true }));
    this.#token = this.#strategy.refreshRetryToken(token, failure);
    return delayMsOf(this.#token);
  }

  #taken(): RetryToken | RetryRefusal {
    const token = this.#token ?? acquired(this.#strategy);
    this.#token = undefined;
    return token;
  }
}
