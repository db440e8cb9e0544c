/**
 * One request and its attempts, without the calls and the pauses.
 *
 * @module
 */

import { invalidOption } from "./checks.js";
import { allowed, type FailureInfo, LONGEST_MS, noteOf, notIdempotent, packed, type RetryNote, UNKNOWN, unpacked } from "./failure-info.js";
import { STATES } from "./packed.js";
import { classified, type ClassifyOptions } from "./reading.js";
import { type RetryEndCode, RetryRefusal, TokenError } from "./retry-errors.js";
import type { RetryStrategy } from "./retry-strategy.js";
import { Held } from "./retry-token.js";
import { atOnce } from "./thenable.js";
import type { Seen, State } from "./verdict.js";

/** One attempt that failed, and what follows it. Times are in seconds. */
export interface RetryProgress<Response = unknown> {
  /** Its number, from 1. */
  readonly attempt: number;
  /** What the call threw; `undefined` where a policy does not take its response for a success. */
  readonly error: unknown;
  /** That response. */
  readonly response: Response | undefined;
  /** What it means for a retry. */
  readonly failure: FailureInfo;
  /** The seconds until the next attempt; `undefined` where there is none. */
  readonly delay: number | undefined;
  /** Why there is none, for programs. */
  readonly end: RetryEndCode | undefined;
  /** The same for people. */
  readonly reason: string | undefined;
  /** Which header was ignored, or what keeps the error from being retried. */
  readonly note: RetryNote | undefined;
  /** The seconds since the request began. */
  readonly elapsed: number;
}

/** What the caller says of a request. */
export interface RequestPlan<Response> {
  readonly strategy: RetryStrategy;
  readonly classify: ((error: unknown) => FailureInfo | null | undefined) | null | undefined;
  readonly reading: Pick<ClassifyOptions, "idempotent" | "operation">;
  readonly date: () => number;
  readonly policy: ((seen: Seen<Response>) => State) | undefined;
  readonly onFailure: ((progress: RetryProgress<Response>) => unknown) | null | undefined;
  readonly maxTimeMs: number;
}

/** What follows an attempt: its result is the caller's, or another attempt is made, or why none is. */
export type Sequel = "again" | "done" | RetryRefusal;

export class RetryRequest<Response> {
  readonly #plan: RequestPlan<Response>;
  readonly #held: Held;
  /** When the next attempt is to begin, in milliseconds since the request began. */
  until: number;
  attempts = 0;
  /** What `onFailure` gave for the newest attempt. */
  told: unknown;

  constructor(plan: RequestPlan<Response>) {
    this.#plan = plan;
    this.#held = new Held(plan.strategy);
    this.until = this.#held.acquire();
  }

  /** An attempt begins. */
  begin(): void {
    this.#held.begin();
    this.attempts++;
  }

  /** There are no further attempts. */
  close(): void {
    this.#held.close();
  }

  /** Takes what came of an attempt. */
  take(seen: Seen<Response>, elapsedMs: number): Sequel {
    const state = this.#stateOf(seen);
    if (state === "success") {
      this.#held.succeed();
      return "done";
    }
    const info = this.#infoOf(seen);
    const refusal = state === "failure" ? failed() : this.#refused(info, elapsedMs);
    this.#tell(seen, info, refusal, elapsedMs);
    return refusal ?? "again";
  }

  #stateOf(seen: Seen<Response>): State {
    const { policy } = this.#plan;
    if (policy === undefined) return "error" in seen ? "retry" : "success";
    const state = atOnce("policy", policy(seen));
    if (STATES.includes(state)) return state;
    throw invalidOption("policy", `\`${String(state)}\` is no state: \`success\`, \`failure\` or \`retry\``);
  }

  #infoOf(seen: Seen<Response>): number {
    const { policy } = this.#plan;
    const info = "error" in seen ? this.#infoOfError(seen.error) : UNKNOWN;
    return policy === undefined ? info : allowed(info);
  }

  #infoOfError(error: unknown): number {
    const { classify, reading, date } = this.#plan;
    const given = atOnce("classify", classify?.(error)) ?? undefined;
    return given === undefined ? classified(error, { ...reading, now: date() }) : packed(given);
  }

  #refused(info: number, elapsedMs: number): RetryRefusal | undefined {
    try {
      this.until = elapsedMs + this.#held.refresh(unpacked(info));
    } catch (refusal) {
      if (refusal instanceof RetryRefusal) return noted(refusal, notIdempotent(info));
      if (refusal instanceof TokenError) return new RetryRefusal(refusal.message, refusal.code);
      throw refusal;
    }
    return this.until < Math.min(this.#plan.maxTimeMs, LONGEST_MS) ? undefined : outOfTime();
  }

  #tell(seen: Seen<Response>, info: number, refusal: RetryRefusal | undefined, elapsedMs: number): void {
    this.told = this.#plan.onFailure?.({
      attempt: this.attempts,
      error: "error" in seen ? seen.error : undefined,
      response: "error" in seen ? undefined : seen.response,
      failure: unpacked(info),
      delay: refusal === undefined ? (this.until - elapsedMs) / 1000 : undefined,
      end: refusal?.code,
      reason: refusal?.message,
      note: noteOf(info),
      elapsed: elapsedMs / 1000,
    });
  }
}

/** A refusal, with what is known of the failure that a strategy is not told. */
function noted(refusal: RetryRefusal, note: RetryNote | undefined): RetryRefusal {
  if (refusal.code !== "not_retryable" || note === undefined) return refusal;
  return new RetryRefusal(`${refusal.message}: ${note.message}`, refusal.code);
}

function failed(): RetryRefusal {
  return new RetryRefusal("the retry policy says that it failed", "failed");
}

export function outOfTime(): RetryRefusal {
  return new RetryRefusal("no further attempt fits in the time there is", "out_of_time");
}
