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
  /** Resolves when all waits have ended. Rejects with an error of the caller's program. */
  readonly ended: Promise<void>;
  /** The deadline of all waits. */
  deadline = Number.POSITIVE_INFINITY;
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
  /** The newest state and counts that the caller's functions have not been called with. */
  #news: { state?: string; progress?: FleetProgress } = {};
  /** The calls for news that are being told. */
  #due: (() => unknown)[] = [];
  #told: Promise<void> = Promise.resolve();
  #isTelling = false;
  #isClosed = false;

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

  /** Resolves when the caller's functions have been called with all news. Rejects with the error of one. */
  get told(): Promise<void> {
    return this.#told;
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
    this.#news.progress = { waiting: this.open.size, succeeded, failed: this.#failures };
    this.#tell();
  }

  /** Passes the state to the caller. */
  store(state: string): void {
    this.#news.state = state;
    this.#tell();
  }

  /** Calls the caller's functions with the news, unless a promise of theirs is pending. */
  #tell(): void {
    if (this.#isTelling || this.#isClosed) return;
    this.#told = this.#callInTurn();
    this.#told.catch(() => {});
  }

  /** Calls the caller's functions one after another, so that an older state never replaces a newer one. */
  async #callInTurn(): Promise<void> {
    this.#isTelling = true;
    try {
      for (let call = this.#nextCall(); call !== undefined; call = this.#nextCall()) {
        const result = call();
        // Functions that return no promise are called in the same turn.
        if (isThenable(result)) await result;
      }
    } catch (error) {
      this.fail(error);
      throw error;
    } finally {
      this.#isTelling = false;
    }
  }

  /** Returns the next call with news: a state is stored before its progress is shown, and both before newer ones. */
  #nextCall(): (() => unknown) | undefined {
    if (this.#isClosed) return undefined;
    if (this.#due.length === 0) {
      const { state, progress } = this.#news;
      this.#news = {};
      if (state !== undefined) this.#due.push(() => this.#whole.onState?.(state));
      if (progress !== undefined) this.#due.push(() => this.#whole.onProgress?.(progress));
    }
    return this.#due.shift();
  }

  /** Ends the waits. */
  settle(): void {
    this.#resolve();
  }

  /** Ends the whole with an error of the caller's program. */
  fail(error: unknown): void {
    this.close();
    this.#reject(error);
  }

  /** Calls no function of the caller any more. */
  close(): void {
    this.#isClosed = true;
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
    return outcomesOfEnds(this.#ids.map((id) => [id, this.#ends.get(id)!]), this.#state === "succeeded", this.all);
  }

  /** Frees the engine's memory. */
  free(): void {
    this.#tally?.free();
  }
}

/**
 * Returns the outcomes of the resources of a fleet. The stacks of failures start at the caller of `thrower`.
 *
 * @throws WaitersFailed if they did not succeed as a whole.
 */
export function outcomesOfEnds<Item>(
  ends: readonly (readonly [string, Ended<Item>])[],
  succeeded: boolean,
  thrower: (...values: never[]) => unknown,
): Map<string, Outcome<Item>> {
  const outcomeOf = (end: Ended<Item>): Outcome<Item> | WaiterError<Item> => (isSuccess(end) ? end.outcome() : failureOf(end, thrower as () => never));
  return outcomesOf(ends.map(([id, end]) => [id, outcomeOf(end)]), succeeded);
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
