/**
 * The loop over the steps of a machine.
 *
 * @module
 */

import { DONE, SLEEP } from "../constants.js";
import type { EngineWait } from "../engine/engine.js";
import type { Call, HostOptions } from "../options.js";
import { isAbort } from "../values/error-metadata.js";
import { Caller } from "./caller.js";
import type { CallResult } from "./pending.js";

/** Drives a state machine of the engine. Between its promises it does not hold a timer or a listener. */
export abstract class Driver<Response> {
  readonly caller: Caller;
  /** The step after the newest attempt. */
  protected step: number | undefined;
  readonly #call: Call<Response>;

  constructor(call: Call<Response>, host: Pick<HostOptions<never>, "abortSignal" | "clock" | "sleep">) {
    this.#call = call;
    this.caller = new Caller(host);
  }

  /** Returns the step that is due. */
  protected abstract poll(now: number): number;

  /** Cancels the state machine and returns its last step. */
  protected abstract cancel(now: number, reason: unknown): number;

  /** Performs steps until a call has ended, and returns its result; `undefined` if the state machine has ended. */
  protected async next(times: Pick<EngineWait, "attempt" | "deadlineMs" | "untilMs">): Promise<CallResult<Response> | undefined> {
    const { caller } = this;
    for (let step = this.step ?? this.#due(); step !== DONE; step = this.#due()) {
      if (step === SLEEP) {
        await caller.pause(times.untilMs);
        continue;
      }
      const result = await caller.call(this.#call, times.attempt, times.deadlineMs);
      // The caller cancelled: the next step is the end.
      if (result === undefined) continue;
      if (!caller.cancellation.isCancelled) return result;
      // The cancellation decides, but the newest result may show why the caller cancelled.
      if (result !== "cut" && !isEcho(result, caller.cancellation.reason)) this.keep(result);
    }
    return undefined;
  }

  /** Stores the result of a call that a cancellation overtakes. */
  protected keep(_result: Exclude<CallResult<Response>, "cut">): void {}

  #due(): number {
    const { cancellation, clock } = this.caller;
    return cancellation.isCancelled ? this.cancel(clock.now(), cancellation.reason) : this.poll(clock.now());
  }
}

/** Tells whether a result only reports that the call was aborted. */
function isEcho(result: { readonly response: unknown } | { readonly error: unknown }, reason: unknown): boolean {
  if (!("error" in result)) return false;
  const { error } = result;
  return error === reason || (error instanceof Error && isAbort(error));
}
