/**
 * What drivers do with the tokens of any strategy.
 *
 * @module
 */

import { RetryRefusal, TokenError } from "./retry-errors.js";
import type { RetryStrategy, RetryToken } from "./retry-strategy.js";

/** A request's first token, or why there is none. */
export function acquired(strategy: RetryStrategy): RetryToken | RetryRefusal {
  try {
    return strategy.acquireInitialToken();
  } catch (refusal) {
    if (refusal instanceof RetryRefusal) return refusal;
    throw refusal;
  }
}

/** Gives a token back of an attempt that is not made. */
export function released(strategy: RetryStrategy, token: RetryToken | RetryRefusal): void {
  if (!(token instanceof RetryRefusal)) strategy.releaseToken?.(token);
}

/** Gives a token back, where there is one: the request has succeeded, whatever the strategy makes of it. */
export function recorded(strategy: RetryStrategy, token: RetryToken | RetryRefusal): void {
  try {
    if (!(token instanceof RetryRefusal)) strategy.recordSuccess(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
  }
}

/** A token's delay; never shorter than it says. */
export function delayMsOf({ delay }: RetryToken): number {
  if (typeof delay === "number" && delay >= 0 && delay < Number.POSITIVE_INFINITY) return Math.ceil(Math.round(delay * 1e6) / 1e3);
  throw new TypeError(`a retry token's delay must be a number of seconds, at least 0, got ${String(delay)}`);
}
