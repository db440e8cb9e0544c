/**
 * The driver of a wait.
 *
 * @module
 */

import type { DoneStep } from "../done-step.js";
import type { Call, HostOptions, Logger, Progress } from "../options.js";
import type { Outcome } from "../report/outcome.js";
import { isThenable } from "../values/promise.js";
import type { Wait } from "../wait.js";
import { Driver } from "./driver.js";
import type { CallResult } from "./pending.js";

/** Drives a wait to its end, and frees it. */
export async function drive<Response>(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>): Promise<Outcome<Response>> {
  try {
    return await new WaitDriver(wait, call, host).toEnd();
  } finally {
    wait.free();
  }
}

/** The driver of a wait. */
export class WaitDriver<Response> extends Driver<Response> {
  readonly #wait: Wait<Response>;
  readonly #logger: Logger | null | undefined;
  readonly #onAttempt: HostOptions<Response>["onAttempt"];

  constructor(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    super(call, host);
    this.#wait = wait;
    this.#logger = host.logger;
    this.#onAttempt = host.onAttempt;
  }

  /** The last step of the wait; `undefined` until the wait has ended. */
  get done(): DoneStep<Response> | undefined {
    return this.#wait.done;
  }

  toEnd(): Promise<Outcome<Response>> {
    return this.caller.cancellation.during(async () => {
      const { engine } = this.#wait;
      for (let result = await this.next(engine); result !== undefined; result = await this.next(engine)) {
        this.#handle(result);
        // After the engine has handled the result: the progress has the verdict and the next delay.
        const callback = this.#onAttempt?.(this.#progress(result));
        if (isThenable(callback)) await this.caller.awaitCallback(callback, engine.endMs);
      }
      return this.done!.outcome();
    });
  }

  /** Makes the next attempt and returns its progress; `undefined` if the wait has ended. */
  attempt(): Promise<Progress<Response> | undefined> {
    return this.caller.cancellation.during(async () => {
      const result = await this.next(this.#wait.engine);
      if (result === undefined) return undefined;
      this.#handle(result);
      return this.#progress(result);
    });
  }

  protected override poll(now: number): number {
    return this.#wait.pollStep(now);
  }

  protected override cancel(now: number, reason: unknown): number {
    return this.#wait.handleStep({ type: "cancelled", reason }, now);
  }

  protected override keep(result: Exclude<CallResult<Response>, "cut">): void {
    this.#wait.keep(result);
  }

  #handle(result: CallResult<Response>): void {
    this.step = this.#stepAfter(result, this.caller.clock.now());
    this.#log();
  }

  #log(): void {
    const wait = this.#wait;
    for (const { text } of wait.hints) (this.#logger ?? console).warn(text);
    this.#logger?.[wait.level!](wait.summary!);
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
