/**
 * The rule of delays on its own.
 *
 * @module
 */

import { inSlots } from "./engine/call.js";
import { delay as engineDelay } from "./engine/engine.js";
import { checkObject } from "./values/checks.js";

/** What a delay is computed from. */
export interface DelayInput {
  /** The number of calls already made, from 1. */
  readonly attempt: number;
  /** The time until the wait's deadline, in seconds, at least 0. */
  readonly remaining: number;
  /** The least delay between two attempts, in seconds, at most `maxDelay`. */
  readonly minDelay: number;
  /** The greatest delay between two attempts, in seconds. */
  readonly maxDelay: number;
  /** The draw, at least 0 and less than 1. */
  readonly random: number;
}

/** The pause before the next attempt. */
export interface Delay {
  /** How long, in seconds. */
  readonly delay: number;
  /** Whether no further attempt fits after the next one. */
  readonly last: boolean;
}

/**
 * The delay before the next attempt; `undefined` where no further attempt fits. The rule is the specification's
 * [waiter retries](https://smithy.io/2.0/additional-specs/waiters.html#waiter-retries).
 *
 * @throws OptionsError where the input is out of range.
 */
export function delay(input: DelayInput): Delay | undefined {
  checkObject(input, "what a delay is computed from");
  const next = inSlots((slot) => engineDelay(slot) as [number, boolean] | undefined, input);
  return next && { delay: next[0] / 1000, last: next[1] };
}
