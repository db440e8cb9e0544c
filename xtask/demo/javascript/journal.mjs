// What a wait does, told to the parent as it happens. All times are milliseconds.

import { say } from "./control.mjs";

export class Journal {
  #maxWait;
  #started = 0;

  constructor(maxWait) {
    this.#maxWait = maxWait;
  }

  /** The call, told of when it starts. */
  watch(call) {
    return (attempt) => {
      this.#started = millis(this.#maxWait - attempt.remaining);
      say({ event: "call", attempt: attempt.number });
      return call(attempt);
    };
  }

  /** An attempt that has just ended. */
  attempt({ attempt, state, acceptor, delay, nextIsLast, remaining, elapsed, response, error }) {
    say({
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

  /** How the wait ends. */
  async end(wait) {
    try {
      this.#say(await wait, "success");
    } catch (failure) {
      if (!failure.code) throw failure;
      this.#say(failure, failure.code);
    }
  }

  #say(report, code) {
    const { acceptor, acceptorText, attempts, elapsed } = report;
    const explanation = report.explain?.();
    say({ event: "end", code, acceptor, acceptorText, attempts, elapsed: millis(elapsed), explanation });
  }
}

const millis = (seconds) => (seconds == null ? undefined : Math.round(seconds * 1000));
