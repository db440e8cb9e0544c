/**
 * The rate at which fleets and waits may call.
 *
 * @module
 */

import { EngineRateLimit } from "./engine/engine.js";
import { callEngine, inSlots } from "./input/engine-call.js";
import { rejectFunctions } from "./input/engine-options.js";
import { millis } from "./values/millis.js";

/**
 * The rate at which the fleets and the waits of a process may call, in calls per second.
 *
 * Whoever asks first calls first, so that no wait calls twice before another one that is due has called once. A throttled call lowers
 * the rate by 30 %, and it recovers by 10 % of the limit in each second. Pass one limit to several fleets and waits that call the same
 * service. See docs/rules.md#rate-limit.
 *
 * @example
 * ```js
 * const limit = new RateLimit(5);
 * console.log(limit.reserve(0), limit.reserve(0)); // 0 200
 * ```
 */
export class RateLimit {
  /** The limit in calls per second. */
  readonly rate: number;
  readonly #engine: EngineRateLimit;

  /**
   * Creates a limit.
   *
   * @param rate the limit in calls per second, from 0.001 to 1000; 5 by default.
   * @throws OptionsError if the rate is another value.
   */
  constructor(rate?: number) {
    rejectFunctions({ rate });
    this.#engine = inSlots((options) => new EngineRateLimit(options), { rate });
    this.rate = this.#engine.rate;
  }

  /**
   * Takes the next free time of a call and returns it. The call may start then, and not earlier. Fleets and waits do this themselves.
   *
   * @param nowMs the current time in milliseconds, on the clock of all users of the limit. That of fleets and waits is `performance.now`.
   * @throws StateError if the time is not from 0 to 2^53 - 1.
   */
  reserve(nowMs: number): number {
    return callEngine(() => this.#engine.reserve(millis(nowMs)));
  }

  /**
   * Lowers the rate after the service throttled a call. Fleets and waits do this themselves.
   *
   * @param nowMs the current time in milliseconds, as for `reserve`.
   * @throws StateError if the time is not from 0 to 2^53 - 1.
   */
  throttle(nowMs: number): void {
    callEngine(() => this.#engine.throttle(millis(nowMs)));
  }

  /** @internal */
  get engine(): EngineRateLimit {
    return this.#engine;
  }
}
