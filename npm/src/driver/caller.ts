/**
 * Calls, callbacks and pauses, each until it ends, its deadline passes, or the caller cancels.
 *
 * @module
 */

import type { Call, HostOptions } from "../options.js";
import { AttemptSignal, attemptOf } from "./attempt.js";
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
    return this.#interruptible<void>((end, fail) => this.clock.sleepUntil(until, end, fail));
  }

  /** Calls the operation. The result of a call that was cut or cancelled is ignored, an error too. */
  call<Response>(call: Call<Response>, number: number, deadline: number): Promise<Called<Response>> {
    const lazy = new AttemptSignal();
    const attempt = attemptOf(number, (deadline - this.clock.now()) / 1000, lazy);
    return this.#interruptible<Called<Response>>(
      (end, fail) => {
        const failed = (error: unknown): void => {
          lazy.abort(error);
          fail(error);
        };
        settle(() => call(attempt), (response) => end({ response }), (error) => end({ error }));
        return this.#deadline(deadline, this.clock.alarm, () => (lazy.abortAtDeadline(), end("cut")), failed);
      },
      () => (lazy.abort(this.cancellation.reason), "cancelled"),
    );
  }

  /** Awaits the promise of a callback until the deadline. A rejection after that is ignored. */
  awaitCallback(promise: PromiseLike<unknown>, deadline: number): Promise<void> {
    return this.#interruptible<void>((end, fail) => {
      settle(() => promise, () => end(), fail);
      return this.#deadline(deadline, this.clock.patience, end, fail);
    });
  }

  #deadline(at: number, timer: StartTimer, passed: () => void, failed: (error: unknown) => void): Stop | undefined {
    return at === Number.POSITIVE_INFINITY ? undefined : startDeadline(this.clock, at, timer, passed, failed);
  }

  /** Settles with the first call of `end` or `fail`, or with what `interrupted` returns once the caller cancels. */
  #interruptible<T>(
    start: (end: (result: T) => void, fail: (error: unknown) => void) => Stop | undefined,
    interrupted?: () => T,
  ): Promise<T> {
    const { cancellation } = this;
    return new Promise<T>((resolve, reject) => {
      let over = false;
      let stop: Stop | undefined;
      const finish = (): boolean => {
        if (over) return false;
        over = true;
        cancellation.interrupt = undefined;
        stop?.();
        return true;
      };
      const interrupt = (): void => {
        if (finish()) resolve(interrupted?.() as T);
      };
      stop = start(
        (result) => void (finish() && resolve(result)),
        (error) => void (finish() && reject(error)),
      );
      if (over) stop?.();
      else if (cancellation.happened) interrupt();
      else cancellation.interrupt = interrupt;
    });
  }
}

/** Calls `succeeded` or `failed` later, with what `run` returns or throws, or its promise settles with. */
function settle<T>(run: () => PromiseLike<T> | T, succeeded: (value: T) => void, failed: (error: unknown) => void): void {
  let result: Promise<T>;
  try {
    result = Promise.resolve(run());
  } catch (error) {
    result = Promise.reject(error);
  }
  result.then(succeeded, failed);
}
