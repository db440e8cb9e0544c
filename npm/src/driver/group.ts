/**
 * The waits of one caller of a fleet.
 *
 * @module
 */

import { EngineTally, waitsFailed } from "../engine/engine.js";
import { WaitersFailed } from "../errors/fleet.js";
import { failureOf, type WaiterError } from "../errors/waiter.js";
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
  #failed = 0;
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
    if (!isSuccess(end)) this.#failed++;
    this.#state = this.#tally!.count(isSuccess(end));
  }

  /** Tells the caller that waits have ended. */
  report(): void {
    const succeeded = this.#ends.size - this.#failed;
    const progress: FleetProgress = { waiting: this.open.size, succeeded, failed: this.#failed };
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
    const ends = this.#ids.map((id) => [id, this.#ends.get(id)!] as const);
    const outcomes = new Map(ends.filter(([, end]) => isSuccess(end)).map(([id, end]) => [id, end.outcome()]));
    if (this.#state === "succeeded") return outcomes;
    const failed = ends.filter(([, end]) => !isSuccess(end));
    throw waitersFailed(new Map(failed.map(([id, end]) => [id, failureOf(end, this.all as () => never)])), outcomes);
  }

  /** Frees the engine's memory. */
  free(): void {
    this.#tally?.free();
  }
}

/** Returns the error for several waits, with the message of the engine, which modules that only catch errors do not have. */
export function waitersFailed<Item>(failures: ReadonlyMap<string, WaiterError<Item>>, outcomes: ReadonlyMap<string, Outcome<Item>>): WaitersFailed<Item> {
  const messages = [...failures.values()].map(({ message }) => message);
  const message = callEngine(() => waitsFailed([...failures.keys()], messages, failures.size + outcomes.size));
  return new WaitersFailed(failures, outcomes, message);
}

function isSuccess({ report }: Ended<unknown>): boolean {
  return report.code === undefined;
}
