/**
 * The driver of a request.
 *
 * @module
 */

import { CALL, DONE, SLEEP } from "../constants.js";
import { Driver } from "../driver/driver.js";
import { EngineRequest, type EngineRequestOptions } from "../engine/engine.js";
import { RetryCancelled, RetryError, RetryTimeout } from "../errors/client.js";
import { callEngine } from "../input/engine-call.js";
import { failureOf } from "../operation/classification.js";
import { noteOf, pack, unpack } from "../operation/failure-info.js";
import type { Call } from "../options.js";
import type { State } from "../report/attempt-record.js";
import { rejectPromise, isThenable } from "../values/promise.js";
import type { Observation } from "../verdict.js";
import type { RetryCallOptions } from "./retry-options.js";
import { type RetryStrategy, StandardRetryStrategy } from "./retry-strategy.js";
import { isRefusal, TokenLease } from "./token-lease.js";

/** The driver of a request and its retries. */
export class RequestDriver<Response> extends Driver<Response> {
  readonly #options: RetryCallOptions<Response>;
  readonly #policy: (observation: Observation<Response>) => State;
  readonly #engine: EngineRequest;
  /** The token of a custom strategy; `undefined` for a strategy of the engine. */
  readonly #lease: TokenLease | undefined;
  #last: Observation<Response> | undefined;

  constructor(
    call: Call<Response>,
    options: RetryCallOptions<Response>,
    policy: (observation: Observation<Response>) => State,
    strategy: RetryStrategy,
    engineOptions: EngineRequestOptions,
  ) {
    super(call, options);
    this.#options = options;
    this.#policy = policy;
    const standard = StandardRetryStrategy.engineOf(strategy);
    this.#lease = standard ? undefined : new TokenLease(strategy);
    this.#engine = standard ? new EngineRequest(standard, engineOptions) : EngineRequest.withOutsideStrategy(this.#lease!.delay, engineOptions);
  }

  async toEnd(): Promise<Response | undefined> {
    try {
      return await this.caller.cancellation.during(() => this.#toEnd());
    } finally {
      this.#lease?.release();
      this.#engine.free();
    }
  }

  protected override poll(now: number): number {
    const step = callEngine(() => this.#engine.poll(now));
    if (step === CALL) this.#lease?.beginAttempt();
    return step;
  }

  protected override cancel(now: number): number {
    return callEngine(() => this.#engine.cancelled(now));
  }

  async #toEnd(): Promise<Response | undefined> {
    const [engine, { cancellation, clock }] = [this.#engine, this.caller];
    for (let result = await this.next(engine); result !== undefined; result = await this.next(engine)) {
      if (result === "cut") {
        this.step = callEngine(() => engine.deadlineReached(clock.now()));
        continue;
      }
      this.#last = result;
      const state = this.#policy(result);
      if (state === "success") return this.#succeed(result);
      this.step = await this.#fail(result, state);
      if (this.step === DONE) throw "error" in result ? result.error : new RetryError(...this.#end());
    }
    const [message, end] = this.#end();
    if (end.code === "cancelled") throw new RetryCancelled(message, { ...end, cause: { cause: cancellation.reason } });
    throw new RetryTimeout(message, { ...end, cause: end.error === undefined ? undefined : { cause: end.error } });
  }

  #succeed(observation: Observation<Response>): Response | undefined {
    this.#lease?.recordSuccess();
    callEngine(() => this.#engine.succeeded(this.caller.clock.now()));
    return observation.response;
  }

  /** Returns the step after a failed attempt, after the callback `onFailure` has ended. */
  async #fail(observation: Observation<Response>, state: State): Promise<number> {
    const engine = this.#engine;
    const { deadlineMs } = engine;
    const now = this.caller.clock.now();
    const info = this.#classify(observation);
    const step = callEngine(() => (state === "failure" ? engine.failed(now) : this.#retry(info, now)));
    const [end, reason] = (engine.end() as [string, string] | undefined) ?? [];
    const callback = this.#options.onFailure?.({
      attempt: engine.attempt,
      error: undefined,
      response: undefined,
      ...observation,
      failure: unpack(info),
      delay: step === SLEEP ? (engine.untilMs - now) / 1000 : undefined,
      end,
      reason,
      note: noteOf(info),
      elapsed: now / 1000,
    });
    if (isThenable(callback)) await this.caller.awaitCallback(callback, deadlineMs);
    return step;
  }

  /** Returns the number of the failure's classification. */
  #classify(observation: Observation<Response>): number {
    if (!("error" in observation)) return this.#engine.classifyResponse();
    const { classify, date, operation } = this.#options;
    const info = rejectPromise("classify", classify?.(observation.error)) ?? undefined;
    if (info !== undefined) return this.#engine.classifyKnown(pack(info));
    return this.#engine.classifyError(failureOf(observation.error, { now: date?.(), operation: operation ?? undefined }));
  }

  #retry(info: number, now: number): number {
    const [engine, lease] = [this.#engine, this.#lease];
    if (lease === undefined) return engine.retry(now);
    try {
      return engine.granted(lease.refresh(unpack(info)), now);
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      return engine.refused(refusal.code, refusal.message, now);
    }
  }

  /** Returns the arguments of the `RetryError` for a request that has ended. */
  #end(): ConstructorParameters<typeof RetryError<Response>> {
    const [code, message] = this.#engine.end() as [string, string];
    return [message, { response: undefined, error: undefined, ...this.#last, code, cause: undefined, attempts: this.#engine.attempt }];
  }
}
