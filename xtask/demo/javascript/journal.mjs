// Reports the progress of a wait to the parent. All times are in milliseconds.

import { send } from "./control.mjs";

export class Journal {
  #maxWait;
  #started = 0;

  constructor(maxWait) {
    this.#maxWait = maxWait;
  }

  /** Wraps a call to report its start. */
  watch(call) {
    return (attempt) => {
      this.#started = millis(this.#maxWait - attempt.remaining);
      send({ event: "call", attempt: attempt.number });
      return call(attempt);
    };
  }

  /** Reports an attempt that has ended. */
  attempt({ attempt, state, acceptor, delay, nextIsLast, remaining, elapsed, response, error }) {
    send({
      event: "attempt",
      attempt,
      started: this.#started,
      took: millis(elapsed) - this.#started,
      seen: error?.name ?? response?.Table?.TableStatus,
      state,
      acceptor,
      delay: millis(delay),
      nextIsLast,
      remaining: millis(remaining),
    });
  }

  /** Reports the end of the wait. */
  async end(wait) {
    try {
      this.#reportEnd(await wait, "success");
    } catch (failure) {
      if (!failure.code) throw failure;
      this.#reportEnd(failure, failure.code);
    }
  }

  #reportEnd(report, code) {
    const { acceptor, acceptorText, attempts, elapsed } = report;
    const explanation = report.explain?.();
    send({ event: "end", code, acceptor, acceptorText, attempts, elapsed: millis(elapsed), explanation });
  }
}

const millis = (seconds) => (seconds == null ? undefined : Math.round(seconds * 1000));
