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

/** Refuses a promise of what is needed at once; that it is rejected later must not end the process. */
export function atOnce<T>(option: string, value: T): T {
  if (!isThenable(value)) return value;
  value.then(undefined, () => {});
  throw new TypeError(`\`${option}\` must answer at once, got a promise`);
}
