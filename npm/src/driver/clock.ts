/**
 * The time of one wait or request, in milliseconds since it started.
 *
 * @module
 */

import type { HostOptions } from "../options.js";
import { invalidOption } from "../values/checks.js";
import { runSoon, startTimer, type StartTimer, timerOf } from "./timers.js";

/** A caller's own sleep that returns before a tenth of its time has passed, this time at most, did not sleep: it may sleep in pieces. */
const SHORTEST_SLEEP_MS = 5;

/**
 * The parts of a host's time. Where there are several timers, the next one takes over from one that takes no time.
 */
interface Time {
  /** Returns milliseconds since any moment. */
  readonly now: () => number;
  /** For pauses: time passes by it, on a virtual clock too. */
  readonly pause: readonly StartTimer[];
  /** For the deadline of a call. */
  readonly call: readonly StartTimer[];
  /** For the deadline of a callback: time never passes by it. */
  readonly callback: readonly StartTimer[];
}

/** The host's clock and its timers. */
export class Clock {
  readonly timers: Omit<Time, "now">;
  readonly #hostNow: () => number;
  readonly #startedAt: number;
  /** The time that was slept without the host's clock advancing. */
  #skipped = 0;
  #latest = 0;

  constructor(host: Pick<HostOptions<never>, "clock" | "sleep">) {
    const { now, ...timers } = timeOf(host);
    this.timers = timers;
    this.#hostNow = now;
    this.#startedAt = now();
  }

  /** Returns the whole milliseconds since the start; never goes back. */
  now(): number {
    const elapsed = this.#elapsed();
    if (elapsed > this.#latest) this.#latest = elapsed;
    return this.#latest;
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

/** Returns whether a timer has fired without the host's clock advancing, as in a test that mocks it. */
export function isMocked(timer: StartTimer, passedMs: number, ms: number): boolean {
  // The machine's own timers fire a few milliseconds early at most.
  return passedMs < (timer === startTimer ? ms / 2 : Math.min(ms / 10, SHORTEST_SLEEP_MS));
}

/** The time that the caller brings, or the machine's. */
function timeOf({ clock, sleep }: Pick<HostOptions<never>, "clock" | "sleep">): Time {
  if (typeof clock === "object" && clock !== null) {
    const timers = (isSleep: boolean): StartTimer[] => [(ms, fire) => clock.startTimer(ms / 1000, isSleep, fire)];
    return { now: () => clock.now * 1000, pause: timers(true), call: timers(false), callback: timers(false) };
  }
  const now = clock == null ? () => performance.now() : () => checkNow(clock());
  const callback = [startTimer];
  if (sleep == null) return { now, pause: callback, call: callback, callback };
  const own = timerOf(sleep);
  // A caller's own sleep may be one that only moves a clock on: the answer of a call goes first.
  const call: StartTimer = (ms, fire, fail) => {
    let stop = runSoon(() => (stop = own(ms, fire, fail)));
    return () => stop();
  };
  // Or one that takes no time although the call takes its time.
  return { now, pause: [own], call: [call, startTimer], callback };
}

function checkNow(now: unknown): number {
  if (Number.isFinite(now)) return now as number;
  throw invalidOption("clock", `\`clock\` must give a finite number of milliseconds, got ${String(now)}`);
}
