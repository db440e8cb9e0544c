/**
 * Promises that the caller's own functions give.
 *
 * @module
 */

/** Whether a value is a promise, of whichever making. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  const mayHave = (typeof value === "object" && value !== null) || typeof value === "function";
  return mayHave && typeof (value as { then?: unknown }).then === "function";
}

/** Throws if a callback returned a promise. Its rejection is ignored: it must not end the process. */
export function rejectPromise<T>(option: string, value: T): T {
  if (!isThenable(value)) return value;
  value.then(undefined, () => {});
  throw new TypeError(`\`${option}\` must answer at once, got a promise`);
}
