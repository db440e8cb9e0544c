/**
 * A fake clock for the tests of programs that wait.
 *
 * @module
 */

import { runSoon, type Stop, yieldToEventLoop } from "./timers.js";

/**
 * A clock for tests, on which a wait of an hour takes no real time. It advances only for sleeps: as soon as no other code is ready
 * to run, it jumps to the end of the earliest sleep. Times are in seconds.
 *
 * Pass it to a wait as the option `clock`. Calls take no time on it unless they `advance` it or `sleep` on it.
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

  /** The seconds since the clock was created. */
  get now(): number {
    return this.#now / SECOND;
  }

  /** The durations of all sleeps so far, in seconds, in the order in which they started. They include the pauses of waits. */
  get sleeps(): readonly number[] {
    return [...this.#sleeps];
  }

  /**
   * Advances the clock at once and ends every sleep that is over by then. A call can use it to take time, or to reach its deadline
   * if it never resolves.
   *
   * @param seconds the duration in seconds, at least 0.
   * @throws RangeError if the duration is negative, infinite or not a number.
   */
  advance(seconds: number): void {
    this.#pass(this.#now + units(seconds));
  }

  /**
   * Returns a promise that resolves after a duration on this clock, or rejects with the signal's reason when it is aborted.
   *
   * @param seconds the duration in seconds, at least 0.
   * @throws RangeError if the duration is negative, infinite or not a number.
   */
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
   * Calls `wake` after a duration in seconds. The clock does not advance for a timer that is not a sleep, such as a deadline.
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

  /** Jumps to the end of the earliest sleep until no sleep is left. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (await yieldToEventLoop(); this.#sleepers.some(({ isSleep }) => isSleep); await yieldToEventLoop()) {
      this.#pass(Math.min(...this.#sleepers.map(({ at }) => at)));
    }
    this.#isRunning = false;
  }

  /** Advances the clock to a time and ends the sleeps and timers until then. */
  #pass(to: number): void {
    const due = this.#sleepers.filter(({ at }) => at <= to).sort((one, other) => one.at - other.at);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > to);
    this.#now = to;
    // The result of a call that is ready at the same moment is handled before the deadline of the call.
    for (const { isSleep, wake } of due) isSleep ? wake() : runSoon(wake);
  }
}

/** The microseconds of a second. The clock counts whole microseconds, because sums of fractional seconds have rounding errors. */
const SECOND = 1_000_000;

interface Sleeper {
  readonly at: number;
  /** `true` if the clock advances for it. */
  readonly isSleep: boolean;
  readonly wake: () => void;
}

function units(seconds: number): number {
  if (typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)) return Math.round(seconds * SECOND);
  throw new RangeError(`a time must be a number of seconds, at least 0, got ${String(seconds)}`);
}
