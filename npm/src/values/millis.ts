/**
 * Arguments of the engine that are times in milliseconds.
 *
 * @module
 */

/** Returns a number unchanged and NaN for any other value, because the wasm glue would convert a string to a number. */
export function millis(time: unknown): number {
  return typeof time === "number" ? time : Number.NaN;
}

/** Returns a time as `millis` does, or `undefined` if it is absent. */
export function optionalMillis(time: unknown): number | undefined {
  return time === undefined || time === null ? undefined : millis(time);
}
