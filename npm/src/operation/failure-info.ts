/**
 * The classification of failed attempts: the interfaces of the
 * [specification](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors), and their encoding as a number for
 * the engine.
 *
 * @module
 */

import {
  CLIENT,
  FAULT_BITS,
  FAULT_SHIFT,
  HAS_RETRY_AFTER,
  MAYBE,
  NO,
  NOT_IDEMPOTENT,
  NOTE_BITS,
  NOTE_SHIFT,
  OTHER,
  RETRY_AFTER_SHIFT,
  SAFETY_BITS,
  SERVER,
  THROTTLE,
  TIMEOUT,
  YES,
} from "../constants.js";
import { retryText } from "../errors/retry-text.js";
import { checkBoolean, checkObject, invalidOption, isDuration, mustBe } from "../input/checks.js";

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

const SAFETIES = new Map<RetrySafety, number>([
  ["yes", YES],
  ["no", NO],
  ["maybe", MAYBE],
]);
const FAULTS = new Map<ErrorFault, number>([
  ["client", CLIENT],
  ["server", SERVER],
  ["other", OTHER],
]);
/** The factor of the milliseconds in the number. Bitwise operators are limited to 32 bits, so arithmetic is used instead. */
const RETRY_AFTER = 2 ** RETRY_AFTER_SHIFT;
/** Ten years, the maximum delay. */
const LONGEST_MS = 315_360_000_000;

/** The number of an empty classification. */
export const UNKNOWN = 0;

/** Returns the number of a fault; `undefined` if it is not a fault. */
export function faultNumber(fault: ErrorFault): number | undefined {
  return FAULTS.get(fault);
}

/** Returns the fault in the lowest bits of a number. */
export function faultOf(flags: number): ErrorFault | undefined {
  return keyOf(FAULTS, flags & (2 ** FAULT_BITS - 1));
}

/**
 * Returns the number of a classification.
 *
 * @throws OptionsError if a member of the classification is invalid.
 */
export function pack(info: FailureInfo): number {
  checkObject(info, "the failure");
  const { retry } = info;
  const fault = info.fault ?? undefined;
  const number = fault === undefined ? 0 : faultNumber(fault);
  if (number === undefined) throw invalidOption("fault", `\`fault\` must be \`client\`, \`server\` or \`other\`, got \`${String(fault)}\``);
  return (number << FAULT_SHIFT) + (retry === undefined || retry === null ? 0 : packRetry(retry));
}

function packRetry({ safety, throttle, timeout, retryAfter }: RetryInfo): number {
  const number = SAFETIES.get(safety);
  if (number === undefined) throw invalidOption("safety", `\`safety\` must be \`yes\`, \`no\` or \`maybe\`, got \`${String(safety)}\``);
  checkBoolean("throttle", throttle);
  checkBoolean("timeout", timeout);
  const flags = number + (throttle === true ? THROTTLE : 0) + (timeout === true ? TIMEOUT : 0);
  return retryAfter === undefined || retryAfter === null ? flags : flags + HAS_RETRY_AFTER + RETRY_AFTER * retryAfterMs(retryAfter);
}

/** Converts seconds to milliseconds, rounded up. Rounding to microseconds before removes the rounding errors of sums of seconds. */
function retryAfterMs(seconds: number): number {
  if (!isDuration(seconds)) throw mustBe("retryAfter", "a number of seconds, at least 0", seconds);
  return Math.min(LONGEST_MS, Math.ceil(Math.round(seconds * 1e6) / 1e3));
}

/** Returns the classification of a number. */
export function unpack(info: number): FailureInfo {
  const low = info % RETRY_AFTER;
  const safety = keyOf(SAFETIES, low & (2 ** SAFETY_BITS - 1));
  const retry = safety && {
    safety,
    throttle: (low & THROTTLE) !== 0,
    timeout: (low & TIMEOUT) !== 0,
    retryAfter: (low & HAS_RETRY_AFTER) !== 0 ? (info - low) / RETRY_AFTER / 1000 : undefined,
  };
  return { retry, fault: faultOf(low >> FAULT_SHIFT) };
}

/** Returns the note of a number. */
export function noteOf(info: number): RetryNote | undefined {
  const number = ((info % RETRY_AFTER) >> NOTE_SHIFT) & (2 ** NOTE_BITS - 1);
  if (number === 0) return undefined;
  // A note about a header precedes one about idempotency.
  const [code, message] = retryText(number & (NOT_IDEMPOTENT - 1) || number);
  return { code: code as RetryNote["code"], message };
}

function keyOf<Key>(numbers: ReadonlyMap<Key, number>, number: number): Key | undefined {
  for (const [key, other] of numbers) if (other === number) return key;
  return undefined;
}
