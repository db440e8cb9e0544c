/**
 * What is known of a failed attempt: the interfaces of the
 * [specification](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors), and the number that they
 * cross to the engine as (`bindings-js/src/retry.rs` has the same parts).
 *
 * @module
 */

import { checkBoolean, checkObject, invalidOption, isDuration, mustBe } from "./checks.js";
import { retryText, type TextNumber } from "./retry-text.js";

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

const SAFETIES: readonly (RetrySafety | undefined)[] = [undefined, "yes", "no", "maybe"];

/** The faults by their numbers. */
export const FAULTS: readonly (ErrorFault | undefined)[] = [undefined, "client", "server", "other"];
const THROTTLE = 4;
const TIMEOUT = 8;
const FAULT = 16;
const NOTE = 64;
const NOTES = 7;
const HAS_RETRY_AFTER = 512;
/** Above these the milliseconds that the service asks for: too many for the operators of bits. */
const RETRY_AFTER = 1024;
/** Ten years, which no pause exceeds. */
const LONGEST_MS = 315_360_000_000;

/** What a model says of an error, beside its fault. */
export const RETRYABLE = 4;
export const THROTTLING = 8;

/** The failure of which nothing is known. */
export const UNKNOWN = 0;

/** The number of what a caller says. */
export function packed(info: FailureInfo): number {
  checkObject(info, "the failure");
  const { retry, fault } = info;
  const faultNumber = FAULTS.indexOf(fault ?? undefined);
  if (faultNumber < 0) throw invalidOption("fault", `\`${String(fault)}\` is no fault: \`client\`, \`server\` or \`other\``);
  return faultNumber * FAULT + (retry === undefined || retry === null ? 0 : packedRetry(retry));
}

function packedRetry({ safety, throttle, timeout, retryAfter }: RetryInfo): number {
  const number = SAFETIES.indexOf(safety);
  if (number < 1) throw invalidOption("safety", `\`${String(safety)}\` is no safety: \`yes\`, \`no\` or \`maybe\``);
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

/** What the number says. */
export function unpacked(info: number): FailureInfo {
  const low = info % RETRY_AFTER;
  const safety = SAFETIES[low & 3];
  const retry = safety && {
    safety,
    throttle: (low & THROTTLE) !== 0,
    timeout: (low & TIMEOUT) !== 0,
    retryAfter: low >= HAS_RETRY_AFTER ? (info - low) / RETRY_AFTER / 1000 : undefined,
  };
  return { retry, fault: FAULTS[(low / FAULT) & 3] };
}

/** Which header was ignored, or what keeps the error from being retried. */
export function noteOf(info: number): RetryNote | undefined {
  const number = ((info % RETRY_AFTER) / NOTE) & NOTES;
  if (number === 0) return undefined;
  // That of a header comes first.
  const [code, message] = retryText((number & 3 || number) as TextNumber);
  return { code: code as RetryNote["code"], message };
}
