/**
 * Sleeping by timers.
 *
 * @module
 */

/**
 * As the platform has it when this module is loaded: a turn takes no time, so that who mocks the timers of a test has
 * none to let pass, and would wait for it for ever. Sleeps do follow the mocked ones: their time is the test's to pass.
 */
const soon: (run: () => void) => unknown =
  (globalThis as { setImmediate?: (run: () => void) => unknown }).setImmediate ?? setTimeout;

/** The longest time that a timer takes: a longer one fires at once. */
const LONGEST = 2 ** 31 - 1;

/** Sleeps for so many milliseconds; rejects with the signal's reason as soon as it fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let rest = ms;
  for (; rest > LONGEST; rest -= LONGEST) await timer(LONGEST, signal);
  await timer(rest, signal);
}

/** Lets everything else run that is ready to. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void soon(resolve));
}

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(started);
      reject(signal.reason);
    };
    const started = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
