/**
 * What is known of a failed attempt: the interfaces of the
 * [specification](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors), and the number that they
 * cross to the engine as.
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
} from "../engine/constants.js";
import { checkBoolean, checkObject, invalidOption, isDuration, mustBe } from "../values/checks.js";
import { retryText } from "./retry-text.js";

/** Whether an attempt may be made again. */
export type RetrySafety = "maybe" | "no" | "yes";

/** Whose fault an error is. */
export type ErrorFault = "client" | "other" | "server";

/** What an error says of retrying it. */
export interface RetryInfo {
  /** Whether it is safe. */
  readonly safety: RetrySafety;
  /** Whether the service said that there were too many requests; false without it. */
  readonly throttle?: boolean | undefined;
  /** Whether no answer came in time; false without it. */
  readonly timeout?: boolean | undefined;
  /** The least time to wait, **in seconds**, where the service named one. */
  readonly retryAfter?: number | undefined;
}

/** What is known of a failed attempt: as much of both as its error tells. */
export interface FailureInfo {
  /** What it says of retrying it, where it says anything. */
  readonly retry?: RetryInfo | undefined;
  /** Whose fault it is, where that is known. */
  readonly fault?: ErrorFault | undefined;
}

/** What a failure means for a retry, and what of it was not heard. */
export interface Classified extends FailureInfo {
  /** Which header of the response was ignored, or what keeps the error from being retried. */
  readonly note: RetryNote | undefined;
}

/** Which header of a response was ignored, and why; or what keeps an error from being retried. */
export interface RetryNote {
  /** For programs: a header that says nothing, a date without a clock; or that only `idempotent` is missing. */
  readonly code: "invalid_retry_after" | "no_clock" | "not_idempotent";
  /** For people. */
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
/** Milliseconds are too many for the operators of bits. */
const RETRY_AFTER = 2 ** RETRY_AFTER_SHIFT;
/** Ten years, which no pause exceeds. */
const LONGEST_MS = 315_360_000_000;

/** The failure of which nothing is known. */
export const UNKNOWN = 0;

/** Returns the number of a fault; `undefined` if it is not a fault. */
export function faultNumber(fault: ErrorFault): number | undefined {
  return FAULTS.get(fault);
}

/** Returns the fault in the lowest bits of a number. */
export function faultOf(flags: number): ErrorFault | undefined {
  return keyOf(FAULTS, flags & (2 ** FAULT_BITS - 1));
}

/** Checks a caller's classification and returns its number. */
export function pack(info: FailureInfo): number {
  checkObject(info, "the failure");
  const { retry } = info;
  const fault = info.fault ?? undefined;
  const number = fault === undefined ? 0 : faultNumber(fault);
  if (number === undefined) throw invalidOption("fault", `\`${String(fault)}\` is no fault: \`client\`, \`server\` or \`other\``);
  return (number << FAULT_SHIFT) + (retry === undefined || retry === null ? 0 : packRetry(retry));
}

function packRetry({ safety, throttle, timeout, retryAfter }: RetryInfo): number {
  const number = SAFETIES.get(safety);
  if (number === undefined) throw invalidOption("safety", `\`${String(safety)}\` is no safety: \`yes\`, \`no\` or \`maybe\``);
  checkBoolean("throttle", throttle);
  checkBoolean("timeout", timeout);
  const flags = number + (throttle === true ? THROTTLE : 0) + (timeout === true ? TIMEOUT : 0);
  return retryAfter === undefined || retryAfter === null ? flags : flags + HAS_RETRY_AFTER + RETRY_AFTER * retryAfterMs(retryAfter);
}

/** Whole milliseconds, never earlier than was asked; whole microseconds first, as sums of seconds are a little off. */
function retryAfterMs(seconds: number): number {
  if (!isDuration(seconds)) throw mustBe("retryAfter", "a number of seconds, at least 0");
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

/** Which header was ignored, or what keeps the error from being retried. */
export function noteOf(info: number): RetryNote | undefined {
  const number = ((info % RETRY_AFTER) >> NOTE_SHIFT) & (2 ** NOTE_BITS - 1);
  if (number === 0) return undefined;
  // That of a header comes first.
  const [code, message] = retryText(number & (NOT_IDEMPOTENT - 1) || number);
  return { code: code as RetryNote["code"], message };
}

function keyOf<Key>(numbers: ReadonlyMap<Key, number>, number: number): Key | undefined {
  for (const [key, other] of numbers) if (other === number) return key;
  return undefined;
}
