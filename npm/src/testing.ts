/**
 * For the tests of programs that wait: a clock on which a wait of an hour takes no time.
 *
 * @module
 */

import { turn } from "./sleep.js";

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
  #running = false;

  /** The seconds that have passed since the clock was made. */
  get now(): number {
    return this.#now / SECOND;
  }

  /** Every sleep that was asked for, in seconds and in order; the pauses of a wait, and whatever else slept on it. */
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

  /** Resolves after so many seconds on this clock; rejects with the signal's reason as soon as it fires. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    const asleep = this.#asleep({ seconds, signal, passes: true });
    this.#sleeps.push(seconds);
    void this.#run();
    return asleep;
  }

  /**
   * The same, but lets no time pass by itself: for deadlines.
   *
   * @internal
   */
  alarm(seconds: number, signal?: AbortSignal): Promise<void> {
    return this.#asleep({ seconds, signal, passes: false });
  }

  #asleep({ seconds, signal, passes }: Nap): Promise<void> {
    const at = this.#now + units(seconds);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper = { at, passes, wake };
      if (signal?.aborted === true) return stop();
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Goes from sleep to sleep, as long as anybody sleeps. */
  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (await turn(); this.#sleepers.some(({ passes }) => passes); await turn()) {
      this.#pass(Math.min(...this.#sleepers.map(({ at }) => at)));
    }
    this.#running = false;
  }

  /** Moves on to a time, past the ends of the sleeps until then. */
  #pass(to: number): void {
    const due = this.#sleepers.filter(({ at }) => at <= to).sort((one, other) => one.at - other.at);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > to);
    this.#now = to;
    for (const { wake } of due) wake();
  }
}

/** The clock counts whole microseconds: sums of seconds would be a little off. */
const SECOND = 1_000_000;

interface Nap {
  readonly seconds: number;
  readonly signal: AbortSignal | undefined;
  /** Whether it lets the time pass. */
  readonly passes: boolean;
}

interface Sleeper {
  readonly at: number;
  readonly passes: boolean;
  readonly wake: () => void;
}

function units(seconds: number): number {
  if (typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)) return Math.round(seconds * SECOND);
  throw new RangeError(`a time must be a number of seconds, at least 0, got ${String(seconds)}`);
}
