/**
 * Times on their way to the engine.
 *
 * @module
 */

/** Passes numbers only: the engine would read a text as one. */
export function millis(time: unknown): number {
  return typeof time === "number" ? time : Number.NaN;
}

/** Passes an absent time on. */
export function optionalMillis(time: unknown): number | undefined {
  return time === undefined || time === null ? undefined : millis(time);
}
