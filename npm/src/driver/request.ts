/**
 * The driver of a request: a loop over its steps.
 *
 * @module
 */

import { EngineRequest, type EngineRequestOptions } from "../engine.js";
import { asked } from "../errors.js";
import { type FailureInfo, noteOf, packed, unpacked } from "../failure-info.js";
import { told } from "../json.js";
import type { Operation } from "../operation.js";
import type { Call } from "../options.js";
import { partsOf } from "../reading.js";
import type { RetryProgress } from "../retry.js";
import { RetryCancelled, RetryError, type RetryEnd, RetryTimeout } from "../retry-errors.js";
import { isRefusal, TokenLease } from "../retry-lease.js";
import { type RetryStrategy, StandardRetryStrategy } from "../retry-strategy.js";
import { DONE, SLEEP } from "../steps.js";
import { isThenable } from "../thenable.js";
import type { Seen, State } from "../verdict.js";
import type { Caller } from "./caller.js";

/** The options of a request, checked. */
export interface RequestPlan<Response> {
  readonly strategy: RetryStrategy;
  readonly request: EngineRequestOptions;
  readonly operation: Operation | undefined;
  /** The caller's own classification, if it has one of the error. */
  readonly classify: (error: unknown) => FailureInfo | undefined;
  /** The milliseconds since 1970. */
  readonly date: () => number;
  readonly policy: ((seen: Seen<Response>) => State) | undefined;
  readonly onFailure: ((progress: RetryProgress<Response>) => unknown) | undefined;
}

/** Drives a request to its end. */
export async function driveRequest<Response>(call: Call<Response>, plan: RequestPlan<Response>, caller: Caller): Promise<Response | undefined> {
  const driver = new RequestDriver(call, plan, caller);
  try {
    return await driver.toEnd();
  } finally {
    driver.free();
  }
}

class RequestDriver<Response> {
  readonly #call: Call<Response>;
  readonly #plan: RequestPlan<Response>;
  readonly #caller: Caller;
  readonly #engine: EngineRequest;
  /** The token of a strategy that is not the engine's. */
  readonly #lease: TokenLease | undefined;
  #last: Seen<Response> | undefined;
  /** The time of the newest step. */
  #now = 0;

  constructor(call: Call<Response>, plan: RequestPlan<Response>, caller: Caller) {
    this.#call = call;
    this.#plan = plan;
    this.#caller = caller;
    const standard = StandardRetryStrategy.engineOf(plan.strategy);
    this.#lease = standard ? undefined : new TokenLease(plan.strategy);
    this.#engine = standard ? new EngineRequest(standard, plan.request) : EngineRequest.withOutsideStrategy(this.#lease!.delay, plan.request);
  }

  /** An attempt that was granted is not made. */
  free(): void {
    this.#lease?.release();
    this.#engine.free();
  }

  async toEnd(): Promise<Response | undefined> {
    const engine = this.#engine;
    for (let step = this.#poll(); step !== DONE; ) {
      if (step === SLEEP) {
        await this.#caller.pause(engine.untilMs);
        step = this.#poll();
        continue;
      }
      const deadline = engine.deadlineMs;
      this.#lease?.beginAttempt();
      const called = await this.#caller.call(this.#call, engine.attempts, deadline);
      if (called === "cancelled" || this.#caller.cancellation.happened) {
        step = this.#step((now) => engine.cancelled(now));
        continue;
      }
      if (called === "cut") {
        step = this.#step((now) => engine.deadlineReached(now));
        continue;
      }
      this.#last = called;
      const state = this.#stateOf(called);
      if (state === "success") {
        this.#lease?.recordSuccess();
        this.#step((now) => engine.succeeded(now));
        return "error" in called ? undefined : called.response;
      }
      const info = this.#classify(called);
      step = state === "failure" ? this.#step((now) => engine.failed(now)) : this.#retry(info);
      const result = this.#plan.onFailure?.(this.#progress(called, info, step));
      if (isThenable(result)) await this.#caller.awaitCallback(result, deadline);
      if (step === DONE) throw this.#failed(called);
    }
    throw this.#interrupted();
  }

  #poll(): number {
    const engine = this.#engine;
    return this.#step((now) => (this.#caller.cancellation.happened ? engine.cancelled(now) : engine.poll(now)));
  }

  #step(take: (now: number) => number): number {
    this.#now = this.#caller.clock.now();
    return asked(() => take(this.#now));
  }

  #stateOf(seen: Seen<Response>): State {
    const { policy } = this.#plan;
    if (policy !== undefined) return policy(seen);
    return "error" in seen ? "retry" : "success";
  }

  /** Returns what the failure means for a retry, packed. */
  #classify(seen: Seen<Response>): number {
    const { classify, date, operation } = this.#plan;
    const engine = this.#engine;
    if (!("error" in seen)) return engine.classifyResponse();
    const known = classify(seen.error);
    return known === undefined ? engine.classifyError(...partsOf(seen.error, { now: date(), operation })) : engine.classifyKnown(packed(known));
  }

  #retry(info: number): number {
    const lease = this.#lease;
    const engine = this.#engine;
    if (lease === undefined) return this.#step((now) => engine.retry(now));
    try {
      const delay = lease.refresh(unpacked(info));
      return this.#step((now) => engine.granted(delay, now));
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      return this.#step((now) => engine.refused(refusal.code, refusal.message, now));
    }
  }

  #progress(seen: Seen<Response>, info: number, step: number): RetryProgress<Response> {
    const elapsed = this.#now;
    const end = this.#end();
    return {
      attempt: this.#engine.attempts,
      error: "error" in seen ? seen.error : undefined,
      response: "error" in seen ? undefined : seen.response,
      failure: unpacked(info),
      delay: step === SLEEP ? (this.#engine.untilMs - elapsed) / 1000 : undefined,
      end: end?.code,
      reason: end?.message,
      note: noteOf(info),
      elapsed: elapsed / 1000,
    };
  }

  /** The error of a request whose last attempt failed: the attempt's own, if it has one. */
  #failed(seen: Seen<Response>): unknown {
    if ("error" in seen) return seen.error;
    return new RetryError(this.#end()!.message, this.#endedBy(undefined));
  }

  /** The error of a request that was cancelled, or whose time is over. */
  #interrupted(): RetryError<Response> {
    const { code, message } = this.#end()!;
    if (code === "cancelled") return new RetryCancelled(message, this.#endedBy({ cause: this.#caller.cancellation.reason }));
    const { error } = { error: undefined, ...this.#last };
    return new RetryTimeout(message, this.#endedBy(error === undefined ? undefined : { cause: error }));
  }

  #endedBy(cause: ErrorOptions | undefined): RetryEnd<Response> {
    return { response: undefined, error: undefined, ...this.#last, code: this.#end()!.code, cause, attempts: this.#engine.attempts };
  }

  /** Returns the reason that there is no further attempt; `undefined` before the end. */
  #end(): { readonly code: RetryEnd<Response>["code"]; readonly message: string } | undefined {
    const end = told<[string, string] | null>(this.#engine.end());
    return end ? { code: end[0], message: end[1] } : undefined;
  }
}
