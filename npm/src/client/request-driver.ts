/**
 * The driver of a request.
 *
 * @module
 */

import { ACQUIRE, DONE, RECORD, REFRESH, SLEEP } from "../constants.js";
import { Driver } from "../driver/driver.js";
import { EngineRequest, type EngineRequestOptions } from "../engine/engine.js";
import { RetryCancelled, RetryError, RetryRefusal, RetryTimeout, TokenError } from "../errors/client.js";
import { mustBe } from "../input/checks.js";
import { callEngine, inSlots } from "../input/engine-call.js";
import { failureOf } from "../operation/classification.js";
import type { Classified } from "../operation/failure-info.js";
import type { Call } from "../options.js";
import type { State } from "../report/attempt-record.js";
import { isThenable, rejectPromise } from "../values/promise.js";
import type { Observation } from "../verdict.js";
import type { RetryCallOptions } from "./retry-options.js";
import type { RetryStrategy, RetryToken } from "./retry-strategy.js";

/** The driver of a request and its retries. */
export class RequestDriver<Response> extends Driver<Response> {
  readonly #options: RetryCallOptions<Response>;
  readonly #policy: (observation: Observation<Response>) => State;
  readonly #engine: EngineRequest;
  readonly #strategy: RetryStrategy;
  /** The token that the strategy issued last, and the classification of the newest failure. */
  #token: RetryToken | undefined;
  #failure: Classified | undefined;
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
    this.#strategy = strategy;
    this.#engine = new EngineRequest(engineOptions);
  }

  async toEnd(): Promise<Response | undefined> {
    try {
      return await this.caller.cancellation.during(() => this.#toEnd());
    } finally {
      // After an error, the engine returns the token of an attempt that is not made.
      this.cancel(0);
      this.#engine.free();
    }
  }

  protected override poll(now: number): number {
    return this.#take(() => this.#engine.poll(now), now);
  }

  protected override cancel(now: number): number {
    return this.#take(() => this.#engine.cancelled(now), now);
  }

  /** Advances the engine, takes the steps of the strategy, and returns the step after them. */
  #take(advance: () => number, now: number): number {
    let step = callEngine(advance);
    while (step >= ACQUIRE) step = this.#callStrategy(step, now);
    return step;
  }

  #callStrategy(step: number, now: number): number {
    const [engine, strategy, token] = [this.#engine, this.#strategy, this.#token as RetryToken];
    // Each token is used once, even if the strategy throws.
    this.#token = undefined;
    try {
      if (step === ACQUIRE || step === REFRESH) {
        this.#token = step === ACQUIRE ? strategy.acquireInitialToken() : strategy.refreshRetryToken(token, this.#failure!);
        return inSlots((slot) => engine.issued(slot, now), rejectPromise("strategy", this.#token)?.delay);
      }
      if (step === RECORD) strategy.recordSuccess(token);
      else strategy.releaseToken?.(token);
      return callEngine(() => engine.returned(now));
    } catch (error) {
      // Any other error is a bug of the strategy, which must not look like the end of the retries.
      if (!(error instanceof RetryRefusal || error instanceof TokenError)) throw error;
      return callEngine(() => engine.refused(error.code, error.message, now));
    }
  }

  async #toEnd(): Promise<Response | undefined> {
    const [engine, { cancellation, clock }] = [this.#engine, this.caller];
    for (let result = await this.next(engine); result !== undefined; result = await this.next(engine)) {
      if (result === "cut") {
        const now = clock.now();
        this.step = this.#take(() => engine.deadlineReached(now), now);
        continue;
      }
      this.#last = result;
      const state = this.#policy(result);
      if (state === "success") return this.#succeed(result);
      this.step = await this.#fail(result, state);
      // The original error, as the specification's example: callers handle it as without retries.
      if (this.step === DONE) throw "error" in result ? result.error : new RetryError(...this.#end());
    }
    const [message, end] = this.#end();
    if (end.code === "cancelled") throw new RetryCancelled(message, { ...end, cause: { cause: cancellation.reason } });
    throw new RetryTimeout(message, { ...end, cause: end.error === undefined ? undefined : { cause: end.error } });
  }

  #succeed(observation: Observation<Response>): Response | undefined {
    const now = this.caller.clock.now();
    this.#take(() => this.#engine.succeeded(now), now);
    return observation.response;
  }

  /** Returns the step after a failed attempt, after the callback `onFailure` has ended. */
  async #fail(observation: Observation<Response>, state: State): Promise<number> {
    const engine = this.#engine;
    const { deadlineMs } = engine;
    const now = this.caller.clock.now();
    const { note, ...failure } = (this.#failure = this.#classify(observation));
    const step = this.#take(() => (state === "failure" ? engine.failed(now) : engine.retry(now)), now);
    const [end, reason] = (engine.end() as [string, string] | undefined) ?? [];
    const callback = this.#options.onFailure?.({
      attempt: engine.attempt,
      error: undefined,
      response: undefined,
      ...observation,
      failure,
      delay: step === SLEEP ? (engine.untilMs - now) / 1000 : undefined,
      end,
      reason,
      note,
      elapsed: now / 1000,
    });
    // The pause has a fixed end, so that a slow callback does not lengthen it.
    if (isThenable(callback)) await this.caller.awaitCallback(callback, deadlineMs);
    return step;
  }

  #classify(observation: Observation<Response>): Classified {
    const engine = this.#engine;
    if (!("error" in observation)) return engine.classifyResponse() as Classified;
    const { classify, date, operation } = this.#options;
    const info = rejectPromise("classify", classify?.(observation.error)) ?? undefined;
    if (info !== undefined) return inSlots((slot) => engine.classifyKnown(slot) as Classified, info);
    return engine.classifyError(failureOf(observation.error, { now: momentOf(date), operation: operation ?? undefined })) as Classified;
  }

  /** Returns the arguments of the `RetryError` for a request that has ended. */
  #end(): ConstructorParameters<typeof RetryError<Response>> {
    const [code, message] = this.#engine.end() as [string, string];
    return [message, { response: undefined, error: undefined, ...this.#last, code, cause: undefined, attempts: this.#engine.attempt }];
  }
}

function momentOf(date: RetryCallOptions<never>["date"] | null): number | undefined {
  if (date === undefined || date === null) return undefined;
  const now: unknown = date();
  if (Number.isFinite(now)) return now as number;
  throw mustBe("date", "a function that returns milliseconds since 1970", now);
}
