/**
 * Promises that callbacks return.
 *
 * @module
 */

/** Returns `true` if a value is a promise or another object with a method `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  const mayHave = (typeof value === "object" && value !== null) || typeof value === "function";
  return mayHave && typeof (value as { then?: unknown }).then === "function";
}

/**
 * Returns the result of a callback.
 *
 * @throws TypeError if it is a promise. A rejection of the promise is ignored, because an unhandled rejection would end the
 * process.
 */
export function rejectPromise<T>(option: string, value: T): T {
  if (!isThenable(value)) return value;
  value.then(undefined, () => {});
  throw new TypeError(`\`${option}\` must not return a promise`);
}
