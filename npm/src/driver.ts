/**
 * The driver: calls, sleeps and tells the engine, which decides.
 *
 * @module
 */

import { Cancellation } from "./cancellation.js";
import type { DoneStep } from "./done.js";
import type { Attempt, Call, HostOptions, Progress } from "./options.js";
import type { AttemptRecord, Outcome } from "./outcome.js";
import { Stopwatch, timeOf } from "./time.js";
import type { CallStep, SleepStep, Step, Wait } from "./wait.js";

/** Drives a wait to its end. */
export async function drive<Response>(
  wait: Wait<Response>,
  call: Call<Response>,
  host: HostOptions<Response>,
): Promise<Outcome<Response>> {
  try {
    return await new Driver(wait, call, host).toEnd();
  } finally {
    wait.free();
  }
}

/** What came of a call. */
type Called<Response> = { response: Response } | { error: unknown } | "cut" | undefined;

/** Drives one wait. Between its promises it holds nothing but the wait: no timer, and no listener of the caller's signal. */
export class Driver<Response> {
  readonly #wait: Wait<Response>;
  readonly #call: Call<Response>;
  readonly #onAttempt: HostOptions<Response>["onAttempt"];
  readonly #cancellation: Cancellation;
  readonly #watch: Stopwatch;
  #done: DoneStep<Response> | undefined;

  constructor(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    this.#wait = wait;
    this.#call = call;
    this.#onAttempt = host.onAttempt ?? undefined;
    this.#cancellation = new Cancellation(host.abortSignal);
    this.#watch = new Stopwatch(timeOf(host));
  }

  /** The end of the wait, where it has one already. */
  get done(): DoneStep<Response> | undefined {
    return this.#done;
  }

  /** Whether the caller has stopped to ask for attempts. */
  get isClosed(): boolean {
    return this.#cancellation.isClosed;
  }

  /** Ends the call or the pause that is under way: nobody asks for what comes of it. */
  close(reason: unknown): void {
    this.#cancellation.close(reason);
  }

  async toEnd(): Promise<Outcome<Response>> {
    const onAttempt = this.#onAttempt;
    while (this.#done === undefined) {
      const called = await this.#toAttempt();
      if (onAttempt !== undefined && called !== undefined) this.#report(called, onAttempt);
    }
    return this.#done.outcome();
  }

  /** The next attempt that has ended; nothing where the wait ends without a further one. */
  async attempt(): Promise<Progress<Response> | undefined> {
    while (this.#done === undefined) {
      const called = await this.#toAttempt();
      if (called !== undefined) return this.#progress(called);
    }
    return undefined;
  }

  #report(called: Called<Response>, onAttempt: (progress: Progress<Response>) => void): void {
    const progress = this.#progress(called);
    if (progress !== undefined) onAttempt(progress);
  }

  /** Takes the step that is due; gives what came of a call that the engine was told of. */
  async #toAttempt(): Promise<Called<Response>> {
    const step = this.#next();
    if (step.type === "call") return this.#attempt(step);
    if (step.type === "sleep") await this.#pause(step);
    return undefined;
  }

  #next(): Step<Response> {
    return this.#took(this.#cancellation.happened ? this.#cancel() : this.#wait.next(this.#watch.elapsed()));
  }

  #cancel(): Step<Response> {
    return this.#wait.cancel(this.#watch.elapsed(), this.#cancellation.reason);
  }

  #took(step: Step<Response>): Step<Response> {
    if (step.type === "done") this.#done = step;
    return step;
  }

  async #pause(step: SleepStep): Promise<void> {
    const timer = new AbortController();
    try {
      await this.#cancellation.orElse(this.#watch.sleep(step.delayMs, timer.signal));
    } finally {
      timer.abort();
    }
  }

  async #attempt(step: CallStep): Promise<Called<Response>> {
    const called = await this.#called(step);
    if (!this.#cancellation.happened) {
      this.#took(this.#observe(called));
      return called;
    }
    this.#took(this.#cancel());
    return undefined;
  }

  #observe(called: Called<Response>): Step<Response> {
    const elapsed = this.#watch.elapsed();
    if (typeof called !== "object") return this.#wait.expire(elapsed);
    return "response" in called
      ? this.#wait.observeResponse(called.response, elapsed)
      : this.#wait.observeThrown(called.error, elapsed);
  }

  /** Calls the operation, until it ends, the deadline is there, or the caller cancels. */
  async #called(step: CallStep): Promise<Called<Response>> {
    const controller = new AbortController();
    const timer = new AbortController();
    const deadline = this.#watch.elapsed() + step.remainingMs;
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
    await this.#watch.reach(deadline, signal);
    return "cut";
  }

  #progress(called: Called<Response>): Progress<Response> | undefined {
    const latest = this.#wait.latest();
    return latest && progressOf(...latest, called);
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
  const { attempt, result, state, acceptor, reasons, delayMs, nextIsLast, endedMs } = record;
  const { response, error } = { response: undefined, error: undefined, ...(typeof called === "object" ? called : {}) };
  const progress = {
    attempt,
    result,
    state,
    acceptor,
    reasons,
    delay: delayMs === undefined ? undefined : delayMs / 1000,
    nextIsLast,
    remaining: remainingMs / 1000,
    elapsed: endedMs / 1000,
    response,
    error,
  };
  // The engine's `result` says which of the two was given.
  return progress as Progress<Response>;
}
