/**
 * The driver: calls, sleeps and tells the engine, which decides.
 *
 * @module
 */

import { type Called, Caller } from "./calling.js";
import type { DoneStep } from "./done.js";
import type { Call, HostOptions, Progress } from "./options.js";
import type { AttemptRecord, Outcome } from "./outcome.js";
import { atOnce, isThenable } from "./thenable.js";
import { Transients } from "./transients.js";
import type { CallStep, Step, Wait } from "./wait.js";

/** Drives a wait to its end. */
export async function drive<Response>(
  wait: Wait<Response>,
  call: Call<Response>,
  host: HostOptions<Response>,
): Promise<Outcome<Response>> {
  let driver: Driver<Response> | undefined;
  try {
    driver = new Driver(wait, call, host);
    return await driver.toEnd();
  } finally {
    wait.free();
    driver?.end();
  }
}

/** Drives one wait. Between its promises it holds nothing but the wait: no timer, and no listener of the caller's signal. */
export class Driver<Response> {
  readonly #wait: Wait<Response>;
  readonly #call: Call<Response>;
  readonly #onAttempt: HostOptions<Response>["onAttempt"];
  readonly #matcher: HostOptions<Response>["matcher"];
  readonly #caller: Caller;
  readonly #transients: Transients | undefined;
  #done: DoneStep<Response> | undefined;
  /** Until when the newest call might take. */
  #deadline = 0;

  constructor(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    this.#wait = wait;
    this.#call = call;
    this.#onAttempt = host.onAttempt ?? undefined;
    this.#matcher = host.matcher;
    this.#caller = new Caller(host, "wait");
    this.#transients = host.retryStrategy ? new Transients(host.retryStrategy) : undefined;
  }

  /** The end of the wait, where it has one already. */
  get done(): DoneStep<Response> | undefined {
    return this.#done;
  }

  /** Whether the caller has stopped to ask for attempts. */
  get isClosed(): boolean {
    return this.#caller.cancellation.isClosed;
  }

  /** Ends the call or the pause that is under way: nobody asks for what comes of it. */
  close(reason: unknown): void {
    this.#caller.cancellation.close(reason);
  }

  /** Nothing follows: an attempt that was granted is not made. */
  end(): void {
    this.#transients?.close();
  }

  async toEnd(): Promise<Outcome<Response>> {
    const onAttempt = this.#onAttempt;
    while (this.#done === undefined) {
      const called = await this.#toAttempt();
      if (onAttempt === undefined || called === undefined) continue;
      const told = this.#report(called, onAttempt);
      if (isThenable(told)) await this.#caller.heard(told, this.#deadline);
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

  #report(called: Called<Response>, onAttempt: (progress: Progress<Response>) => unknown): unknown {
    const progress = this.#progress(called);
    return progress === undefined ? undefined : onAttempt(progress);
  }

  /** Takes the step that is due; gives what came of a call that the engine was told of. */
  async #toAttempt(): Promise<Called<Response>> {
    const step = this.#next();
    if (step.type === "call") return this.#attempt(step);
    if (step.type === "sleep") await this.#caller.pause(step.delayMs);
    return undefined;
  }

  #next(): Step<Response> {
    return this.#took(this.#caller.cancellation.happened ? this.#cancel() : this.#wait.next(this.#caller.watch.elapsed()));
  }

  #cancel(): Step<Response> {
    return this.#wait.cancel(this.#caller.watch.elapsed(), this.#caller.cancellation.reason);
  }

  #took(step: Step<Response>): Step<Response> {
    if (step.type === "done") this.#done = step;
    return step;
  }

  async #attempt(step: CallStep): Promise<Called<Response>> {
    this.#transients?.begin();
    this.#deadline = this.#caller.watch.elapsed() + step.remainingMs;
    const called = await this.#caller.called(this.#call, step.attempt, step.remainingMs);
    if (!this.#caller.cancellation.happened) {
      this.#took(this.#observe(called));
      return called;
    }
    this.#took(this.#cancel());
    return undefined;
  }

  #observe(called: Called<Response>): Step<Response> {
    const elapsed = this.#caller.watch.elapsed();
    if (typeof called !== "object") return this.#wait.expire(elapsed);
    const step = "error" in called ? this.#wait.observeThrown(called.error, elapsed, this.#transients) : this.#observeResponse(called.response, elapsed);
    if (this.#transients && (!("error" in called) || this.#wait.latest()?.[0].acceptor !== undefined)) this.#transients.succeed();
    return step;
  }

  #observeResponse(response: Response, elapsed: number): Step<Response> {
    const matcher = this.#matcher;
    if (!matcher) return this.#wait.observeResponse(response, elapsed);
    return this.#wait.observeMatched(response, found(atOnce("matcher", matcher(response))), elapsed);
  }

  #progress(called: Called<Response>): Progress<Response> | undefined {
    const latest = this.#wait.latest();
    return latest && progressOf(...latest, called);
  }
}

/** The index of the acceptor that a matcher found, -1 for none. */
function found(index: number | null | undefined): number {
  if (index === undefined || index === null) return -1;
  if (Number.isInteger(index) && index >= 0) return index;
  throw new TypeError(`\`matcher\` must give the index of an acceptor or undefined, got ${String(index)}`);
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
