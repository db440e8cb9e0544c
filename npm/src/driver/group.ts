/**
 * The waits of one caller of a fleet.
 *
 * @module
 */

import { EngineTally, waitsFailed } from "../engine/engine.js";
import { WaitersFailed } from "../errors/fleet.js";
import { failureOf, WaiterError } from "../errors/waiter.js";
import { callEngine, inSlots } from "../input/engine-call.js";
import { namesOf, pickOptions } from "../input/engine-options.js";
import type { Ended } from "../report/ended.js";
import { LatestResult, type Outcome } from "../report/outcome.js";
import { isThenable } from "../values/promise.js";
import type { FleetProgress, WholeOptions } from "./fleet-call.js";

/** A wait for one resource. */
export interface Member<Item> {
  readonly id: string;
  readonly group: Group<Item>;
  readonly latest: LatestResult<Item>;
}

/** The waits of one caller, and their ends. */
export class Group<Item> {
  /** Resolves when the whole has ended. Rejects with an error of the caller's program. */
  readonly ended: Promise<void>;
  /** The waits that have not ended, by their tickets. */
  readonly open = new Map<number, Member<Item>>();
  readonly #whole: WholeOptions;
  readonly #ends = new Map<string, Ended<Item>>();
  #ids: readonly string[] = [];
  #tally: EngineTally | undefined;
  #state = "open";
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  #failures = 0;
  /** The promises of the callback. None of them rejects. */
  readonly #reports: Promise<unknown>[] = [];

  constructor(whole: WholeOptions = {}) {
    this.#whole = whole;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /**
   * Takes the identifiers of the waits.
   *
   * @throws OptionsError if the quorum is invalid.
   */
  begin(ids: readonly string[]): void {
    this.#ids = ids;
    this.#tally = inSlots((slot) => new EngineTally(ids.length, slot), pickOptions(this.#whole, namesOf("tally")));
    this.#state = this.#tally.state;
  }

  /** `true` if the caller stores the state. */
  get stores(): boolean {
    return typeof this.#whole.onState === "function";
  }

  /** `true` if the whole has ended, although some of the waits may not have. */
  get isOver(): boolean {
    return this.#state !== "open";
  }

  add(ticket: number, id: string): Member<Item> {
    const member = { id, group: this, latest: new LatestResult<Item>() };
    this.open.set(ticket, member);
    return member;
  }

  /** Stores the end of a wait. */
  end(ticket: number, end: Ended<Item>): void {
    const { id } = this.open.get(ticket)!;
    this.open.delete(ticket);
    this.#ends.set(id, end);
    if (!isSuccess(end)) this.#failures++;
    this.#state = this.#tally!.count(isSuccess(end));
  }

  /** Tells the caller that waits have ended. */
  report(): void {
    const succeeded = this.#ends.size - this.#failures;
    const progress: FleetProgress = { waiting: this.open.size, succeeded, failed: this.#failures };
    this.#tell(() => this.#whole.onProgress?.(progress));
  }

  /** Passes the state to the caller. */
  store(state: string): void {
    this.#tell(() => this.#whole.onState?.(state));
  }

  /** Calls a function of the caller. Its error ends the whole, also one of the last call. */
  #tell(call: () => unknown): void {
    try {
      const result = call();
      if (isThenable(result)) this.#reports.push(Promise.resolve(result).catch((error: unknown) => this.fail(error)));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the whole: if it was not cancelled, when all promises of the callback have settled, because one may still reject. */
  settle(isCancelled = false): void {
    if (isCancelled || this.#reports.length === 0) this.#resolve();
    else void Promise.all(this.#reports).then(this.#resolve);
  }

  fail(error: unknown): void {
    this.#reject(error);
  }

  /** Returns the outcome of the only wait. */
  only(): Outcome<Item> {
    const end = this.#ends.get(this.#ids[0]!)!;
    if (isSuccess(end)) return end.outcome();
    throw failureOf(end, this.only as () => never);
  }

  /** Returns the outcomes of all waits that succeeded. */
  all(): Map<string, Outcome<Item>> {
    // The order is that of the identifiers, not that of the ends.
    const endOf = (end: Ended<Item>): Outcome<Item> | WaiterError<Item> => (isSuccess(end) ? end.outcome() : failureOf(end, this.all as () => never));
    return outcomesOf(this.#ids.map((id) => [id, endOf(this.#ends.get(id)!)]), this.#state === "succeeded");
  }

  /** Frees the engine's memory. */
  free(): void {
    this.#tally?.free();
  }
}

/**
 * Returns the outcomes of several waits.
 *
 * @throws WaitersFailed if they did not succeed as a whole.
 */
export function outcomesOf<Item>(ends: Iterable<readonly [string, Outcome<Item> | WaiterError<Item>]>, succeeded: boolean): Map<string, Outcome<Item>> {
  const failures = new Map<string, WaiterError<Item>>();
  const outcomes = new Map<string, Outcome<Item>>();
  for (const [name, end] of ends) {
    if (end instanceof WaiterError) failures.set(name, end);
    else outcomes.set(name, end);
  }
  if (succeeded) return outcomes;
  const messages = [...failures.values()].map(({ message }) => message);
  // Of the engine, which modules that only catch errors do not have.
  throw new WaitersFailed(failures, outcomes, callEngine(() => waitsFailed([...failures.keys()], messages, failures.size + outcomes.size)));
}

function isSuccess({ report }: Ended<unknown>): boolean {
  return report.code === undefined;
}
