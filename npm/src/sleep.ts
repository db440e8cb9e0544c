/**
 * Sleeping by timers.
 *
 * @module
 */

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
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };
  return new Promise((resolve) => void (setImmediate ?? setTimeout)(resolve));
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
