/**
 * For the tests of programs that wait: a clock on which a wait of an hour takes no time.
 *
 * @module
 */

import { runSoon, type Stop, yieldToEventLoop } from "./driver/timers.js";

/**
 * A clock that stands still but for its sleeps: as soon as nothing else is ready to run, it jumps to the end of the
 * sleep that is over first. Times are in seconds.
 *
 * Give it to a wait as the option `clock`. Calls take no time on it, unless they `advance` it or `sleep` on it.
 *
 * @example
 * ```js
 * const clock = new FakeClock();
 * const outcome = await tableExists.wait(call, { maxWaitTime: 3600, clock });
 * assert.equal(clock.now, outcome.elapsed);
 * assert.equal(clock.sleeps.length, outcome.attempts - 1);
 * ```
 */
export class FakeClock {
  #now = 0;
  readonly #sleeps: number[] = [];
  #sleepers: Sleeper[] = [];
  #isRunning = false;

  /** The seconds that have passed since the clock was made. */
  get now(): number {
    return this.#now / SECOND;
  }

  /** Every sleep in seconds, in order: the pauses of waits and all others. */
  get sleeps(): readonly number[] {
    return [...this.#sleeps];
  }

  /**
   * Lets so many seconds pass at once, and wakes up those whose sleep is over by then: so a call takes its time, and so
   * a call that never answers reaches its deadline.
   */
  advance(seconds: number): void {
    this.#pass(this.#now + units(seconds));
  }

  /** Resolves after so many seconds on this clock; rejects with the signal's reason as soon as it is aborted. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    units(seconds);
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const abort = (): void => {
        stop();
        reject(signal?.reason);
      };
      const stop = this.startTimer(seconds, true, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /**
   * Calls `wake` after so many seconds. A timer that is not for a sleep lets no time pass by itself: for deadlines.
   *
   * @internal
   */
  startTimer(seconds: number, isSleep: boolean, wake: () => void): Stop {
    const sleeper = { at: this.#now + units(seconds), isSleep, wake };
    this.#sleepers.push(sleeper);
    if (isSleep) {
      this.#sleeps.push(seconds);
      void this.#run();
    }
    return () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    };
  }

  /** Jumps from sleep to sleep until there is none. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (await yieldToEventLoop(); this.#sleepers.some(({ isSleep }) => isSleep); await yieldToEventLoop()) {
      this.#pass(Math.min(...this.#sleepers.map(({ at }) => at)));
    }
    this.#isRunning = false;
  }

  /** Moves on to a time, past the ends of the sleeps until then. */
  #pass(to: number): void {
    const due = this.#sleepers.filter(({ at }) => at <= to).sort((one, other) => one.at - other.at);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > to);
    this.#now = to;
    // The answer of a call that is there at the same moment goes before its deadline.
    for (const { isSleep, wake } of due) isSleep ? wake() : runSoon(wake);
  }
}

/** The clock counts whole microseconds: sums of seconds would be a little off. */
const SECOND = 1_000_000;

interface Sleeper {
  readonly at: number;
  /** `true` if time passes by it. */
  readonly isSleep: boolean;
  readonly wake: () => void;
}

function units(seconds: number): number {
  if (typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)) return Math.round(seconds * SECOND);
  throw new RangeError(`a time must be a number of seconds, at least 0, got ${String(seconds)}`);
}
