/**
 * Calls, callbacks and pauses, which end at their deadline or if the caller cancels.
 *
 * @module
 */

import type { Call, HostOptions } from "../options.js";
import { Cancellation } from "./cancellation.js";
import { Clock } from "./clock.js";
import { type CallResult, Pending, PendingCall } from "./pending.js";

/** Makes calls and pauses on the host's clock. Between them it does not hold a timer. */
export class Caller {
  readonly cancellation: Cancellation;
  readonly clock: Clock;

  constructor(host: Pick<HostOptions<never>, "abortSignal" | "clock" | "sleep">) {
    this.cancellation = new Cancellation(host.abortSignal);
    this.clock = new Clock(host);
  }

  /** Sleeps until a time in milliseconds since the start. */
  pause(until: number): Promise<void> {
    return new Pending(this, this.clock.timers.pause, until).pause();
  }

  /** Calls the operation; returns `undefined` if the caller has cancelled. */
  call<Response>(call: Call<Response>, number: number, deadline: number): Promise<CallResult<Response> | undefined> {
    // At least 0, because the deadline may have passed since the step was decided. A negative time would look like no
    // limit.
    return new PendingCall<Response>(this, deadline).make(call, number, Math.max(0, deadline - this.clock.now()) / 1000);
  }

  /** Awaits the promise of a callback until the deadline. A later rejection is ignored. */
  awaitCallback(promise: PromiseLike<unknown>, deadline: number): Promise<void> {
    const pending = new Pending(this, this.clock.timers.callback, deadline);
    // With a deadline, because a callback that never resolves must not hang the wait.
    Promise.resolve(promise).then(() => pending.end(), (error) => pending.fail(error));
    return pending.untilDeadline();
  }
}
