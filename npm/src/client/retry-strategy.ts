/**
 * Who decides which requests are made again, and when. Deciding never sleeps: a token tells how long to wait.
 *
 * @module
 */

import { callEngine, inSlots } from "../engine/call.js";
import { NO_RETRIES } from "../engine/constants.js";
import { EngineRetryQuota, EngineRetryStrategy } from "../engine/engine.js";
import { OptionsError } from "../errors.js";
import { checkObject, mustBe } from "../values/checks.js";
import { RetryRefusal, TokenError } from "./errors.js";
import { type FailureInfo, pack } from "./failure-info.js";
import { retryText } from "./retry-text.js";

/**
 * The state of one request between its attempts.
 *
 * Clause: [Retry token](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-token).
 */
export interface RetryToken {
  /** How long to wait before the next attempt, **in seconds**. */
  readonly delay: number;
}

/**
 * Decides which failed attempts are made again, and when. One strategy serves all requests of a client.
 *
 * Clause: [Retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy).
 *
 * @example A strategy of one's own: everything once more, after a second.
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
  /** The token of a request, before its first attempt. Throws a `RetryRefusal` where there is none: it is still made, once. */
  acquireInitialToken(): Token;
  /**
   * The token of the next attempt, after one that failed. Throws a `RetryRefusal` where there is none, and a `TokenError`
   * for a token that is none of its own or was used before.
   */
  refreshRetryToken(token: Token, failure: FailureInfo): Token;
  /** Takes the token back after an attempt that succeeded. Throws a `TokenError` likewise. */
  recordSuccess(token: Token): void;
  /** Takes the token back of an attempt that is not made: no time is left, or the caller cancels. (Ours: a strategy need not have it.) */
  releaseToken?(token: Token): void;
}

/** How the standard strategy behaves. Times are in seconds; what is undefined or null counts as not given. */
export interface RetryOptions {
  /** What the others count over: the values of the specification's example (without it), or those of the AWS SDKs. */
  readonly preset?: "aws" | "specification" | undefined;
  /** How often a request is made again, at most; 5, or 2 with `"aws"`. Not together with `maxAttempts`. */
  readonly maxRetries?: number | undefined;
  /** The same with the first attempt counted: 6, or 3. */
  readonly maxAttempts?: number | undefined;
  /** The greatest delay before the first retry, in seconds; it doubles with each. 1, or 0.05. */
  readonly baseDelay?: number | undefined;
  /** The same where the service throttles; 1. */
  readonly throttlingBaseDelay?: number | undefined;
  /** The greatest delay of all, in seconds; 20. */
  readonly maxBackoff?: number | undefined;
  /** The same delay each time, in seconds, instead of these three. */
  readonly fixedDelay?: number | undefined;
  /** The longest pause that a service may ask for, in seconds: where it asks for more, the error is not retried. No limit. */
  readonly maxRetryAfter?: number | undefined;
  /** How much longer than computed a pause may get that the service asks for, in seconds; no limit, or 5 with `"aws"`. */
  readonly retryAfterExcess?: number | undefined;
  /** A quota that other strategies use too. Not together with `capacity` or `unlimited`. */
  readonly quota?: RetryQuota | undefined;
  /** What the strategy's own quota holds when it is full, at least 1; 500. */
  readonly capacity?: number | undefined;
  /** Whether there is no quota: retries are free. */
  readonly unlimited?: boolean | undefined;
  /** What a retry takes from the quota; 5, or 14. */
  readonly retryCost?: number | undefined;
  /** The same where the service throttles; 5. */
  readonly throttlingCost?: number | undefined;
  /** The same after a timeout; 10, or 14. */
  readonly timeoutCost?: number | undefined;
  /** What a success returns to the quota; 1. */
  readonly successRefund?: number | undefined;
  /** Whether a success after a retry returns what that retry took, instead; so with `"aws"`. */
  readonly refundCost?: boolean | undefined;
  /** The seed of the delays' jitter, an integer from 0 to 2^53 - 1; drawn by `crypto.getRandomValues` without it. */
  readonly seed?: number | undefined;
}

/**
 * What retries are paid from: it empties while requests fail and fills up as they succeed, so that clients leave a service
 * alone that is down. Strategies share one by being given the same.
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
   * A full quota.
   *
   * @param capacity what it holds when it is full, an integer from 1; 500 without it.
   * @throws OptionsError for any other.
   */
  constructor(capacity?: number) {
    const source: unknown = capacity;
    this.#engine = source instanceof EngineRetryQuota ? source : inSlots((slot) => new EngineRetryQuota(slot), { capacity });
  }

  /** What it holds when it is full. */
  get capacity(): number {
    return this.#engine.capacity();
  }

  /** What it holds now. */
  get available(): number {
    return this.#engine.available();
  }

  /** @internal */
  static engineOf(quota: RetryQuota): EngineRetryQuota {
    return quota.#engine;
  }
}

const METHODS = ["acquireInitialToken", "refreshRetryToken", "recordSuccess", "releaseToken"] as const;

/** The token of a `StandardRetryStrategy`. */
export class StandardRetryToken implements RetryToken {
  /** How long to wait before the next attempt, in seconds. */
  readonly delay: number;
  /** How many retries were made, the one that the token is for included. */
  readonly retries: number;
  readonly #strategy: EngineRetryStrategy;
  readonly #request: number;
  /** What the newest retry cost. */
  readonly #paid: number;
  #used = false;

  /** @internal */
  constructor(strategy: EngineRetryStrategy, request: number, retries = 0, delayMs = 0, paid = 0) {
    this.delay = delayMs / 1000;
    this.retries = retries;
    this.#strategy = strategy;
    this.#request = request;
    this.#paid = paid;
  }

  /** Returns the engine's numbers of a token, which is good for one use. @internal */
  static take(token: unknown, strategy: EngineRetryStrategy): [request: number, retries: number, paid: number] {
    const isToken = typeof token === "object" && token !== null && #strategy in token;
    if (!isToken || token.#strategy !== strategy) throw new TokenError("foreign_token");
    if (token.#used) throw new TokenError("used_token");
    token.#used = true;
    return [token.#request, token.retries, token.#paid];
  }
}

/**
 * The specification's example strategy, with every value of it to choose: exponential backoff with full jitter, paid from a
 * quota. One strategy serves all requests of a client: they share its quota.
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
  /** What retries are paid from; `undefined` where they are free. */
  readonly quota: RetryQuota | undefined;
  /** How often a request is made again, at most. */
  readonly maxRetries: number;

  /**
   * The engine's strategy, unless a method was overridden: then the strategy decides in JavaScript.
   *
   * @internal
   */
  static engineOf(strategy: RetryStrategy): EngineRetryStrategy | undefined {
    const own = StandardRetryStrategy.prototype as RetryStrategy;
    const isUnchanged = METHODS.every((method) => strategy[method] === own[method]);
    return isUnchanged ? (strategy as StandardRetryStrategy).#engine : undefined;
  }

  /** @throws OptionsError for options that do not hold. */
  constructor(options: RetryOptions = {}) {
    checkObject(options);
    const { quota, ...own } = options;
    this.#engine = inSlots((slot) => new EngineRetryStrategy(slot, sharedQuota(quota, own)), own);
    this.quota = quota ?? quotaOf(this.#engine);
    this.maxRetries = this.#engine.maxRetries();
  }

  /** The token of a request, before its first attempt: always there, and without a delay. */
  acquireInitialToken(): StandardRetryToken {
    return new StandardRetryToken(this.#engine, this.#engine.acquire());
  }

  /**
   * The token of the next attempt, after one that failed.
   *
   * @throws RetryRefusal where there is none, TokenError for a token that another strategy handed out or that was used
   * before, OptionsError for a failure that is none.
   */
  refreshRetryToken(token: StandardRetryToken, failure: FailureInfo): StandardRetryToken {
    const info = pack(failure);
    const [request, retries, paid] = StandardRetryToken.take(token, this.#engine);
    const delay = callEngine(() => this.#engine.refresh(request, retries, paid, info));
    return new StandardRetryToken(this.#engine, request, retries + 1, delay, this.#engine.paid);
  }

  /**
   * Takes the token back after an attempt that succeeded.
   *
   * @throws TokenError as above.
   */
  recordSuccess(token: StandardRetryToken): void {
    this.#engine.recordSuccess(...StandardRetryToken.take(token, this.#engine));
  }

  /** Takes the token back of an attempt that is not made: what it took returns to the quota. */
  releaseToken(token: StandardRetryToken): void {
    this.#engine.release(...StandardRetryToken.take(token, this.#engine));
  }
}

/** A strategy that allows no retries: every request is made once. */
export class NoRetries implements RetryStrategy<never> {
  /** @throws RetryRefusal always: there is no other attempt than the first. */
  acquireInitialToken(): never {
    const [code, message] = retryText(NO_RETRIES);
    throw new RetryRefusal(message, code);
  }

  /** @throws TokenError always: it has no tokens. */
  refreshRetryToken(_token: RetryToken, _failure: FailureInfo): never {
    throw new TokenError("foreign_token");
  }

  /** @throws TokenError always: it has no tokens. */
  recordSuccess(_token: RetryToken): never {
    throw new TokenError("foreign_token");
  }
}

/** Returns the engine's quota of one that strategies share. */
function sharedQuota(quota: RetryQuota | undefined, { capacity, unlimited }: RetryOptions): EngineRetryQuota | undefined {
  if (quota === undefined || quota === null) return undefined;
  if (!(quota instanceof RetryQuota)) throw mustBe("quota", "a `RetryQuota`");
  if ((capacity ?? unlimited ?? undefined) !== undefined) {
    const message = "a `quota` has its own capacity: `capacity` and `unlimited` are not for it";
    throw new OptionsError({ code: "conflicting_options", option: "quota", message });
  }
  return RetryQuota.engineOf(quota).share();
}

function quotaOf(engine: EngineRetryStrategy): RetryQuota | undefined {
  const quota = engine.quota();
  return quota && new RetryQuota(quota as unknown as number);
}
