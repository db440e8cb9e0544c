/**
 * Calls, callbacks and pauses, each until it ends, its deadline passes, or the caller cancels.
 *
 * @module
 */

import type { Call, HostOptions } from "../options.js";
import { PendingAttempt } from "./attempt.js";
import { Cancellation } from "./cancellation.js";
import { Clock } from "./clock.js";
import { startDeadline } from "./deadline.js";
import type { StartTimer, Stop } from "./timers.js";

/** The end of a call. */
export type Called<Response> = { response: Response } | { error: unknown } | "cancelled" | "cut";

/** Makes calls and pauses on the host's clock. Between these it holds no timer. */
export class Caller {
  readonly cancellation: Cancellation;
  readonly clock: Clock;

  constructor(host: Pick<HostOptions<never>, "abortSignal" | "clock" | "sleep">) {
    this.cancellation = new Cancellation(host.abortSignal);
    this.clock = new Clock(host);
  }

  /** Sleeps until a moment; it may end early. */
  pause(until: number): Promise<void> {
    return this.#interruptible<void>(undefined, (end, fail) => this.clock.sleepUntil(until, end, fail));
  }

  /** Calls the operation. The result of a call that was cut or cancelled is ignored, an error too. */
  call<Response>(call: Call<Response>, number: number, deadline: number): Promise<Called<Response>> {
    const attempt = new PendingAttempt(number, Math.max(0, deadline - this.clock.now()) / 1000);
    const abort = (reason: () => unknown): void => PendingAttempt.abort(attempt, reason);
    const interrupted = (): "cancelled" => (abort(() => this.cancellation.reason), "cancelled");
    return this.#interruptible<Called<Response>>(interrupted, (end, fail) => {
      resultOf(call, attempt).then((response) => end({ response }), (error: unknown) => end({ error }));
      const cut = (): void => (abort(timeoutError), end("cut"));
      const failed = (error: unknown): void => (abort(() => error), fail(error));
      return this.#deadline(deadline, this.clock.alarm, cut, failed);
    });
  }

  /** Awaits the promise of a callback until the deadline. A rejection after that is ignored. */
  awaitCallback(promise: PromiseLike<unknown>, deadline: number): Promise<void> {
    return this.#interruptible<void>(undefined, (end, fail) => {
      Promise.resolve(promise).then(() => end(), fail);
      return this.#deadline(deadline, this.clock.patience, end, fail);
    });
  }

  #deadline(at: number, timer: StartTimer, passed: () => void, failed: (error: unknown) => void): Stop | undefined {
    return at === Number.POSITIVE_INFINITY ? undefined : startDeadline(this.clock, at, timer, passed, failed);
  }

  /** Settles with the first call of `end` or `fail`, or with the result of `interrupted` once the caller cancels. */
  #interruptible<T>(
    interrupted: (() => T) | undefined,
    start: (end: (result: T) => void, fail: (error: unknown) => void) => Stop | undefined,
  ): Promise<T> {
    const { cancellation } = this;
    return new Promise<T>((resolve, reject) => {
      let over = false;
      let stop: Stop | undefined;
      const isFirst = (): boolean => {
        if (over) return false;
        over = true;
        cancellation.interrupt = undefined;
        stop?.();
        return true;
      };
      const end = (result: T): void => {
        if (isFirst()) resolve(result);
      };
      const fail = (error: unknown): void => {
        if (isFirst()) reject(error);
      };
      const interrupt = (): void => end(interrupted?.() as T);
      stop = start(end, fail);
      if (over) stop?.();
      else if (cancellation.happened) interrupt();
      else cancellation.interrupt = interrupt;
    });
  }
}

/** The reason that platforms' own timeouts have. */
function timeoutError(): DOMException {
  return new DOMException("the deadline of the attempt has passed", "TimeoutError");
}

/** Calls the operation; what it throws is a rejection. */
function resultOf<Response>(call: Call<Response>, attempt: PendingAttempt): Promise<Response> {
  try {
    return Promise.resolve(call(attempt));
  } catch (error) {
    return Promise.reject(error);
  }
}
