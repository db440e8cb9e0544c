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
 * The attempts of a wait, each once it has ended. The wait starts with the first `next`, and makes the next attempt when that is
 * requested; its time runs in between, too.
 *
 * - The loop ends when the wait succeeds; `outcome` has the result.
 * - A wait that fails throws its `WaiterError`.
 * - Breaking out of the loop cancels the wait at once, and a call in flight.
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
  }

  /** The result of a wait that has succeeded; `undefined` before. */
  get outcome(): Outcome<Response> | undefined {
    const done = this.#driver?.done;
    if (done?.state === "success") this.#outcome ??= done.outcome();
    return this.#outcome;
  }

  /** Returns the next attempt once it has ended, or the outcome, as the iterator's last value, once the wait has succeeded. */
  next(): Promise<IteratorResult<Progress<Response>, Outcome<Response> | undefined>> {
    return this.#run.next();
  }

  /** Cancels the wait; a `next` in progress ends without an attempt. */
  return(): Promise<IteratorResult<Progress<Response>, Outcome<Response> | undefined>> {
    if (this.#driver?.done === undefined) {
      this.#driver?.caller.cancellation.close(new DOMException("the loop over the attempts has ended", "AbortError"));
    }
    return this.#run.return(undefined);
  }

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
      for (let attempt = await driver.attempt(); attempt !== undefined; attempt = await driver.attempt()) yield attempt;
      if (driver.caller.cancellation.isClosed) return undefined;
      driver.done?.outcome();
      return this.outcome;
    } finally {
      wait.free();
    }
  }
}

export interface Attempts<Response> {
  /** Cancels the wait as `return` does, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

// Older platforms have no `Symbol.asyncDispose`.
if (Symbol.asyncDispose !== undefined) {
  Attempts.prototype[Symbol.asyncDispose] = async function () {
    await this.return();
  };
}
