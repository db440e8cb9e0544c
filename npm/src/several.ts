/**
 * Several waits of different kinds under one deadline.
 *
 * @module
 */

import { Cancellation } from "./driver/cancellation.js";
import { outcomesOf } from "./driver/group.js";
import { EngineTally, maxWait } from "./engine/engine.js";
import { type OptionsError, WaiterError } from "./errors/waiter.js";
import { checkBare, checkNames, checkSignal, mustBe } from "./input/checks.js";
import { inSlots } from "./input/engine-call.js";
import type { Outcome } from "./report/outcome.js";
import { startTimer, type Stop } from "./timers.js";
import { Waiter } from "./waiter.js";

/** The options of `waitAll` and `waitAny`. */
export interface SeveralOptions {
  /** The maximum duration of all waits, in seconds, more than 0. */
  readonly maxWaitTime: number;
  /** A signal that cancels all waits. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** The options that `waitAll` and `waitAny` share among their waits. Each function passes them to `Waiter#wait`. */
export interface SharedOptions {
  /** The deadline of all waits, in milliseconds as `Date.now()` returns them. */
  readonly deadline: number;
  /** A signal that is aborted when the other waits need not go on. */
  readonly abortSignal: AbortSignal;
}

/** A function that starts one of several waits, and returns the promise of its outcome. */
export type SharedWait<Response = unknown> = (options: SharedOptions) => PromiseLike<Outcome<Response>>;

type Outcomes<Waits extends Readonly<Record<string, SharedWait>>> = { -readonly [Name in keyof Waits]: Awaited<ReturnType<Waits[Name]>> };

/**
 * Waits until all waits have succeeded. The first failure cancels the others. See docs/rules.md#several-waits.
 *
 * A wait that has not ended one second after the deadline or its cancellation, because its function ignores both, is left and counts as
 * timed out or cancelled.
 *
 * @example
 * ```js
 * const { table, stack } = await waitAll(
 *   {
 *     table: (options) => tableExists.wait(describeTable, options),
 *     stack: (options) => stackComplete.wait(describeStack, { ...options, minDelay: 30 }),
 *   },
 *   { maxWaitTime: 600 },
 * );
 * ```
 *
 * @param waits functions by the names of the waits, as an object or a `Map`. All are called at once.
 * @param options the deadline of all waits, and a signal.
 * @returns a promise of the outcomes by name, as an object or a `Map` as `waits` is.
 * @throws WaitersFailed if a wait ends without success; it lists all of them. OptionsError if an option or a wait is invalid. The promise
 * rejects with the error. Other errors of the functions, such as those of a wait's options, cancel the other waits and are thrown
 * unchanged.
 */
export function waitAll<Response>(waits: ReadonlyMap<string, SharedWait<Response>>, options: SeveralOptions): Promise<Map<string, Outcome<Response>>>;
export function waitAll<Waits extends Readonly<Record<string, SharedWait>>>(waits: Waits, options: SeveralOptions): Promise<Outcomes<Waits>>;
export async function waitAll(waits: object, options: SeveralOptions): Promise<object> {
  return sameForm(waits, await new Several(waits, options, () => ({ failFast: true })).outcomes());
}

/**
 * Waits until one wait has succeeded, and cancels the others. A failure lets the others go on. See `waitAll`.
 *
 * @example
 * ```js
 * const first = await waitAny({ primary: waitForPrimary, replica: waitForReplica }, { maxWaitTime: 600 });
 * console.log(Object.keys(first));
 * ```
 *
 * @param waits functions by the names of the waits, as an object or a `Map`. All are called at once.
 * @param options the deadline of all waits, and a signal.
 * @returns a promise of the outcome of the wait that succeeded first, by its name.
 * @throws WaitersFailed if all waits end without success. The others are those of `waitAll`.
 */
export function waitAny<Response>(waits: ReadonlyMap<string, SharedWait<Response>>, options: SeveralOptions): Promise<Map<string, Outcome<Response>>>;
export function waitAny<Waits extends Readonly<Record<string, SharedWait>>>(waits: Waits, options: SeveralOptions): Promise<Partial<Outcomes<Waits>>>;
export async function waitAny(waits: object, options: SeveralOptions): Promise<object> {
  return sameForm(waits, await new Several(waits, options, (count) => (count > 0 ? { quorum: 1 } : {})).outcomes());
}

/** Several waits, and their ends. */
class Several {
  readonly #waits: readonly (readonly [string, SharedWait])[];
  readonly #tally: EngineTally;
  readonly #maxWaitTime: number;
  readonly #cancellation: Cancellation;
  /** Cancels the waits that have not ended. */
  readonly #controller = new AbortController();
  readonly #ends = new Map<string, Outcome<unknown> | WaiterError>();
  /** Stop the timers that are running. */
  readonly #stops: Stop[] = [];
  #isOver = false;
  /** An error of the caller's program. */
  #problem: { readonly error: unknown } | undefined;

  constructor(waits: object, options: SeveralOptions, wholeOf: (count: number) => object) {
    checkBare(options, "number", "maxWaitTime");
    checkNames(options, ["maxWaitTime", "abortSignal"]);
    const { maxWaitTime, abortSignal } = options;
    checkSignal(abortSignal);
    this.#waits = entriesOf(waits);
    this.#maxWaitTime = inSlots((slot) => maxWait(slot), { maxWait: maxWaitTime });
    this.#cancellation = new Cancellation(abortSignal);
    this.#tally = inSlots((slot) => new EngineTally(this.#waits.length, slot), wholeOf(this.#waits.length));
  }

  /** Runs the waits, and returns the outcomes by name. */
  async outcomes(): Promise<Map<string, Outcome<unknown>>> {
    const cancel = (): void => this.#controller.abort(this.#cancellation.reason);
    this.#cancellation.pending = { interrupt: cancel };
    if (this.#cancellation.isCancelled) cancel();
    const start = Date.now();
    const limit = this.#maxWaitTime * 1000;
    try {
      const all = Promise.all(this.#waits.map(([name, wait]) => this.#run(name, wait, start + limit)));
      const left = this.#untilLeft(start, limit);
      const elapsed = await this.#cancellation.during(() => Promise.race([all.then(() => undefined), left]));
      if (elapsed !== undefined) this.#leave(elapsed);
      return this.#result();
    } finally {
      this.#isOver = true;
      for (const stop of this.#stops) stop();
      this.#tally.free();
    }
  }

  async #run(name: string, wait: SharedWait, deadline: number): Promise<void> {
    try {
      this.#end(name, await wait({ deadline, abortSignal: this.#controller.signal }));
    } catch (error) {
      if (error instanceof WaiterError) this.#end(name, error);
      else this.#problem ??= { error };
    }
    if (this.#isOver) return;
    if (this.#problem !== undefined || this.#tally.state !== "open") this.#controller.abort(new DOMException(OVER, "AbortError"));
  }

  /**
   * Resolves when the waits have had time to end after the deadline or their cancellation, to the milliseconds from the start until
   * either.
   */
  #untilLeft(start: number, limit: number): Promise<number> {
    const { signal } = this.#controller;
    return new Promise((resolve) => {
      const leaveAfter = (elapsed: number, ms: number): void => void this.#stops.push(startTimer(ms, () => resolve(elapsed), () => {}));
      const cancel = (): void => leaveAfter(Math.min(Date.now() - start, limit), GRACE_MS);
      leaveAfter(limit, limit + GRACE_MS);
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Ends the waits that ignored their deadline or their cancellation. */
  #leave(elapsed: number): void {
    const { reason } = this.#controller.signal;
    for (const [name] of this.#waits) if (!this.#ends.has(name)) this.#end(name, leftEnd(this.#maxWaitTime, elapsed, reason));
  }

  #end(name: string, end: Outcome<unknown> | WaiterError): void {
    // The others were cancelled, were late, or were left.
    if (this.#isOver || this.#tally.state === "succeeded") return;
    this.#ends.set(name, end);
    this.#tally.count(!(end instanceof WaiterError));
  }

  #result(): Map<string, Outcome<unknown>> {
    if (this.#problem !== undefined) throw this.#problem.error;
    // The order is that of the waits, not that of the ends.
    const ended = this.#waits.filter(([name]) => this.#ends.has(name));
    return outcomesOf(ended.map(([name]) => [name, this.#ends.get(name)!]), this.#tally.state === "succeeded");
  }
}

/** Returns the failure of a wait that is left: it timed out, or was cancelled before its deadline. */
function leftEnd(maxWaitTime: number, elapsed: number, reason: unknown): WaiterError {
  const wait = new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] }).start({ maxWaitTime });
  try {
    wait.poll(0);
    wait.conclude(reason, elapsed);
    return wait.done!.outcome() as never;
  } catch (error) {
    return error as WaiterError;
  } finally {
    wait.free();
  }
}

/** The time in which waits end after they were cancelled, or after their deadline, in milliseconds. */
const GRACE_MS = 1000;
const OVER = "the other waits decided the end of all";

/** @throws OptionsError if the waits are neither an object nor a map of functions. */
function entriesOf(waits: object): [string, SharedWait][] {
  if (typeof waits !== "object" || waits === null || Array.isArray(waits)) throw notWaits(waits);
  const entries = waits instanceof Map ? [...(waits as Map<string, unknown>)] : Object.entries(waits);
  // Without this check, the waits of an iterator or a set would succeed without having started.
  if (entries.length === 0 && !(waits instanceof Map) && !isPlain(waits)) throw notWaits(waits);
  for (const [name, wait] of entries) if (typeof wait !== "function") throw mustBe(`waits[${JSON.stringify(name)}]`, "function", wait);
  return entries as [string, SharedWait][];
}

function notWaits(waits: unknown): OptionsError {
  return mustBe("waits", "an object of names and waits", waits);
}

/** Returns `true` for an object that is not of a class, in any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function sameForm(waits: object, outcomes: Map<string, unknown>): object {
  return waits instanceof Map ? outcomes : Object.fromEntries(outcomes);
}
