// What a wait does, told to the parent as it happens. All times are milliseconds.

import { say } from "./control.mjs";

export class Journal {
  #clock;
  #began;
  #started = 0;

  constructor(clock) {
    this.#clock = clock;
    this.#began = clock();
  }

  /** The call, told of when it starts. */
  watch(call) {
    return (attempt) => {
      this.#started = this.#elapsed();
      say({ event: "call", attempt: attempt.number });
      return call(attempt);
    };
  }

  /** An attempt that has just ended. */
  attempt({ attempt, state, acceptor, delay, last, remaining, response, error }) {
    const started = this.#started;
    say({
      event: "attempt",
      attempt,
      started,
      took: this.#elapsed() - started,
      seen: error?.name ?? response?.Table?.TableStatus,
      state,
      acceptor,
      delay: millis(delay),
      last,
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

  #say(ending, code) {
    const { acceptor, acceptorText, attempts, elapsed, message } = ending;
    const explanation = ending.explain?.();
    say({ event: "end", code, acceptor, acceptorText, attempts, elapsed: millis(elapsed), message, explanation });
  }

  #elapsed() {
    return Math.floor(this.#clock() - this.#began);
  }
}

const millis = (seconds) => (seconds == null ? undefined : Math.round(seconds * 1000));
