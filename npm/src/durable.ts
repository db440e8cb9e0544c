/**
 * Waits that survive the process, for engines and stores of your own. `smithy-waiters/dbos` and `smithy-waiters/temporal` are
 * built on this module.
 *
 * A stored wait is JSON text, which every language can resume. Store it after each attempt, and make the next attempt at `dueAtMs`,
 * on any computer.
 *
 * @example
 * ```js
 * const waits = new StoredWaits(waiter);
 * let state = waits.begin("job-17", { maxWaitTime: 6 * 3600 });
 * // Each time that `state.dueAtMs` has come, in any process:
 * const attempt = await waits.attempt(state.text, () => describe("job-17"));
 * if (attempt.state !== null) state = attempt.state;
 * else console.log(resultOf(attempt.end));
 * ```
 *
 * `StoredFleets` are the same for many resources that share their calls. `outcomesOfFleet` reads their end.
 *
 * @module
 */

import { outcomeOf, revive } from "./durable/stored-end.js";
import type { EndJson, Outcome } from "./report/outcome.js";

export { type FleetEndJson, outcomesOfFleet, type StoredEachOptions, type StoredFleetFacts, type StoredFleetOptions, StoredFleets, type StoredRound } from "./durable/stored-fleet.js";
export { type BeginOptions, progressOf, type StoredAttempt, type StoredFacts, type StoredProgress, StoredWaits } from "./durable/stored.js";
export type { EndJson } from "./report/outcome.js";

/**
 * Returns the outcome of a wait that has ended, from its plain data.
 *
 * @throws WaiterError if the wait failed.
 */
export function resultOf<Response = unknown>(end: EndJson): Outcome<Response> {
  if (end.code === null) return outcomeOf(end);
  throw revive(end, resultOf);
}
