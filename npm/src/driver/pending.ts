/**
 * A pause, a call or a callback in progress.
 *
 * @module
 */

import type { Attempt, Call } from "../options.js";
import type { Caller } from "./caller.js";
import { isMocked } from "./clock.js";
import { soon, type StartTimer, type Stop } from "./timers.js";

/** An operation that ends once: by itself, when the clock reaches a moment, or when the caller cancels. */
export class Pending<T = void> {
  readonly promise: Promise<T>;
  protected readonly caller: Caller;
  readonly #moment: number;
  #timers: readonly StartTimer[];
  #stop: Stop | undefined;
  #isOver = false;
  #resolve!: (result: T) => void;
  #reject!: (error: unknown) => void;

  constructor(caller: Caller, timers: readonly StartTimer[], moment: number) {
    this.caller = caller;
    this.#timers = timers;
    this.#moment = moment;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    caller.cancellation.pending = this;
  }

  end(result: T): void {
    if (this.#isFirst()) this.#resolve(result);
  }

  fail(error: unknown): void {
    if (this.#isFirst()) this.#reject(error);
  }

  /** Ends because the caller cancels. */
  interrupt(): void {
    this.end(undefined as T);
  }

  /** Ends a pause at its moment; one that is over already is not slept. */
  pause(): Promise<T> {
    this.#start();
    return this.#started();
  }

  /** Ends at its moment, unless it ends by itself before: one that has its result at once needs no timer. */
  untilDeadline(): Promise<T> {
    if (this.#moment < Number.POSITIVE_INFINITY) void Promise.resolve().then(() => this.#guard(() => this.#start()));
    return this.#started();
  }

  /** The moment has come. */
  protected passed(): void {
    this.end(undefined as T);
  }

  #started(): Promise<T> {
    if (!this.#isOver && this.caller.cancellation.happened) this.interrupt();
    return this.promise;
  }

  #isFirst(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.caller.cancellation.pending = undefined;
    this.#stop?.();
    return true;
  }

  #start(): void {
    if (this.caller.clock.now() < this.#moment) this.#startTimer();
    // A call that held the thread past its deadline may have its answer.
    else this.#startSoon();
  }

  #startTimer(): void {
    const before = this.caller.clock.now();
    const timer = this.#timers[0]!;
    const fired = (): void => this.#guard(() => this.#fired(timer, before));
    this.#stop = timer(Math.max(0, this.#moment - before), fired, (error) => this.fail(error));
  }

  #startSoon(): void {
    this.#stop = soon(() => this.#guard(() => this.#check()));
  }

  #check(): void {
    if (this.caller.clock.now() >= this.#moment) this.passed();
    else this.#startTimer();
  }

  /** A timer that fires early is started again. */
  #fired(timer: StartTimer, before: number): void {
    const { clock } = this.caller;
    if (!isMocked(timer, clock.now() - before, this.#moment - before)) return this.#check();
    // A timer that takes no time counts as passed, unless another one takes over.
    if (this.#timers.length > 1) this.#timers = this.#timers.slice(1);
    else clock.skipTo(this.#moment);
    // Everything else has to run in between, the answer of a call too.
    this.#startSoon();
  }

  /** Fails with errors of the caller's clock and sleep: the timers of a host have nobody to throw them to. */
  #guard(run: () => void): void {
    // Mocked timers may fire although they were stopped.
    if (this.#isOver) return;
    try {
      run();
    } catch (error) {
      this.fail(error);
    }
  }
}

/** The end of a call that the caller has not cancelled. */
export type Ended<Response> = { readonly response: Response } | { readonly error: unknown } | "cut";

/** The call that an attempt is handed to: by a symbol, which proxies pass on. */
const CALL = Symbol("call");

/** An attempt has its signal as a property of the object itself, so that a spread has it, too. */
const SIGNAL: PropertyDescriptor & ThisType<{ readonly [CALL]: PendingCall<unknown> }> = {
  enumerable: true,
  get() {
    return this[CALL].signal;
  },
};

/** A call in progress, which ends with nothing if the caller cancels. The signal of its attempt is created when it is first read. */
export class PendingCall<Response> extends Pending<Ended<Response> | undefined> {
  #controller: AbortController | undefined;
  /** Returns the reason of an aborted signal. */
  #reason: (() => unknown) | undefined;

  constructor(caller: Caller, deadline: number) {
    super(caller, caller.clock.timers.call, deadline);
  }

  /** Calls the operation. The result of a call that was cut or cancelled is ignored, an error too. */
  make(call: Call<Response>, number: number, remaining: number): Promise<Ended<Response> | undefined> {
    const attempt = Object.defineProperty({ number, remaining, [CALL]: this }, "signal", SIGNAL) as unknown as Attempt;
    try {
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
    this.#abort(() => this.caller.cancellation.reason);
    super.interrupt();
  }

  protected override passed(): void {
    this.#abort(timeoutError);
    this.end("cut");
  }

  #abort(reason: () => unknown): void {
    this.#reason = reason;
    this.#controller?.abort(reason());
  }
}

/** The reason that platforms' own timeouts have. */
function timeoutError(): DOMException {
  return new DOMException("the deadline of the attempt has passed", "TimeoutError");
}
