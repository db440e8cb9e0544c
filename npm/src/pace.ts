/**
 * The pace of a wait: the rule for the delays between its attempts.
 *
 * @module
 */

/**
 * The rule for the delays: `"specification"` is exponential backoff with jitter. `"doubling"` doubles each delay from `minDelay` to
 * `maxDelay` and shortens it by up to a tenth. `every` and `proportional` return the others. The specification defines only the first. See docs/rules.md#pace.
 */
export type Pace = "doubling" | "specification" | FixedPace | ProportionalPace;

/** A fixed delay. */
export interface FixedPace {
  /** The delay, in seconds, more than 0. */
  readonly every: number;
}

/** Delays that grow with the elapsed time. */
export interface ProportionalPace {
  /** The ratio of a delay to the elapsed time, more than 0 and at most 1. */
  readonly proportional: number;
}

/**
 * Returns a pace with a fixed delay. It cannot be combined with `minDelay` or `maxDelay`.
 *
 * An invalid delay is reported by the wait that receives the pace, as an `OptionsError`.
 *
 * @param seconds the delay in seconds, more than 0.
 */
export function every(seconds: number): FixedPace {
  return { every: seconds };
}

/**
 * Returns a pace with delays proportional to the elapsed time, between `minDelay` and `maxDelay`. With `proportional(0.1)`, a wait
 * notices a change that took an hour within six minutes. Jitter shortens a delay by up to a tenth.
 *
 * An invalid ratio is reported by the wait that receives the pace, as an `OptionsError`.
 *
 * @param part the ratio of a delay to the elapsed time, more than 0 and at most 1.
 */
export function proportional(part: number): ProportionalPace {
  return { proportional: part };
}
