/**
 * A retry strategy inside a wait: asked about errors that no acceptor matches.
 *
 * @module
 */

import { unpacked } from "./failure-info.js";
import { withPause } from "./kernel.js";
import { classified } from "./reading.js";
import { Held, isNo } from "./retry-token.js";

/** A strategy, and the token of the attempts since the newest one that a response or an acceptor decided. */
export class Transients extends Held {
  /** Takes a step for an error. What the strategy's own code throws, other than its no, is thrown after it. */
  asked<T>(error: unknown, step: () => T): T {
    let problem: { readonly error: unknown } | undefined;
    const pause = (): number | string => {
      try {
        // A wait only looks: its calls may be repeated without harm.
        return this.refresh(unpacked(classified(error, { idempotent: true })));
      } catch (thrown) {
        if (isNo(thrown)) return thrown.message;
        problem = { error: thrown };
        return "";
      }
    };
    const taken = withPause(pause, step);
    if (problem !== undefined) throw problem.error;
    return taken;
  }
}
