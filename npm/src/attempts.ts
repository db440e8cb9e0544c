/// <reference lib="esnext.disposable" preserve="true" />

/**
 * The attempts of a wait as an async iterator.
 *
 * @module
 */

import { Driver } from "./driver.js";
import type { Call, HostOptions, Progress } from "./options.js";
import type { Outcome } from "./outcome.js";
import type { Wait } from "./wait.js";

/**
 * The attempts of a wait, each as it has ended. The wait begins when the first one is asked for, and goes on while the
 * next one is; its time runs in between, too.
 *
 * - It ends when the wait succeeds: `outcome` says how.
 * - A wait that does not succeed is thrown, as the `WaiterError` that it is.
 * - Who leaves the loop cancels the wait at once, a call that is in flight included.
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
  #driver: Driver<Response> | undefined;
  #outcome: Outcome<Response> | undefined;

  /** @internal */
  constructor(start: () => Wait<Response>, call: Call<Response>, host: HostOptions<Response>) {
    this.#run = this.#running(start, call, host);
  }

  /** How the wait succeeded; `undefined` as long as it has not. */
  get outcome(): Outcome<Response> | undefined {
    const done = this.#driver?.done;
    if (done?.state === "success") this.#outcome ??= done.outcome();
    return this.#outcome;
  }

  /** The next attempt, once it has ended; the outcome, as the iterator's last value, once the wait has succeeded. */
  next(): Promise<IteratorResult<Progress<Response>, Outcome<Response> | undefined>> {
    return this.#run.next();
  }

  /** Cancels the wait; a `next` that is under way ends without an attempt. */
  return(): Promise<IteratorResult<Progress<Response>, Outcome<Response> | undefined>> {
    if (this.#driver?.done === undefined) {
      this.#driver?.close(new DOMException("nobody asks for further attempts", "AbortError"));
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
      const driver = (this.#driver = new Driver(wait, call, host));
      for (let attempt = await driver.attempt(); attempt !== undefined; attempt = await driver.attempt()) yield attempt;
      if (driver.isClosed) return undefined;
      driver.done?.outcome();
      return this.outcome;
    } finally {
      wait.free();
      this.#driver?.end();
    }
  }
}

export interface Attempts<Response> {
  /** The same as `return`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

// Where there is no `Symbol.asyncDispose` yet, nothing can ask for it.
if (Symbol.asyncDispose !== undefined) {
  Attempts.prototype[Symbol.asyncDispose] = async function () {
    await this.return();
  };
}
