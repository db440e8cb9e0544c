/**
 * Retry strategies, which decide about retries and their delays. A strategy does not sleep; it returns a token with the delay.
 *
 * @module
 */

import { EngineRetryQuota, EngineRetryStrategy, type EngineRetryToken, retryText } from "../engine/engine.js";
import { RetryRefusal, TokenError } from "../errors/client.js";
import { checkObject, mustBe } from "../input/checks.js";
import { callEngine, inSlots } from "../input/engine-call.js";
import { rejectFunctions } from "../input/engine-options.js";
import type { FailureInfo } from "../operation/failure-info.js";

/**
 * The state of one request between its attempts.
 *
 * Clause: [Retry token](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-token).
 */
export interface RetryToken {
  /** The delay before the next attempt, **in seconds**. */
  readonly delay: number;
}

/**
 * A strategy for retries. It decides which failed attempts are retried, and with which delay. Share one strategy among all requests
 * of a client.
 *
 * Clause: [Retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy).
 *
 * @example A custom strategy that retries every failure once, after a second.
 * ```js
 * const onceMore = {
 *   acquireInitialToken: () => ({ delay: 0 }),
 *   refreshRetryToken(token) {
 *     if (token.delay > 0) throw new RetryRefusal("once more is enough", "max_retries");
 *     return { delay: 1 };
 *   },
 *   recordSuccess() {},
 * };
 * await retry(call, { strategy: onceMore });
 * ```
 */
export interface RetryStrategy<Token extends RetryToken = RetryToken> {
  /**
   * Returns the token of a request before its first attempt.
   *
   * @throws RetryRefusal to rule out retries; the request is still made once.
   */
  acquireInitialToken(): Token;
  /**
   * Returns the token of the next attempt, after a failed one.
   *
   * @param token the token of the failed attempt.
   * @param failure the classification of the failure.
   * @throws RetryRefusal if the request must not be retried, TokenError if another strategy issued the token or if it was used
   * before.
   */
  refreshRetryToken(token: Token, failure: FailureInfo): Token;
  /**
   * Records a success. The token cannot be used afterwards.
   *
   * @param token the token of the successful attempt.
   * @throws TokenError if another strategy issued the token or if it was used before.
   */
  recordSuccess(token: Token): void;
  /**
   * Releases the token of an attempt that is not made, because no time is left or the caller cancelled. Optional: the specification
   * does not define it. See docs/rules.md#quota-refund.
   */
  releaseToken?(token: Token): void;
}

/** The options of a `StandardRetryStrategy`. Times are in seconds. The value null counts as absent. */
export interface RetryOptions {
  /**
   * The set of default values for the other options: those of the specification's example, or those of the AWS SDKs.
   *
   * @default "specification"
   */
  readonly preset?: "aws" | "specification" | undefined;
  /**
   * The maximum number of retries of a request. It cannot be combined with `maxAttempts`.
   *
   * @default 5, or 2 with `"aws"`
   */
  readonly maxRetries?: number | undefined;
  /**
   * The maximum number of attempts of a request, including the first one. It cannot be combined with `maxRetries`.
   *
   * @default 6, or 3 with `"aws"`
   */
  readonly maxAttempts?: number | undefined;
  /**
   * The maximum delay before the first retry, in seconds. The maximum doubles with each retry.
   *
   * @default 1, or 0.05 with `"aws"`
   */
  readonly baseDelay?: number | undefined;
  /**
   * The maximum delay before the first retry after a throttling error, in seconds. The maximum doubles with each retry.
   *
   * @default 1
   */
  readonly throttlingBaseDelay?: number | undefined;
  /**
   * The upper limit of all computed delays, in seconds.
   *
   * @default 20
   */
  readonly maxBackoff?: number | undefined;
  /**
   * The fixed delay before each retry, in seconds. It cannot be combined with `baseDelay`, `throttlingBaseDelay` and `maxBackoff`.
   * By default delays grow exponentially.
   */
  readonly fixedDelay?: number | undefined;
  /**
   * The longest delay that a service may request, in seconds. If the service requests a longer one, the error is not retried. No
   * limit by default. See docs/rules.md#retry-after.
   */
  readonly maxRetryAfter?: number | undefined;
  /**
   * The maximum difference between the delay that the service requests and the computed one, in seconds. A longer
   * requested delay is reduced. See docs/rules.md#retry-after.
   *
   * @default no limit, or 5 with `"aws"`
   */
  readonly retryAfterExcess?: number | undefined;
  /**
   * A quota that strategies share. It cannot be combined with `capacity` and `unlimited`. By default the strategy has a separate
   * quota.
   */
  readonly quota?: RetryQuota | undefined;
  /**
   * The capacity of the strategy's separate quota, an integer of at least 1.
   *
   * @default 500
   */
  readonly capacity?: number | undefined;
  /**
   * `true` for a strategy without a quota.
   *
   * @default false
   */
  readonly unlimited?: boolean | undefined;
  /**
   * The cost of a retry, which is taken from the quota.
   *
   * @default 5, or 14 with `"aws"`
   */
  readonly retryCost?: number | undefined;
  /**
   * The cost of a retry after a throttling error.
   *
   * @default 5
   */
  readonly throttlingCost?: number | undefined;
  /**
   * The cost of a retry after a timeout.
   *
   * @default 10, or 14 with `"aws"`
   */
  readonly timeoutCost?: number | undefined;
  /**
   * The amount that a success returns to the quota.
   *
   * @default 1
   */
  readonly successRefund?: number | undefined;
  /**
   * `true` if a success after a retry returns the cost of that retry instead of `successRefund`. See docs/rules.md#quota-refund.
   *
   * @default false, or true with `"aws"`
   */
  readonly refundCost?: boolean | undefined;
  /** The seed of the jitter, an integer from 0 to 2^53 - 1. By default it is a random number from `crypto.getRandomValues`. */
  readonly seed?: number | undefined;
}

/**
 * A quota for retries. Retries take their cost from it, and successes return some of it, so that clients reduce the load on a
 * service that is failing. Several strategies can share a quota.
 *
 * Clause: [Retry behaviors](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-behaviors).
 *
 * @example
 * ```js
 * const quota = new RetryQuota();
 * const reads = new StandardRetryStrategy({ quota });
 * const writes = new StandardRetryStrategy({ quota, maxRetries: 1 });
 * ```
 */
export class RetryQuota {
  readonly #engine: EngineRetryQuota;

  /**
   * Creates a full quota.
   *
   * @param capacity the capacity, an integer of at least 1; 500 by default.
   * @throws OptionsError if the capacity is invalid.
   */
  constructor(capacity?: number) {
    const source: unknown = capacity;
    rejectFunctions({ capacity });
    this.#engine = source instanceof EngineRetryQuota ? source : inSlots((slot) => new EngineRetryQuota(slot), { capacity });
  }

  /** The amount in the full quota. */
  get capacity(): number {
    return this.#engine.capacity();
  }

  /** The amount that is available now. */
  get available(): number {
    return this.#engine.available();
  }

  /** @internal */
  static engineOf(quota: RetryQuota): EngineRetryQuota {
    return quota.#engine;
  }
}

/** The token of a `StandardRetryStrategy`. */
export class StandardRetryToken implements RetryToken {
  /** The delay before the next attempt, in seconds. */
  readonly delay: number;
  /** The number of retries, including the one that the token is for; 0 for the first attempt. */
  readonly retries: number;
  readonly #engine: EngineRetryToken;

  /** @internal */
  constructor(engine: EngineRetryToken) {
    this.delay = engine.delay;
    this.retries = engine.retries;
    this.#engine = engine;
  }

  /** Returns the engine's token. @internal */
  static engineOf(token: unknown): EngineRetryToken {
    // `instanceof` would accept an object whose prototype was set.
    if (typeof token === "object" && token !== null && #engine in token) return token.#engine;
    throw foreignToken();
  }
}

/**
 * The specification's example strategy, with configurable values: exponential backoff with full jitter, and a quota for retries.
 * Share one strategy among all requests of a client.
 *
 * Clause: [Example retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy).
 *
 * @example
 * ```js
 * const strategy = new StandardRetryStrategy({ maxRetries: 2 });
 * const fixed = new StandardRetryStrategy({ fixedDelay: 1 });
 * ```
 */
export class StandardRetryStrategy implements RetryStrategy<StandardRetryToken> {
  readonly #engine: EngineRetryStrategy;
  /** The quota for retries; `undefined` if the strategy does not have one. */
  readonly quota: RetryQuota | undefined;
  /** The maximum number of retries of a request. */
  readonly maxRetries: number;

  /**
   * Creates a strategy.
   *
   * @throws OptionsError if an option is invalid.
   */
  constructor(options: RetryOptions = {}) {
    checkObject(options);
    const { quota, ...others } = options;
    rejectFunctions(others);
    this.#engine = inSlots((slot) => new EngineRetryStrategy(slot, sharedQuota(quota)), others);
    this.quota = quota ?? quotaOf(this.#engine);
    this.maxRetries = this.#engine.maxRetries();
  }

  /** Returns the token of a request before its first attempt. The token has no delay. */
  acquireInitialToken(): StandardRetryToken {
    return new StandardRetryToken(callEngine(() => this.#engine.acquire()));
  }

  /**
   * Returns the token of the next attempt, after a failed one.
   *
   * @param token the token of the failed attempt.
   * @param failure the classification of the failure.
   * @throws RetryRefusal if the request must not be retried, TokenError if another strategy issued the token or if it was used
   * before, OptionsError if the classification is invalid.
   */
  refreshRetryToken(token: StandardRetryToken, failure: FailureInfo): StandardRetryToken {
    const engine = StandardRetryToken.engineOf(token);
    return new StandardRetryToken(inSlots((slot) => this.#engine.refresh(engine, slot), failure));
  }

  /**
   * Records a success, which returns an amount to the quota.
   *
   * @param token the token of the successful attempt.
   * @throws TokenError if another strategy issued the token or if it was used before.
   */
  recordSuccess(token: StandardRetryToken): void {
    callEngine(() => this.#engine.recordSuccess(StandardRetryToken.engineOf(token)));
  }

  /**
   * Releases the token of an attempt that is not made. The cost of its retry returns to the quota. See docs/rules.md#quota-refund.
   *
   * @throws TokenError if another strategy issued the token or if it was used before.
   */
  releaseToken(token: StandardRetryToken): void {
    callEngine(() => this.#engine.release(StandardRetryToken.engineOf(token)));
  }
}

/** A strategy without retries: every request is made once. */
export class NoRetries implements RetryStrategy<never> {
  /** @throws RetryRefusal always, so that the request is made once. */
  acquireInitialToken(): never {
    throw new RetryRefusal(callEngine(() => retryText("max_retries")), "max_retries");
  }

  /** @throws TokenError always, because this strategy does not issue tokens. */
  refreshRetryToken(_token: RetryToken, _failure: FailureInfo): never {
    throw foreignToken();
  }

  /** @throws TokenError always, because this strategy does not issue tokens. */
  recordSuccess(_token: RetryToken): never {
    throw foreignToken();
  }
}

/** Returns the engine's quota of a shared quota. */
function sharedQuota(quota: RetryQuota | undefined): EngineRetryQuota | undefined {
  if (quota === undefined || quota === null) return undefined;
  if (!(quota instanceof RetryQuota)) throw mustBe("quota", "quota", quota);
  // wasm-bindgen's constructor consumes its argument. A second handle keeps the caller's quota usable.
  return RetryQuota.engineOf(quota).share();
}

function quotaOf(engine: EngineRetryStrategy): RetryQuota | undefined {
  const quota = engine.quota();
  return quota && new RetryQuota(quota as unknown as number);
}

function foreignToken(): TokenError {
  return new TokenError(callEngine(() => retryText("foreign_token")), "foreign_token");
}
