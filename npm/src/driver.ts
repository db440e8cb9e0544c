/**
 * The driver: calls, sleeps and tells the engine, which decides.
 *
 * @module
 */

import { Cancellation } from "./cancellation.js";
import type { Attempt, Call, HostOptions, Progress } from "./options.js";
import type { AttemptRecord, Outcome } from "./outcome.js";
import { sleep, turn } from "./sleep.js";
import type { CallStep, SleepStep, Step, Wait } from "./wait.js";

/** Drives a wait to its end. */
export async function drive<Response>(
  wait: Wait<Response>,
  call: Call<Response>,
  host: HostOptions<Response>,
): Promise<Outcome<Response>> {
  let driver: Driver<Response> | undefined;
  try {
    driver = new Driver(wait, call, host);
    return await driver.run();
  } finally {
    driver?.stop();
    wait.free();
  }
}

/** What came of a call. */
type Called<Response> = { response: Response } | { error: unknown } | "cut" | undefined;

class Driver<Response> {
  readonly #wait: Wait<Response>;
  readonly #call: Call<Response>;
  readonly #host: HostOptions<Response>;
  readonly #cancellation: Cancellation;
  readonly #clock: () => number;
  readonly #began: number;

  constructor(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    this.#wait = wait;
    this.#call = call;
    this.#host = host;
    this.#clock = host.clock ?? (() => performance.now());
    this.#began = this.#clock();
    this.#cancellation = new Cancellation(host.abortSignal);
  }

  async run(): Promise<Outcome<Response>> {
    let step = this.#next();
    while (step.type !== "done") {
      step = step.type === "call" ? await this.#attempt(step) : await this.#pause(step);
    }
    return step.outcome();
  }

  stop(): void {
    this.#cancellation.stop();
  }

  #next(): Step<Response> {
    return this.#cancellation.happened ? this.#cancel() : this.#wait.next(this.#elapsed());
  }

  #cancel(): Step<Response> {
    return this.#wait.cancel(this.#elapsed(), this.#cancellation.reason);
  }

  async #pause(step: SleepStep): Promise<Step<Response>> {
    const timer = new AbortController();
    try {
      if (!this.#cancellation.happened) {
        await this.#cancellation.orElse(this.#sleep(step.delayMs, timer.signal));
      }
    } finally {
      timer.abort();
    }
    return this.#next();
  }

  async #attempt(step: CallStep): Promise<Step<Response>> {
    const called = await this.#called(step);
    if (this.#cancellation.happened) return this.#cancel();
    const next = this.#observe(called);
    this.#report(called);
    return next;
  }

  #observe(called: Called<Response>): Step<Response> {
    const elapsed = this.#elapsed();
    if (typeof called !== "object") return this.#wait.expire(elapsed);
    return "response" in called
      ? this.#wait.observeResponse(called.response, elapsed)
      : this.#wait.observeThrown(called.error, elapsed);
  }

  /** Calls the operation, until it ends, the deadline is there, or the caller cancels. */
  async #called(step: CallStep): Promise<Called<Response>> {
    const controller = new AbortController();
    const timer = new AbortController();
    const deadline = this.#elapsed() + step.remainingMs;
    const attempt = { number: step.attempt, remaining: step.remainingMs / 1000, signal: controller.signal };
    try {
      const ended = Promise.race([settled(this.#call, attempt), this.#cut(deadline, timer.signal)]);
      const called = await this.#cancellation.orElse(ended);
      if (called === undefined) controller.abort(this.#cancellation.reason);
      if (called === "cut") controller.abort(new DOMException("the wait's deadline is over", "TimeoutError"));
      return called;
    } catch (error) {
      // The caller's own sleep failed.
      controller.abort(error);
      throw error;
    } finally {
      timer.abort();
    }
  }

  /** Resolves at the deadline. */
  async #cut(deadline: number, signal: AbortSignal): Promise<"cut"> {
    let rest = deadline - this.#elapsed();
    // A call that has its answer at hand goes first: where it held the thread past the deadline, and where a sleep of the
    // caller's may be one that only moves a clock on.
    if (rest <= 0 || this.#host.sleep !== undefined) await turn();
    // A timer may fire early: the clock decides.
    for (; rest > 0 && !signal.aborted; rest = deadline - this.#elapsed()) {
      await this.#sleep(rest, signal);
    }
    return "cut";
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const before = this.#elapsed();
    await (this.#host.sleep ?? sleep)(ms, signal);
    // A sleep that takes no time must not keep everything else from running.
    if (this.#elapsed() === before) await turn();
  }

  /** Whole milliseconds since the wait began. */
  #elapsed(): number {
    return Math.max(0, Math.floor(this.#clock() - this.#began));
  }

  #report(called: Called<Response>): void {
    const { onAttempt } = this.#host;
    const latest = onAttempt && this.#wait.latest();
    if (latest !== undefined) onAttempt?.(progressOf(...latest, called));
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

function progressOf<Response>(
  record: AttemptRecord,
  remainingMs: number,
  called: Called<Response>,
): Progress<Response> {
  const { attempt, result, state, acceptor, reasons, delayMs, last, endedMs } = record;
  const { response, error } = { response: undefined, error: undefined, ...(typeof called === "object" ? called : {}) };
  return {
    attempt,
    result,
    state,
    acceptor,
    reasons,
    delay: delayMs === undefined ? undefined : delayMs / 1000,
    last,
    remaining: remainingMs / 1000,
    elapsed: endedMs / 1000,
    response,
    error,
  };
}
