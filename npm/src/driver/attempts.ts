/// <reference lib="esnext.disposable" preserve="true" />

/**
 * The attempts of a wait as an async iterator.
 *
 * @module
 */

import type { Call, HostOptions, Progress } from "../options.js";
import type { Outcome } from "../report/outcome.js";
import type { Wait } from "../wait.js";
import { WaitDriver } from "./wait.js";

/**
 * An async iterator over the attempts of a wait, which `Waiter#attempts` returns. The wait starts with the first `next`, and each
 * further `next` makes an attempt. The time between two attempts counts towards the deadline of the wait.
 *
 * - If the wait succeeds, the loop ends, and `outcome` has the result.
 * - If the wait fails, the loop throws a `WaiterError`.
 * - Breaking out of the loop cancels the wait and the call in flight.
 *
 * @example
 * ```js
 * const attempts = tableExists.attempts(call, { maxWaitTime: 300 });
 * for await (const { attempt, state, delay } of attempts) console.log(attempt, state, delay);
 * console.log(attempts.outcome.elapsed);
 * ```
 */
export class Attempts<Response = unknown> {
  readonly #run: AsyncGenerator<Progress<Response>, Outcome<Response> | undefined, void>;
  #driver: WaitDriver<Response> | undefined;
  #outcome: Outcome<Response> | undefined;

  /** @internal */
  constructor(start: () => Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    this.#run = this.#running(start, call, host);
    // Not beside the class, which bundlers would then keep. Older platforms have no `Symbol.asyncDispose`.
    if (Symbol.asyncDispose !== undefined) {
      Attempts.prototype[Symbol.asyncDispose] ??= async function () {
        await this.return();
      };
    }
  }

  /** The result of the wait; `undefined` until the wait has succeeded. */
  get outcome(): Outcome<Response> | undefined {
    const done = this.#driver?.done;
    if (done?.state === "success") this.#outcome ??= done.outcome();
    return this.#outcome;
  }

  /**
   * Makes the next attempt, and returns a promise that resolves when the attempt has ended. When the wait has succeeded, it
   * resolves with the outcome, as the iterator's return value.
   *
   * @throws WaiterError if the wait fails: the promise rejects with it.
   */
  next(): Promise<IteratorResult<Progress<Response>, Outcome<Response> | undefined>> {
    return this.#run.next();
  }

  /** Cancels the wait. A `next` in progress resolves without an attempt. */
  return(): Promise<IteratorResult<Progress<Response>, Outcome<Response> | undefined>> {
    // Returning from a loop that has ended must not cancel a success.
    if (this.#driver?.done === undefined) {
      this.#driver?.caller.cancellation.close(new DOMException("the loop over the attempts has ended", "AbortError"));
    }
    return this.#run.return(undefined);
  }

  /** Returns the iterator itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#running(
    start: () => Wait<Response>,
    call: Call<Response>,
    host: HostOptions<Response>,
  ): AsyncGenerator<Progress<Response>, Outcome<Response> | undefined, void> {
    const wait = start();
    try {
      const driver = (this.#driver = new WaitDriver(wait, call, host));
      for (let progress = await driver.attempt(); progress !== undefined; progress = await driver.attempt()) yield progress();
      // Breaking out of the loop is not a failure, so that nothing is thrown.
      if (driver.caller.cancellation.isClosed) return undefined;
      await driver.conclude();
      return this.outcome;
    } finally {
      // Not left to the garbage collector, which does not see the memory of the wasm.
      wait.free();
    }
  }
}

export interface Attempts<Response> {
  /** Cancels the wait at the end of an `await using` declaration, as {@link Attempts.return} does. */
  [Symbol.asyncDispose](): Promise<void>;
}
