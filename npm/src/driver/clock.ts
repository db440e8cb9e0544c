/**
 * The time of one wait or request, in milliseconds since it started.
 *
 * @module
 */

import { invalidOption } from "../checks.js";
import type { HostOptions } from "../options.js";
import { guarded, soon, startTimer, type StartTimer, type Stop, timerOf } from "./timers.js";

/** A caller's own sleep that returns before a tenth of its time has passed, this time at most, did not sleep: it may sleep in pieces. */
const SHORTEST_SLEEP_MS = 5;

/** The parts of a host's time. */
interface Time {
  /** Returns milliseconds since any moment. */
  readonly now: () => number;
  /** For pauses: time passes by it, on a virtual clock too. */
  readonly sleep: StartTimer;
  /** For the deadline of a call, whose answer goes first. */
  readonly alarm: StartTimer;
  /** For the deadline of a callback: time never passes by it. */
  readonly patience: StartTimer;
}

/** The host's clock and its timers. */
export class Clock {
  /** The timer of a call's deadline. */
  readonly alarm: StartTimer;
  /** The timer of a callback's deadline. */
  readonly patience: StartTimer;
  readonly #hostNow: () => number;
  readonly #sleep: StartTimer;
  readonly #startedAt: number;
  /** The time that was slept without the host's clock advancing. */
  #skipped = 0;
  #latest = 0;

  constructor(host: Pick<HostOptions<never>, "clock" | "sleep">) {
    const { now, sleep, alarm, patience } = timeOf(host);
    this.#hostNow = now;
    this.#sleep = sleep;
    this.alarm = alarm;
    this.patience = patience;
    this.#startedAt = now();
  }

  /** Returns the whole milliseconds since the start; never goes back. */
  now(): number {
    const elapsed = this.#elapsed();
    if (elapsed > this.#latest) this.#latest = elapsed;
    return this.#latest;
  }

  /**
   * Sleeps until a moment. A timer that fires early ends it early, and the machine returns the same pause again. One that fires
   * without the clock advancing, as in a test that mocks it, counts as slept: the rest of the time is skipped.
   */
  sleepUntil(moment: number, ended: () => void, failed: (error: unknown) => void): Stop {
    const before = this.now();
    const fired = (): void => {
      if (!this.isMocked(this.#sleep, before, moment)) return ended();
      this.skipTo(moment);
      // Sleeps that take no time must not keep everything else from running.
      soon(ended);
    };
    return this.#sleep(Math.max(0, moment - before), guarded(fired, failed), failed);
  }

  /** Returns whether a timer from `before` to `until` has fired without the host's clock advancing. */
  isMocked(timer: StartTimer, before: number, until: number): boolean {
    const [passed, asked] = [this.now() - before, until - before];
    // The machine's own timers fire a few milliseconds early at most.
    return passed < (timer === startTimer ? asked / 2 : Math.min(asked / 10, SHORTEST_SLEEP_MS));
  }

  /** Lets time pass on this clock, which the host's has not counted. */
  skipTo(moment: number): void {
    this.#skipped += moment - this.#elapsed();
  }

  #elapsed(): number {
    // Whole microseconds first: differences of floats are a little off.
    return Math.floor(Math.round((this.#hostNow() - this.#startedAt) * 1000) / 1000) + this.#skipped;
  }
}

/** The time that the caller brings, or the machine's. */
function timeOf({ clock, sleep }: Pick<HostOptions<never>, "clock" | "sleep">): Time {
  if (typeof clock === "object" && clock !== null) {
    const alarm: StartTimer = (ms, fire) => clock.startTimer(ms / 1000, false, fire);
    return { now: () => clock.now * 1000, sleep: (ms, fire) => clock.startTimer(ms / 1000, true, fire), alarm, patience: alarm };
  }
  const now = clock == null ? () => performance.now() : () => checkedNow(clock());
  if (sleep == null) return { now, sleep: startTimer, alarm: startTimer, patience: startTimer };
  const own = timerOf(sleep);
  // A caller's own sleep may be one that only moves a clock on: the answer of a call goes first.
  const alarm: StartTimer = (ms, fire, fail) => {
    let stop = soon(() => (stop = own(ms, fire, fail)));
    return () => stop();
  };
  return { now, sleep: own, alarm, patience: startTimer };
}

function checkedNow(now: unknown): number {
  if (Number.isFinite(now)) return now as number;
  throw invalidOption("clock", `\`clock\` must give a finite number of milliseconds, got ${String(now)}`);
}
