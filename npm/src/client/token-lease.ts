/**
 * The token of a custom strategy.
 *
 * @module
 */

import { isDuration } from "../values/checks.js";
import { isThenable } from "../values/promise.js";
import { RetryRefusal, TokenError } from "./errors.js";
import type { FailureInfo } from "./failure-info.js";
import type { RetryStrategy, RetryToken } from "./retry-strategy.js";

/** A strategy and the token that it issued last. The token of an attempt that never starts returns to the strategy. */
export class TokenLease {
  readonly #strategy: RetryStrategy;
  #token: RetryToken | RetryRefusal | undefined;
  /** `true` until the attempt that the token is for has started. */
  #due = true;
  /** The seconds before the first attempt. */
  readonly delay: number;

  /** Acquires the first token. Without one the request is still made, once. */
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

  /** Returns the seconds before another attempt. Throws the strategy's refusal, or a `TokenError`. */
  refresh(failure: FailureInfo): number {
    const token = this.#strategy.refreshRetryToken(this.#take(), failure);
    this.#token = token;
    this.#due = true;
    return delayOf(token);
  }

  /** The attempt that the token is for starts. */
  beginAttempt(): void {
    this.#due = false;
  }

  /** Reports a success to the strategy. */
  recordSuccess(): void {
    try {
      this.#strategy.recordSuccess(this.#take());
    } catch (error) {
      // The attempt has succeeded, whatever the strategy makes of it.
      if (!isRefusal(error)) throw error;
    }
  }

  /** Returns the token of an attempt that will not be made. */
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

/** Returns `true` if a strategy refused, which is not a defect of it. */
export function isRefusal(error: unknown): error is RetryRefusal | TokenError {
  return error instanceof RetryRefusal || error instanceof TokenError;
}

/** The first token of a request, or the refusal of one. */
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
