/**
 * The driver of a request: a loop over its steps.
 *
 * @module
 */

import { EngineRequest, type EngineRequestOptions } from "../engine.js";
import { asked } from "../errors.js";
import { noteOf, packed, unpacked } from "../failure-info.js";
import { told } from "../json.js";
import type { Call } from "../options.js";
import { partsOf } from "../reading.js";
import type { RetryCallOptions } from "../retry.js";
import { RetryCancelled, RetryError, RetryTimeout } from "../retry-errors.js";
import { isRefusal, TokenLease } from "../retry-lease.js";
import { type RetryStrategy, StandardRetryStrategy } from "../retry-strategy.js";
import { DONE, SLEEP } from "../steps.js";
import { atOnce, isThenable } from "../thenable.js";
import type { Seen, State } from "../verdict.js";
import type { Caller } from "./caller.js";

/** Drives one request. */
export class RequestDriver<Response> {
  readonly #call: Call<Response>;
  readonly #caller: Caller;
  readonly #options: RetryCallOptions<Response>;
  readonly #judge: (seen: Seen<Response>) => State;
  readonly #engine: EngineRequest;
  /** The token of a strategy that is not the engine's. */
  readonly #lease: TokenLease | undefined;
  #last: Seen<Response> | undefined;

  constructor(
    call: Call<Response>,
    caller: Caller,
    options: RetryCallOptions<Response>,
    judge: (seen: Seen<Response>) => State,
    strategy: RetryStrategy,
    engineOptions: EngineRequestOptions,
  ) {
    this.#call = call;
    this.#caller = caller;
    this.#options = options;
    this.#judge = judge;
    const standard = StandardRetryStrategy.engineOf(strategy);
    this.#lease = standard ? undefined : new TokenLease(strategy);
    this.#engine = standard ? new EngineRequest(standard, engineOptions) : EngineRequest.withOutsideStrategy(this.#lease!.delay, engineOptions);
  }

  async toEnd(): Promise<Response | undefined> {
    try {
      return await this.#toEnd();
    } finally {
      this.#lease?.release();
      this.#engine.free();
    }
  }

  async #toEnd(): Promise<Response | undefined> {
    const [engine, caller] = [this.#engine, this.#caller];
    for (let step = this.#poll(); step !== DONE; ) {
      if (step === SLEEP) {
        await caller.pause(engine.untilMs);
        step = this.#poll();
        continue;
      }
      this.#lease?.beginAttempt();
      const deadline = engine.deadlineMs;
      const called = await caller.call(this.#call, engine.attempts, deadline);
      if (typeof called !== "object" || caller.cancellation.happened) {
        step = this.#poll(called === "cut");
        continue;
      }
      this.#last = called;
      const state = this.#judge(called);
      if (state === "success") return this.#succeeded(called);
      step = await this.#failed(called, state, deadline);
      if (step === DONE) throw "error" in called ? called.error : new RetryError(...this.#end());
    }
    const [message, end] = this.#end();
    if (end.code === "cancelled") throw new RetryCancelled(message, { ...end, cause: { cause: caller.cancellation.reason } });
    throw new RetryTimeout(message, { ...end, cause: end.error === undefined ? undefined : { cause: end.error } });
  }

  /** Returns the step that is due, or the one after a call that was cut. */
  #poll(isCut = false): number {
    const now = this.#caller.clock.now();
    const engine = this.#engine;
    if (this.#caller.cancellation.happened) return asked(() => engine.cancelled(now));
    return asked(() => (isCut ? engine.deadlineReached(now) : engine.poll(now)));
  }

  #succeeded(seen: Seen<Response>): Response | undefined {
    this.#lease?.recordSuccess();
    asked(() => this.#engine.succeeded(this.#caller.clock.now()));
    return "error" in seen ? undefined : seen.response;
  }

  /** Returns the step after a failed attempt, once the caller's callback has it. */
  async #failed(seen: Seen<Response>, state: State, deadline: number): Promise<number> {
    const engine = this.#engine;
    const now = this.#caller.clock.now();
    const info = this.#classify(seen);
    const step = asked(() => (state === "failure" ? engine.failed(now) : this.#retry(info, now)));
    const [code, message] = told<[string?, string?]>(engine.end()) ?? [];
    const result = this.#options.onFailure?.({
      attempt: engine.attempts,
      error: "error" in seen ? seen.error : undefined,
      response: "error" in seen ? undefined : seen.response,
      failure: unpacked(info),
      delay: step === SLEEP ? (engine.untilMs - now) / 1000 : undefined,
      end: code,
      reason: message,
      note: noteOf(info),
      elapsed: now / 1000,
    });
    if (isThenable(result)) await this.#caller.awaitCallback(result, deadline);
    return step;
  }

  /** Returns what the failure means for a retry, packed. */
  #classify(seen: Seen<Response>): number {
    if (!("error" in seen)) return this.#engine.classifyResponse();
    const { classify, date, operation } = this.#options;
    const known = atOnce("classify", classify?.(seen.error)) ?? undefined;
    if (known !== undefined) return this.#engine.classifyKnown(packed(known));
    return this.#engine.classifyError(...partsOf(seen.error, { now: date?.(), operation: operation ?? undefined }));
  }

  #retry(info: number, now: number): number {
    const [engine, lease] = [this.#engine, this.#lease];
    if (lease === undefined) return engine.retry(now);
    try {
      return engine.granted(lease.refresh(unpacked(info)), now);
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      return engine.refused(refusal.code, refusal.message, now);
    }
  }

  /** Returns the message and the members of the error of a request that has ended. */
  #end(): ConstructorParameters<typeof RetryError<Response>> {
    const [code, message] = told<[string, string]>(this.#engine.end());
    return [message, { response: undefined, error: undefined, ...this.#last, code, cause: undefined, attempts: this.#engine.attempts }];
  }
}
