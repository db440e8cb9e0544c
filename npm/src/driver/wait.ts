/**
 * The driver of a wait.
 *
 * @module
 */

import type { DoneStep } from "../done-step.js";
import type { WaiterError } from "../errors/waiter.js";
import type { Call, HostOptions, Progress } from "../options.js";
import type { Outcome } from "../report/outcome.js";
import { isThenable } from "../values/promise.js";
import type { Wait } from "../wait.js";
import { Driver } from "./driver.js";
import { followUp } from "./follow-up.js";
import type { CallResult } from "./pending.js";

/** Drives a wait to its end, and frees it. */
export async function drive<Response>(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>): Promise<Outcome<Response>> {
  try {
    const driver = new WaitDriver(wait, call, host);
    await driver.toEnd();
    // Not in `toEnd`: the short stack of a failure would have one more frame of this package, and not the caller's.
    return await driver.conclude();
  } finally {
    wait.free();
  }
}

/** The driver of a wait. */
export class WaitDriver<Response> extends Driver<Response> {
  readonly #wait: Wait<Response>;
  readonly #host: HostOptions<Response>;

  constructor(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    super(call, host);
    this.#wait = wait;
    this.#host = host;
  }

  /** The last step of the wait; `undefined` until the wait has ended. */
  get done(): DoneStep<Response> | undefined {
    return this.#wait.done;
  }

  /** Performs all steps until the wait has ended. */
  toEnd(): Promise<void> {
    return this.caller.cancellation.during(async () => {
      const { engine } = this.#wait;
      for (let result = await this.next(engine); result !== undefined; result = await this.next(engine)) {
        this.#handle(result);
        await this.#report(result);
      }
    });
  }

  /** Makes the next attempt and returns a function that returns its progress; `undefined` if the wait has ended. */
  attempt(): Promise<(() => Progress<Response>) | undefined> {
    return this.caller.cancellation.during(async () => {
      const result = await this.next(this.#wait.engine);
      if (result === undefined) return undefined;
      this.#handle(result);
      const progress = await this.#report(result);
      return () => progress ?? this.#progress(result);
    });
  }

  /** Returns the outcome of the wait that has ended. Throws the failure after what follows it, which nothing interrupts. */
  async conclude(): Promise<Outcome<Response>> {
    try {
      return this.done!.outcome();
    } catch (error) {
      await followUp(error as WaiterError<Response>, this.#host);
      throw error;
    }
  }

  protected override poll(now: number): number {
    const { rateLimit } = this.#host;
    // The limit is shared, so that its times are those of the host's clock and not of this wait.
    return rateLimit ? this.#wait.pollWithin(now, rateLimit.engine, this.caller.clock.startedAt) : this.#wait.pollStep(now);
  }

  protected override cancel(now: number, reason: unknown): number {
    return this.#wait.handleStep({ type: "cancelled", reason }, now);
  }

  protected override keep(result: Exclude<CallResult<Response>, "cut">): void {
    this.#wait.keep(result);
  }

  #handle(result: CallResult<Response>): void {
    const step = this.#stepAfter(result, this.caller.clock.now());
    // With a limit, the next poll lowers the rate after a throttled call, which must not wait for the end of the pause.
    this.step = this.#host.rateLimit ? undefined : step;
    this.#log();
  }

  #log(): void {
    const wait = this.#wait;
    const { logger } = this.#host;
    for (const { text } of wait.hints) (logger ?? console).warn(text);
    logger?.[wait.level!](wait.summary!);
  }

  /**
   * Calls the callbacks of the newest attempt in turn, and awaits what they return until the deadline. Returns the progress if there is
   * a callback.
   */
  async #report(call: CallResult<Response>): Promise<Progress<Response> | undefined> {
    const { onAttempt, onChange } = this.#host;
    let progress: Progress<Response> | undefined;
    for (const callback of [onAttempt, onChange && this.#wait.changed ? onChange : undefined]) {
      // After the engine has handled the result: the progress has the verdict and the next delay.
      const result = callback?.((progress ??= this.#progress(call)));
      if (isThenable(result)) await this.caller.awaitCallback(result, this.#wait.engine.endMs);
    }
    return progress;
  }

  #stepAfter(result: CallResult<Response>, now: number): number {
    const wait = this.#wait;
    if (result === "cut") return wait.handleStep({ type: "deadlineReached" }, now);
    if ("error" in result) return wait.handleException(result.error, now);
    return wait.handleStep({ type: "response", response: result.response }, now);
  }

  #progress(call: CallResult<Response>): Progress<Response> {
    const { endMs, nowMs } = this.#wait.engine;
    const { attempt, result, state, acceptor, reasons, values, delayMs, nextIsLast, endedMs, summary, label } = this.#wait.progress();
    const progress = {
      label,
      summary,
      level: this.#wait.level!,
      hints: this.#wait.hints,
      attempt,
      result,
      state,
      acceptor,
      reasons,
      values,
      delay: delayMs === undefined ? undefined : delayMs / 1000,
      nextIsLast,
      // A late result is reported after the deadline.
      remaining: Math.max(0, endMs - nowMs) / 1000,
      elapsed: endedMs / 1000,
      response: undefined,
      error: undefined,
      ...(call === "cut" ? undefined : call),
    };
    // The compiler cannot infer that the record's `result` matches the result of the call.
    return progress as Progress<Response>;
  }
}
