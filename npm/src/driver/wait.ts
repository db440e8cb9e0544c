/**
 * The driver of a wait: a loop over its steps.
 *
 * @module
 */

import type { DoneStep } from "../done.js";
import type { Call, HostOptions, Progress } from "../options.js";
import type { AttemptRecord, Outcome } from "../outcome.js";
import { atOnce, isThenable } from "../thenable.js";
import type { Step, Wait } from "../wait.js";
import { type Called, Caller } from "./caller.js";

/** Drives a wait to its end. */
export async function drive<Response>(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>): Promise<Outcome<Response>> {
  try {
    return await new WaitDriver(wait, call, host).toEnd();
  } finally {
    wait.free();
  }
}

/** The end of a call that the wait was told. */
type Ended<Response> = Exclude<Called<Response>, "cancelled">;

/** Drives one wait. Between its promises it holds no timer and no listener. */
export class WaitDriver<Response> {
  readonly #wait: Wait<Response>;
  readonly #call: Call<Response>;
  readonly #onAttempt: HostOptions<Response>["onAttempt"];
  readonly #matcher: HostOptions<Response>["matcher"];
  readonly #caller: Caller;
  #step: Step<Response>;

  constructor(wait: Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    this.#wait = wait;
    this.#call = call;
    this.#onAttempt = host.onAttempt;
    this.#matcher = host.matcher;
    this.#caller = new Caller(host);
    this.#step = this.#poll();
  }

  /** The end of the wait, once it has ended. */
  get done(): DoneStep<Response> | undefined {
    return this.#step.type === "done" ? this.#step : undefined;
  }

  /** `true` once the caller has left the loop. */
  get isClosed(): boolean {
    return this.#caller.cancellation.isClosed;
  }

  /** Interrupts the call or the pause in progress. */
  close(reason: unknown): void {
    this.#caller.cancellation.close(reason);
  }

  toEnd(): Promise<Outcome<Response>> {
    return this.#caller.cancellation.during(async () => {
      for (let ended = await this.#next(); ended !== undefined; ended = await this.#next()) {
        const result = this.#onAttempt?.(this.#progress(ended));
        if (isThenable(result)) await this.#caller.awaitCallback(result, this.#wait.endMs);
      }
      return this.done!.outcome();
    });
  }

  /** Returns the next attempt that has ended, or `undefined` if the wait ends without another one. */
  attempt(): Promise<Progress<Response> | undefined> {
    return this.#caller.cancellation.during(async () => {
      const ended = await this.#next();
      return ended && this.#progress(ended);
    });
  }

  /** Takes steps until an attempt has ended, or the wait. */
  async #next(): Promise<Ended<Response> | undefined> {
    for (let step = this.#step; step.type !== "done"; step = this.#step) {
      if (step.type === "sleep") {
        await this.#caller.pause(step.untilMs);
        this.#step = this.#poll();
        continue;
      }
      const called = await this.#caller.call(this.#call, step.attempt, step.deadlineMs);
      if (called === "cancelled" || this.#caller.cancellation.happened) {
        this.#step = this.#cancel();
        continue;
      }
      this.#step = this.#handle(called);
      return called;
    }
    return undefined;
  }

  #poll(): Step<Response> {
    return this.#caller.cancellation.happened ? this.#cancel() : this.#wait.poll(this.#caller.clock.now());
  }

  #cancel(): Step<Response> {
    const { cancellation, clock } = this.#caller;
    return this.#wait.handle({ type: "cancelled", reason: cancellation.reason }, clock.now());
  }

  #handle(called: Ended<Response>): Step<Response> {
    const now = this.#caller.clock.now();
    if (called === "cut") return this.#wait.handle({ type: "deadlineReached" }, now);
    if ("error" in called) return this.#wait.handleThrown(called.error, now);
    const { response } = called;
    const matcher = this.#matcher;
    if (!matcher) return this.#wait.handle({ type: "response", response }, now);
    const acceptor = acceptorFound(atOnce("matcher", matcher(response)));
    return this.#wait.handle({ type: "verdict", acceptor, response }, now);
  }

  #progress(ended: Ended<Response>): Progress<Response> {
    const wait = this.#wait;
    return progressOf(wait.latest()!, Math.max(0, wait.endMs - wait.nowMs), ended);
  }
}

/** Checks the index that a matcher returned. */
function acceptorFound(index: number | null | undefined): number | undefined {
  if (index === undefined || index === null) return undefined;
  if (Number.isInteger(index) && index >= 0) return index;
  throw new TypeError(`\`matcher\` must give the index of an acceptor or undefined, got ${String(index)}`);
}

function progressOf<Response>(record: AttemptRecord, remainingMs: number, ended: Ended<Response>): Progress<Response> {
  const { attempt, result, state, acceptor, reasons, delayMs, nextIsLast, endedMs } = record;
  const { response, error } = { response: undefined, error: undefined, ...(ended === "cut" ? {} : ended) };
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
  // Its `result` narrows the type: the record and the end of the call are of the same attempt.
  return progress as Progress<Response>;
}
