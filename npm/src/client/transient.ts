/**
 * Transient errors of a wait.
 *
 * @module
 */

import { callEngine } from "../engine/call.js";
import { EngineTransient } from "../engine/engine.js";
import { type ErrorMetadata, firstName } from "../values/error-metadata.js";
import { millis } from "../values/millis.js";
import { failureOf } from "./classification.js";

/** A transient error: a wait makes the call again unless an acceptor matches the error. */
export interface Transient {
  /** The earliest time of the next attempt, in milliseconds since the wait started; any time without it. */
  readonly notBeforeMs?: number | undefined;
  /** `false` if no answer came from the service: the connection failed, or the call took too long. `true` by default. */
  readonly answered?: boolean | undefined;
}

/**
 * Returns the classification of an error for a wait; `undefined` for one that waiting does not cure.
 *
 * @param own the caller's own classification; without it the engine classifies the error by its shape, else by its name.
 */
export function transientOf(own: Transient | false | null | undefined, error: unknown, metadata: ErrorMetadata, now: number): EngineTransient | undefined {
  if (own === false) return undefined;
  if (own === undefined || own === null) return classified(error, metadata, now);
  if (typeof own !== "object") throw new TypeError(`\`transient\` must be an object or false, got ${String(own)}`);
  const { notBeforeMs, answered } = own;
  return callEngine(() => new EngineTransient(millis(notBeforeMs ?? 0), answered ?? true));
}

function classified(error: unknown, metadata: ErrorMetadata, now: number): EngineTransient | undefined {
  const failure = failureOf(error, {}, firstName(metadata));
  const transient = failure.transient(now);
  failure.free();
  return transient;
}
