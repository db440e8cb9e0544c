/**
 * The tokens of custom strategies.
 *
 * @module
 */

import { RetryRefusal, TokenError } from "../errors/client.js";
import { isDuration } from "../input/checks.js";
import type { FailureInfo } from "../operation/failure-info.js";
import { isThenable } from "../values/promise.js";
import type { RetryStrategy, RetryToken } from "./retry-strategy.js";

/** A custom strategy and the token that it issued last. The token of an attempt that does not start is released. */
export class TokenLease {
  readonly #strategy: RetryStrategy;
  #token: RetryToken | RetryRefusal | undefined;
  /** `true` until the attempt that the token is for has started. */
  #due = true;
  /** The delay before the first attempt, in seconds. */
  readonly delay: number;

  /** Acquires the first token. If the strategy refuses it, the request is made once. */
  constructor(strategy: RetryStrategy) {
    this.#strategy = strategy;
    this.#token = acquire(strategy);
    try {
      this.delay = this.#token instanceof RetryRefusal ? 0 : delayOf(this.#token);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /**
   * Acquires the token of the next attempt, and returns its delay in seconds.
   *
   * @throws RetryRefusal or TokenError if the strategy throws it; TypeError if the token has no valid delay.
   */
  refresh(failure: FailureInfo): number {
    const token = this.#strategy.refreshRetryToken(this.#take(), failure);
    this.#token = token;
    this.#due = true;
    return delayOf(token);
  }

  /** Marks the token's attempt as started. */
  beginAttempt(): void {
    this.#due = false;
  }

  /** Reports a success to the strategy. */
  recordSuccess(): void {
    try {
      this.#strategy.recordSuccess(this.#take());
    } catch (error) {
      // The attempt succeeded, so a refusal of the strategy has no effect.
      if (!isRefusal(error)) throw error;
    }
  }

  /** Releases the token if its attempt has not started. */
  release(): void {
    if (this.#due && !(this.#token instanceof RetryRefusal)) this.#strategy.releaseToken?.(this.#take());
  }

  #take(): RetryToken {
    const token = this.#token ?? acquire(this.#strategy);
    this.#token = undefined;
    this.#due = false;
    if (token instanceof RetryRefusal) throw token;
    return token;
  }
}

/** Returns `true` if an error is a regular refusal of a strategy, and not a bug in it. */
export function isRefusal(error: unknown): error is RetryRefusal | TokenError {
  return error instanceof RetryRefusal || error instanceof TokenError;
}

/** Returns the first token of a request, or the refusal. */
function acquire(strategy: RetryStrategy): RetryToken | RetryRefusal {
  try {
    return strategy.acquireInitialToken();
  } catch (refusal) {
    if (refusal instanceof RetryRefusal) return refusal;
    throw refusal;
  }
}

function delayOf(token: RetryToken | null | undefined): number {
  const delay = token?.delay;
  if (isDuration(delay)) return delay;
  throw new TypeError(`a retry token's delay must be a number of seconds, at least 0, got ${isThenable(token) ? "a promise of a token" : String(delay)}`);
}
