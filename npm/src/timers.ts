/**
 * Timers of the platform and of custom sleeps, and the turns of the event loop.
 *
 * @module
 */

/**
 * A custom sleep: returns a promise that resolves after the given number of milliseconds. The signal is aborted if the sleep is no
 * longer needed.
 */
export type Sleep = (ms: number, signal: AbortSignal) => PromiseLike<unknown>;

/** Stops a timer. Has no effect after the timer has fired. */
export type Stop = () => void;

/** Starts a timer that calls `fire` after the given number of milliseconds, or `fail` with an error of a custom sleep. */
export type StartTimer = (ms: number, fire: () => void, fail: (error: unknown) => void) => Stop;

// The platform's functions are stored when this module is loaded, so that mocked timers do not replace them: a turn of the event
// loop takes no time, and a test would never advance its clock for one. Sleeps do use mocked timers.
const { setImmediate: setSoon = setTimeout, clearImmediate: clearSoon = clearTimeout } = globalThis as {
  setImmediate?: (run: () => void) => unknown;
  clearImmediate?: (handle: never) => void;
};

/** The longest duration of `setTimeout`, which fires at once for a longer one. */
const LONGEST_MS = 2 ** 31 - 1;

/** Starts a timer of the platform. */
export const startTimer: StartTimer = (ms, fire) => {
  if (ms > LONGEST_MS) return startLongTimer(ms, fire);
  const timer = setTimeout(fire, ms);
  return () => clearTimeout(timer);
};

function startLongTimer(ms: number, fire: () => void): Stop {
  let stop = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    stop = startTimer(ms - LONGEST_MS, fire, () => {});
  }, LONGEST_MS);
  return () => stop();
}

/** Returns the timer of a custom sleep. Stopping it aborts the signal of the sleep. */
export function timerOf(sleep: Sleep): StartTimer {
  return (ms, fire, fail) => {
    const controller = new AbortController();
    let over = false;
    const end = (then: () => void): void => {
      if (over) return;
      over = true;
      then();
    };
    const slept = new Promise<unknown>((resolve) => resolve(sleep(ms, controller.signal)));
    slept.then(() => end(fire), (error: unknown) => end(() => fail(error)));
    return () => end(() => controller.abort());
  };
}

/** Calls `run` after all other code that is ready to run. */
export function runSoon(run: () => void): Stop {
  const handle = setSoon(run);
  return () => clearSoon(handle as never);
}

/** Returns a promise that resolves after all other code that is ready to run. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void runSoon(resolve));
}
