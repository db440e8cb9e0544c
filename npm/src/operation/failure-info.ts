/**
 * The classification of failed attempts: the interfaces of the
 * [specification](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors).
 *
 * @module
 */

import { CLIENT, FAULT_BITS, OTHER, SERVER } from "../constants.js";

/** The safety of a retry. `"maybe"` means that it is unknown whether a retry is safe. */
export type RetrySafety = "maybe" | "no" | "yes";

/** The party that caused an error. */
export type ErrorFault = "client" | "other" | "server";

/** The part of a classification that concerns a retry. */
export interface RetryInfo {
  /** The safety of a retry. */
  readonly safety: RetrySafety;
  /**
   * `true` if the service reported too many requests.
   *
   * @default false
   */
  readonly throttle?: boolean | undefined;
  /**
   * `true` if no response arrived in time.
   *
   * @default false
   */
  readonly timeout?: boolean | undefined;
  /** The minimum delay before a retry, **in seconds**, if the service requested one. See docs/rules.md#retry-after. */
  readonly retryAfter?: number | undefined;
}

/** The classification of a failed attempt. */
export interface FailureInfo {
  /** The part that concerns a retry; absent if the error does not indicate whether a retry is safe. */
  readonly retry?: RetryInfo | undefined;
  /** The party that caused the error, if it is known. */
  readonly fault?: ErrorFault | undefined;
}

/** The result of `classify`. */
export interface Classified extends FailureInfo {
  /** A note about an ignored header, or about the reason why the error is not retried; `undefined` if there is nothing to note. */
  readonly note: RetryNote | undefined;
}

/** A note about an ignored header of a response, or about the reason why an error is not retried. */
export interface RetryNote {
  /**
   * The stable code: `invalid_retry_after` for a header with an invalid value, `no_clock` for a date in a header without a current
   * time, `not_idempotent` if the error would be retried with the option `idempotent`.
   */
  readonly code: "invalid_retry_after" | "no_clock" | "not_idempotent";
  /** The note as readable text. */
  readonly message: string;
}

const FAULTS = new Map<ErrorFault, number>([
  ["client", CLIENT],
  ["server", SERVER],
  ["other", OTHER],
]);

/** Returns the number of a fault; `undefined` if it is not a fault. */
export function faultNumber(fault: ErrorFault): number | undefined {
  return FAULTS.get(fault);
}

/** Returns the fault in the lowest bits of a number. */
export function faultOf(flags: number): ErrorFault | undefined {
  for (const [fault, number] of FAULTS) if (number === (flags & (2 ** FAULT_BITS - 1))) return fault;
  return undefined;
}
