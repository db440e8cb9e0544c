/**
 * Timers: the machine's, those of a caller's own sleep, and the turns of the event loop.
 *
 * @module
 */

/** Resolves after that many milliseconds; the signal is aborted if the sleep is interrupted. */
export type Sleep = (ms: number, signal: AbortSignal) => PromiseLike<unknown>;

/** Stops a timer; harmless after it has fired. */
export type Stop = () => void;

/** Calls `fire` after so many milliseconds, or `fail` with an error of the caller's own sleep. */
export type StartTimer = (ms: number, fire: () => void, fail: (error: unknown) => void) => Stop;

/**
 * The platform's own at the time this module is loaded. A turn takes no time, so a test that mocks timers has none to let pass
 * and would wait for it forever. Sleeps do follow mocked timers.
 */
const { setImmediate: setSoon = setTimeout, clearImmediate: clearSoon = clearTimeout } = globalThis as {
  setImmediate?: (run: () => void) => unknown;
  clearImmediate?: (handle: never) => void;
};

/** The longest time that `setTimeout` takes: with a longer one it fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's timer. */
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

/** The timer of a caller's own sleep, whose signal is aborted if it is stopped. */
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

/** Calls `run` after everything else that is ready to run. */
export function runSoon(run: () => void): Stop {
  const handle = setSoon(run);
  return () => clearSoon(handle as never);
}

/** Resolves after everything else that is ready to run. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void runSoon(resolve));
}
