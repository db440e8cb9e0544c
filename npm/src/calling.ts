/**
 * Calls and pauses, until they end, the time is up, or the caller cancels.
 *
 * @module
 */

import { Cancellation } from "./cancellation.js";
import type { Attempt, Call, HostOptions } from "./options.js";
import { isThenable } from "./thenable.js";
import { Stopwatch, timeOf } from "./time.js";

/** What came of a call: cut at the deadline, or nothing where the caller cancelled. */
export type Called<Response> = { response: Response } | { error: unknown } | "cut" | undefined;

/** Makes calls and pauses on the caller's clock. Between these it holds no timer, and no listener of the caller's signal. */
export class Caller {
  readonly cancellation: Cancellation;
  readonly watch: Stopwatch;
  readonly #whatEnds: string;

  /** @param whatEnds what the deadline is one of, for those whose call is cut at it. */
  constructor(host: Pick<HostOptions<never>, "abortSignal" | "clock" | "sleep">, whatEnds: string) {
    this.cancellation = new Cancellation(host.abortSignal);
    this.watch = new Stopwatch(timeOf(host));
    this.#whatEnds = whatEnds;
  }

  async pause(ms: number): Promise<void> {
    const timer = new AbortController();
    try {
      await this.cancellation.orElse(this.watch.sleep(ms, timer.signal));
    } finally {
      timer.abort();
    }
  }

  /** Calls the operation; without a limit where so much time remains that it has none. */
  async called<Response>(call: Call<Response>, number: number, remainingMs: number): Promise<Called<Response>> {
    const controller = new AbortController();
    const timer = new AbortController();
    const attempt = { number, remaining: remainingMs / 1000, signal: controller.signal };
    try {
      const deadline = this.watch.elapsed() + remainingMs;
      const answer = settled(call, attempt);
      const ended = remainingMs === Number.POSITIVE_INFINITY ? answer : Promise.race([answer, this.#cut(deadline, timer.signal)]);
      const called = await this.cancellation.orElse<Called<Response>>(ended);
      if (called === undefined) controller.abort(this.cancellation.reason);
      if (called === "cut") controller.abort(new DOMException(`the ${this.#whatEnds}'s deadline is over`, "TimeoutError"));
      return called;
    } catch (error) {
      // The caller's own sleep failed.
      controller.abort(error);
      throw error;
    } finally {
      timer.abort();
    }
  }

  /**
   * Awaits what a callback of the caller's gave, where it is a promise: for as long as a call may take. What comes of it
   * later disturbs nobody.
   */
  async heard(told: unknown, deadline: number): Promise<void> {
    if (!isThenable(told)) return;
    const timer = new AbortController();
    try {
      const over = deadline === Number.POSITIVE_INFINITY ? [] : [this.watch.outlast(deadline, timer.signal)];
      await this.cancellation.orElse(Promise.race([told, ...over]));
    } finally {
      timer.abort();
    }
  }

  /** Resolves at the deadline. */
  async #cut(deadline: number, signal: AbortSignal): Promise<"cut"> {
    await this.watch.reach(deadline, signal);
    return "cut";
  }
}

/** What a call gives or throws, at once or later; never rejects, so that what comes too late disturbs nobody. */
async function settled<Response>(call: Call<Response>, attempt: Attempt): Promise<Called<Response>> {
  try {
    return { response: await call(attempt) };
  } catch (error) {
    return { error };
  }
}
