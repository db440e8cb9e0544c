/**
 * The time of one wait or request, in milliseconds since it started.
 *
 * @module
 */

import { hasSlept } from "../engine/engine.js";
import { invalidOption } from "../input/checks.js";
import type { HostOptions } from "../options.js";
import { runSoon, startTimer, type StartTimer, timerOf } from "../timers.js";
import { displayInput } from "../values/display.js";

/**
 * The clock and the timers of a host. If the first timer of a list fires without time having passed, the next timer of the list
 * replaces it.
 */
interface Time {
  /** Returns the milliseconds since an arbitrary moment. */
  readonly now: () => number;
  /** The timers of pauses. A virtual clock advances for them. */
  readonly pause: readonly StartTimer[];
  /** The timers of the deadlines of calls. */
  readonly call: readonly StartTimer[];
  /** The timers of the deadlines of callbacks. A virtual clock never advances for them. */
  readonly callback: readonly StartTimer[];
}

/** The host's clock and its timers. */
export class Clock {
  readonly timers: Omit<Time, "now">;
  /** The start by the host's clock, in milliseconds. */
  readonly startedAt: number;
  readonly #hostNow: () => number;
  /** The duration of the sleeps during which the host's clock did not advance. */
  #skipped = 0;
  #latest = 0;

  /** `startedAt` is the start by the host's clock, in milliseconds; the current time by default. */
  constructor(host: Pick<HostOptions<never>, "clock" | "sleep">, startedAt?: number) {
    const { now, ...timers } = timeOf(host);
    this.timers = timers;
    this.#hostNow = now;
    this.startedAt = startedAt ?? now();
  }

  /** Returns the whole milliseconds since the start. The result never decreases. */
  now(): number {
    const elapsed = this.#elapsed();
    // A custom clock, such as `Date.now`, can go backwards. Rule: docs/rules.md#deadline
    if (elapsed > this.#latest) this.#latest = elapsed;
    return this.#latest;
  }

  /** Advances this clock to a time that the host's clock has not reached. */
  skipTo(moment: number): void {
    this.#skipped += moment - this.#elapsed();
    // Whatever the host's clock returns next: it may go back at each reading.
    this.#latest = Math.max(this.#latest, moment);
  }

  #elapsed(): number {
    // Rounding to whole microseconds removes the rounding errors of floating-point differences.
    return Math.floor(Math.round((this.#hostNow() - this.startedAt) * 1000) / 1000) + this.#skipped;
  }
}

/** Returns `true` if a timer fired although the host's clock has hardly advanced, as in a test that mocks timers. */
export function isMocked(timer: StartTimer, passedMs: number, ms: number): boolean {
  // The platform's timers fire at most a few milliseconds early, and never sleep in pieces. A test that mocks them may take time
  // between their ticks. Rule: docs/rules.md#mocked-sleeps
  return timer === startTimer ? passedMs < ms / 2 : !hasSlept(passedMs, ms);
}

/** Returns the caller's clock and timers, or those of the platform. */
function timeOf({ clock, sleep }: Pick<HostOptions<never>, "clock" | "sleep">): Time {
  if (typeof clock === "object" && clock !== null) {
    const timers = (isSleep: boolean): StartTimer[] => [(ms, fire) => clock.startTimer(ms / 1000, isSleep, fire)];
    return { now: () => clock.now * 1000, pause: timers(true), call: timers(false), callback: timers(false) };
  }
  const now = clock == null ? () => performance.now() : () => checkNow(clock());
  const callback = [startTimer];
  if (sleep == null) return { now, pause: callback, call: callback, callback };
  const custom = timerOf(sleep);
  // A custom sleep may only advance a mocked clock. It starts later, so that a call that is ready already is not timed out.
  const call: StartTimer = (ms, fire, fail) => {
    let stop = runSoon(() => (stop = custom(ms, fire, fail)));
    return () => stop();
  };
  // A custom sleep may also return at once while the call takes real time; the platform's timer then limits the call.
  return { now, pause: [custom], call: [call, startTimer], callback };
}

function checkNow(now: unknown): number {
  // With NaN no comparison is true, and the wait would never end.
  if (Number.isFinite(now)) return now as number;
  throw invalidOption("clock", `\`clock\` must return a finite number of milliseconds, got ${displayInput(now)}`);
}
