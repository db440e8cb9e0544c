/**
 * How a wait tells the time and lets it pass.
 *
 * @module
 */

import { invalidOption } from "./checks.js";
import type { HostOptions, Sleep } from "./options.js";
import { sleep, turn } from "./sleep.js";

/** The time of one wait, in milliseconds. */
export interface Time {
  now(): number;
  /** Lets so much of it pass. */
  sleep: Sleep;
  /** Resolves when so much of it has passed. */
  alarm: Sleep;
  /** The same, and lets none of it pass: not even where a sleep of the caller's may do so at once. */
  patience: Sleep;
  /** Whether an alarm may let it pass faster than anything else is done. */
  readonly hurries: boolean;
}

/** The time that the caller gives, else the machine's. */
export function timeOf({ clock, sleep: given }: Pick<HostOptions<never>, "clock" | "sleep">): Time {
  if (typeof clock === "object" && clock !== null) {
    const alarm: Sleep = (ms, signal) => clock.alarm(ms / 1000, signal);
    return {
      // Whole microseconds, as the clock counts them.
      now: () => Math.round(clock.now * 1_000_000) / 1000,
      sleep: (ms, signal) => clock.sleep(ms / 1000, signal),
      alarm,
      patience: alarm,
      hurries: false,
    };
  }
  const passing: Sleep = given ?? sleep;
  const now = clock == null ? () => performance.now() : () => checkedNow(clock());
  return { now, sleep: passing, alarm: passing, patience: sleep, hurries: passing !== sleep };
}

function checkedNow(now: unknown): number {
  if (Number.isFinite(now)) return now as number;
  throw invalidOption("clock", `\`clock\` must give a finite number of milliseconds, got ${String(now)}`);
}

/** Whole milliseconds since it was made. */
export class Stopwatch {
  readonly #time: Time;
  readonly #began: number;

  constructor(time: Time) {
    this.#time = time;
    this.#began = time.now();
  }

  elapsed(): number {
    return Math.max(0, Math.floor(this.#time.now() - this.#began));
  }

  /** Sleeps; a sleep that takes no time must not keep everything else from running. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const before = this.elapsed();
    await this.#time.sleep(ms, signal);
    if (this.elapsed() === before) await turn();
  }

  /** Resolves once so much time has passed, by the clock: a timer may fire early. */
  async reach(deadline: number, signal: AbortSignal): Promise<void> {
    // A call that has its answer at hand goes first: where it held the thread past the deadline, and where a sleep of the
    // caller's may be one that only moves a clock on.
    if (deadline <= this.elapsed() || this.#time.hurries) await turn();
    await this.#until(deadline, this.#time.alarm, signal);
  }

  /** The same for what is not to be hurried. */
  async outlast(deadline: number, signal: AbortSignal): Promise<void> {
    if (deadline <= this.elapsed()) await turn();
    await this.#until(deadline, this.#time.patience, signal);
  }

  async #until(deadline: number, alarm: Sleep, signal: AbortSignal): Promise<void> {
    for (let rest = deadline - this.elapsed(); rest > 0 && !signal.aborted; rest = deadline - this.elapsed()) {
      const before = this.elapsed();
      await alarm(rest, signal);
      if (this.elapsed() === before) await turn();
    }
  }
}
