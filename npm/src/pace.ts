/**
 * The pace of a wait: the rule for the delays between its attempts.
 *
 * @module
 */

/** The rule for the delays: exponential backoff with jitter, which is the specification's rule, or one of the two below. */
export type Pace = "specification" | FixedPace | ProportionalPace;

/** A fixed delay. */
export interface FixedPace {
  /** The delay, in seconds, more than 0. */
  readonly every: number;
}

/** Delays that grow with the time waited. */
export interface ProportionalPace {
  /** The part of the time waited that a delay is, more than 0 and at most 1. */
  readonly proportional: number;
}

/**
 * Returns the pace with the same delay each time, instead of the min and max delay.
 *
 * @param seconds the delay, more than 0.
 */
export function every(seconds: number): FixedPace {
  return { every: seconds };
}

/**
 * Returns the pace whose delays are a part of the time waited so far, within the min and max delay: `proportional(0.1)` notices a
 * change no later than a tenth of the time that it took. Jitter makes a delay shorter by up to a tenth.
 *
 * @param part more than 0 and at most 1.
 */
export function proportional(part: number): ProportionalPace {
  return { proportional: part };
}
