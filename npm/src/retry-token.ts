/**
 * What drivers do with a strategy and its tokens.
 *
 * @module
 */

import { type FailureInfo, wholeMs } from "./failure-info.js";
import { RetryRefusal, TokenError } from "./retry-errors.js";
import type { RetryStrategy, RetryToken } from "./retry-strategy.js";
import { isThenable } from "./thenable.js";

/** A strategy, and the token that it handed out last. One whose attempt is never made goes back to it. */
export class Held {
  readonly #strategy: RetryStrategy;
  #token: RetryToken | RetryRefusal | undefined;
  /** Whether the attempt that the token is for has not begun. */
  #due = false;

  constructor(strategy: RetryStrategy) {
    this.#strategy = strategy;
  }

  /** The milliseconds before the first attempt. */
  acquire(): number {
    return this.#keep(acquired(this.#strategy));
  }

  /** The milliseconds before another attempt; throws where there is none. */
  refresh(failure: FailureInfo): number {
    return this.#keep(this.#strategy.refreshRetryToken(this.#taken(), failure));
  }

  /** The attempt that the token is for begins. */
  begin(): void {
    this.#due = false;
  }

  /** Tells the strategy of a success, whatever it makes of it; the next attempt begins with a new token. */
  succeed(): void {
    try {
      this.#strategy.recordSuccess(this.#taken());
    } catch (error) {
      if (!isNo(error)) throw error;
    }
  }

  /** There are no further attempts. */
  close(): void {
    if (this.#due && !(this.#token instanceof RetryRefusal)) this.#strategy.releaseToken?.(this.#taken());
  }

  #keep(token: RetryToken | RetryRefusal): number {
    this.#token = token;
    this.#due = true;
    return token instanceof RetryRefusal ? 0 : delayMsOf(token);
  }

  #taken(): RetryToken {
    const token = this.#token ?? acquired(this.#strategy);
    this.#token = undefined;
    this.#due = false;
    if (token instanceof RetryRefusal) throw token;
    return token;
  }
}

/** Whether it is a strategy's no, and no defect of it. */
export function isNo(error: unknown): error is RetryRefusal | TokenError {
  return error instanceof RetryRefusal || error instanceof TokenError;
}

/** A request's first token, or why there is none. */
function acquired(strategy: RetryStrategy): RetryToken | RetryRefusal {
  try {
    return strategy.acquireInitialToken();
  } catch (refusal) {
    if (refusal instanceof RetryRefusal) return refusal;
    throw refusal;
  }
}

/** A token's delay; never shorter than it says. */
function delayMsOf(token: RetryToken | null | undefined): number {
  const delay = token?.delay;
  const ms = wholeMs(delay);
  if (ms !== undefined) return ms;
  throw new TypeError(`a retry token's delay must be a number of seconds, at least 0, got ${isThenable(token) ? "a promise of a token" : String(delay)}`);
}
