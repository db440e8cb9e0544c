/**
 * The computation of delays, for use without a wait.
 *
 * @module
 */

import { delay as engineDelay } from "./engine/engine.js";
import { checkObject } from "./input/checks.js";
import { inSlots } from "./input/engine-call.js";

/** The input of {@link delay}. Times are in seconds. */
export interface DelayInput {
  /** The number of calls made so far, at least 1. */
  readonly attempt: number;
  /** The time until the wait's deadline, in seconds, at least 0. */
  readonly remaining: number;
  /** The minimum delay between two attempts, in seconds, at most `maxDelay`. */
  readonly minDelay: number;
  /** The maximum delay between two attempts, in seconds. */
  readonly maxDelay: number;
  /** The random number that determines the jitter, at least 0 and less than 1. */
  readonly random: number;
}

/** The delay before the next attempt. */
export interface Delay {
  /** The delay in seconds. */
  readonly delay: number;
  /** `true` if the next attempt is the last one that fits before the deadline. */
  readonly last: boolean;
}

/**
 * Returns the delay before the next attempt, or `undefined` if no further attempt fits into the remaining time. It implements
 * the specification's [waiter retries](https://smithy.io/2.0/additional-specs/waiters.html#waiter-retries).
 *
 * @param input the number of calls so far, the remaining time and the delays, in seconds, and a random number.
 * @throws OptionsError if a member of the input is missing, has the wrong type or is out of range.
 */
export function delay(input: DelayInput): Delay | undefined {
  checkObject(input, "the input");
  const next = inSlots((slot) => engineDelay(slot) as [number, boolean] | undefined, input);
  return next && { delay: next[0] / 1000, last: next[1] };
}
