/**
 * A pause, a call or a callback in progress.
 *
 * @module
 */

import type { Attempt, Call } from "../options.js";
import { runSoon, type StartTimer, type Stop } from "../timers.js";
import type { Cancellation } from "./cancellation.js";
import { type Clock, isMocked } from "./clock.js";

/** The clock that ends an operation, and the cancellation. */
export interface Limits {
  readonly cancellation: Cancellation;
  readonly clock: Clock;
}

/** An operation that ends once: when it completes, when the clock reaches a moment, or when the caller cancels. */
export class Pending<T = void> {
  readonly promise: Promise<T>;
  protected readonly limits: Limits;
  readonly #moment: number;
  #timers: readonly StartTimer[];
  #stop: Stop | undefined;
  #isOver = false;
  #resolve!: (result: T) => void;
  #reject!: (error: unknown) => void;

  constructor(limits: Limits, timers: readonly StartTimer[], moment: number) {
    this.limits = limits;
    this.#timers = timers;
    this.#moment = moment;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    limits.cancellation.pending = this;
  }

  end(result: T): void {
    if (this.#isFirst()) this.#resolve(result);
  }

  fail(error: unknown): void {
    if (this.#isFirst()) this.#reject(error);
  }

  /** Ends the operation because the caller cancels. */
  interrupt(): void {
    this.end(undefined as T);
  }

  /** Sleeps until the moment. Does not sleep if the moment has passed. */
  pause(): Promise<T> {
    this.#start();
    return this.#whenOver();
  }

  /** Ends at the moment, unless the operation has completed before. */
  untilDeadline(): Promise<T> {
    // The timer is started a microtask later, because an operation that completes at once does not need one.
    if (this.#moment < Number.POSITIVE_INFINITY) void Promise.resolve().then(() => this.#guard(() => this.#start()));
    return this.#whenOver();
  }

  /** Called when the clock has reached the moment. */
  protected onDeadline(): void {
    this.end(undefined as T);
  }

  #whenOver(): Promise<T> {
    // The signal may have been aborted before the listener was added, or by the call itself.
    if (!this.#isOver && this.limits.cancellation.isCancelled) this.interrupt();
    return this.promise;
  }

  #isFirst(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.limits.cancellation.pending = undefined;
    // A timer that is left running keeps a Node process alive.
    this.#stop?.();
    return true;
  }

  #start(): void {
    if (this.limits.clock.now() < this.#moment) this.#startTimer();
    // A call that blocked the thread past its deadline may have a result already, which is handled first.
    else this.#startSoon();
  }

  #startTimer(): void {
    const before = this.limits.clock.now();
    const timer = this.#timers[0]!;
    const fire = (): void => this.#guard(() => this.#onTimer(timer, before));
    this.#stop = timer(Math.max(0, this.#moment - before), fire, (error) => this.fail(error));
  }

  #startSoon(): void {
    this.#stop = runSoon(() => this.#guard(() => this.#check()));
  }

  #check(): void {
    if (this.limits.clock.now() >= this.#moment) this.onDeadline();
    else this.#startTimer();
  }

  /** Ends the operation, or starts the timer again if it fired early. */
  #onTimer(timer: StartTimer, before: number): void {
    const { clock } = this.limits;
    if (!isMocked(timer, clock.now() - before, this.#moment - before)) return this.#check();
    // The whole duration of a mocked timer counts as elapsed, unless another timer replaces it.
    if (this.#timers.length > 1) this.#timers = this.#timers.slice(1);
    else clock.skipTo(this.#moment);
    // Other code that is ready runs first, such as the handler of a call's result.
    this.#startSoon();
  }

  /** Fails with the errors of the caller's clock and sleep, which would otherwise be thrown to the event loop. */
  #guard(run: () => void): void {
    // Mocked timers may fire after they were stopped.
    if (this.#isOver) return;
    try {
      run();
    } catch (error) {
      this.fail(error);
    }
  }
}

/** The result of a call; `"cut"` if the call was aborted at its deadline. */
export type CallResult<Response> = { readonly response: Response } | { readonly error: unknown } | "cut";

/** The member of an attempt that refers to its call. Unlike a private member, a symbol works through a proxy. */
const CALL = Symbol("call");

/** The property `signal` of an attempt. It is an own property, so that a spread of the attempt contains it. */
const SIGNAL: PropertyDescriptor & ThisType<{ readonly [CALL]: PendingCall<unknown> }> = {
  enumerable: true,
  get() {
    return this[CALL].signal;
  },
};

/**
 * A call in progress. Its result is `undefined` if the caller cancels. The signal of its attempt is created when it is first read,
 * because signals are expensive.
 */
export class PendingCall<Response> extends Pending<CallResult<Response> | undefined> {
  #controller: AbortController | undefined;
  /** Returns the reason to abort the signal with; `undefined` until the call is aborted. */
  #reason: (() => unknown) | undefined;

  constructor(limits: Limits, deadline: number) {
    super(limits, limits.clock.timers.call, deadline);
  }

  /** Calls the operation. The result or the error of a call that was aborted is ignored. */
  make(call: Call<Response>, number: number, remaining: number): Promise<CallResult<Response> | undefined> {
    const attempt = Object.defineProperty({ number, remaining, [CALL]: this }, "signal", SIGNAL) as unknown as Attempt;
    try {
      // The rejection is always handled: a late one would otherwise end the Node process.
      Promise.resolve(call(attempt)).then((response) => this.end({ response }), (error: unknown) => this.end({ error }));
    } catch (error) {
      this.end({ error });
    }
    return this.untilDeadline();
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason());
    }
    return this.#controller.signal;
  }

  override fail(error: unknown): void {
    this.#abort(() => error);
    super.fail(error);
  }

  override interrupt(): void {
    this.#abort(() => this.limits.cancellation.reason);
    // A result that arrives at the same time comes first: it may show why the caller cancels.
    runSoon(() => super.interrupt());
  }

  protected override onDeadline(): void {
    this.#abort(timeoutError);
    this.end("cut");
  }

  #abort(reason: () => unknown): void {
    this.#reason = reason;
    this.#controller?.abort(reason());
  }
}

/** Returns an abort reason with the name that `AbortSignal.timeout` uses. */
function timeoutError(): DOMException {
  return new DOMException("the deadline of the attempt has passed", "TimeoutError");
}
