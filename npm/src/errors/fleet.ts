/**
 * The error of several waits.
 *
 * @module
 */

import type { Outcome } from "../report/outcome.js";
import type { WaiterError } from "./waiter.js";

/**
 * Error thrown by `Fleet#waitEach`, `waitAll` and `waitAny` when too many waits end without success. Its `errors` are the failures. Its
 * message lists the first ten of them.
 */
export class WaitersFailed<Item = unknown> extends AggregateError {
  override name = "WaitersFailed";
  declare errors: WaiterError<Item>[];
  // Inspectors print the own members of an error, so these members are accessors.
  readonly #failures: ReadonlyMap<string, WaiterError<Item>>;
  readonly #outcomes: ReadonlyMap<string, Outcome<Item>>;

  /** Creates the error from the ends of the waits. Only this package calls it. */
  constructor(failures: ReadonlyMap<string, WaiterError<Item>>, outcomes: ReadonlyMap<string, Outcome<Item>>, message: string) {
    super(failures.values(), message);
    this.#failures = failures;
    this.#outcomes = outcomes;
  }

  /**
   * The failure of each identifier or name whose wait ended without success, in their order. Those that ended only because the
   * whole did are `WaiterCancelled`.
   */
  get failures(): ReadonlyMap<string, WaiterError<Item>> {
    return this.#failures;
  }

  /** The outcome of each identifier or name whose wait succeeded, in their order. */
  get outcomes(): ReadonlyMap<string, Outcome<Item>> {
    return this.#outcomes;
  }
}
