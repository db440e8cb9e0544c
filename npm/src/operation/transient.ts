/**
 * The HTTP status of errors, and transient errors of waits.
 *
 * @module
 */

import { EngineTransient } from "../engine/engine.js";
import { callEngine } from "../input/engine-call.js";
import { type ErrorMetadata, firstName } from "../values/error-metadata.js";
import { millis } from "../values/millis.js";
import { failureOf } from "./classification.js";

/**
 * The classification of a transient error. A wait makes the call again after such an error unless an acceptor matches it. See
 * docs/rules.md#transient-errors.
 */
export interface Transient {
  /** The earliest time of the next attempt, in milliseconds since the wait started; any time by default. */
  readonly notBeforeMs?: number | undefined;
  /**
   * `false` if the service did not respond, because the connection failed or the call timed out.
   *
   * @default true
   */
  readonly answered?: boolean | undefined;
}

/** The HTTP status of an error, 0 if it has none, and its classification for a wait, `undefined` if it is not transient. */
export type Facts = readonly [status: number, transient: EngineTransient | undefined];

/**
 * Returns the status of an error and its classification for a wait.
 *
 * @param custom the caller's classification; by default the engine classifies the error by its members, or else by its name.
 */
export function factsOf(custom: Transient | false | null | undefined, error: unknown, metadata: ErrorMetadata, now: number): Facts {
  const isCustom = custom !== undefined && custom !== null;
  const own = isCustom ? customTransient(custom) : undefined;
  const failure = failureOf(error, {}, firstName(metadata));
  const facts = [failure.status, isCustom ? own : failure.transient(now)] as const;
  failure.free();
  return facts;
}

function customTransient(custom: Transient | false): EngineTransient | undefined {
  if (custom === false) return undefined;
  if (typeof custom !== "object") throw new TypeError(`\`transient\` must be an object or false, got ${String(custom)}`);
  const { notBeforeMs, answered } = custom;
  return callEngine(() => new EngineTransient(millis(notBeforeMs ?? 0), answered ?? true));
}
