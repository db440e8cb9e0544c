/**
 * The end of a stored wait as plain data, and its revival.
 *
 * @module
 */

import { causeOf } from "../engine/engine.js";
import type { StateErrorCode } from "../errors/codes.js";
import type { WaitersFailed } from "../errors/fleet.js";
import { failureOf, StateError } from "../errors/waiter.js";
import { callEngine } from "../input/engine-call.js";
import { Ended } from "../report/ended.js";
import { type EndJson, LatestResult, type Outcome } from "../report/outcome.js";
import type { JsonValue } from "../values/json-value.js";
import { type FleetEndJson, outcomesOfFleet } from "./stored-fleet.js";

/** The end of a wait that failed as plain data, with its readable report. */
export interface FailureJson extends EndJson {
  /** The text of `explain()`. */
  readonly explanation: string;
}

/** Returns the end of a failed wait with its readable report, for readers without the engine. */
export function withExplanation(end: EndJson): FailureJson {
  return { ...end, explanation: endedOf(end).explain() };
}

/** The ends of a fleet that failed as plain data, with the message of the failure. */
export interface FleetFailureJson extends FleetEndJson {
  readonly name: string;
  readonly message: string;
}

/** Returns the ends of a failed fleet with the message of its failure, for readers without the engine. */
export function failureOfFleet(end: FleetEndJson): FleetFailureJson {
  const { name, message } = fleetFailure(end)!;
  return { name, message, ...end };
}

/** Returns the `WaitersFailed` of a fleet's ends, which may be members of another error; `undefined` for other data and for a success. */
export function fleetFailure(data: unknown): WaitersFailed | undefined {
  if (typeof data !== "object" || data === null || !("ends" in data && "ids" in data)) return undefined;
  try {
    outcomesOfFleet(data as FleetEndJson);
    return undefined;
  } catch (error) {
    return error as WaitersFailed;
  }
}

/** Returns the outcome of its plain data. An error becomes an `Error` with the same name, message and members. */
export function outcomeOf<Response>(json: EndJson): Outcome<Response> {
  return endedOf<Response>(json).outcome();
}

/**
 * Returns the `WaiterError` or the `StateError` of its plain data, which may be the members of another error. The stack starts at the
 * caller of `thrower`. Returns any other value unchanged.
 */
export function revive(data: unknown, thrower: (...values: never[]) => unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  if ("attempts" in data && "history" in data) {
    const json = data as EndJson;
    // The members of an `Error` that are not enumerable.
    const { name, message, cause = null } = json;
    return failureOf(endedOf({ ...json, name, message, cause }), thrower as () => never);
  }
  const { name, code, message } = data as Partial<StateError>;
  return name === "StateError" && typeof code === "string" && typeof message === "string" ? new StateError({ code: code as StateErrorCode, message }) : data;
}

/** @throws StateError if the data is not that of an end. */
function endedOf<Response>(json: EndJson): Ended<Response> {
  const latest = new LatestResult<Response>();
  latest.response = (json.response as Response) ?? undefined;
  if (json.error !== null) latest.error = errorOf(json.error);
  if (json.code === "cancelled") latest.reason = errorOf(json.cause);
  const text = JSON.stringify(json);
  // To find the cause, the engine reads the whole report.
  callEngine(() => causeOf(text));
  return new Ended(text, latest);
}

/** Returns an error of its plain data. A value without a name and a message is returned unchanged. */
function errorOf(json: JsonValue): unknown {
  const { name, message, cause, ...members } = (json ?? {}) as { readonly [name: string]: JsonValue };
  if (typeof name !== "string" || typeof message !== "string") return json ?? undefined;
  const error = new Error(message, cause === undefined ? undefined : { cause: errorOf(cause) });
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  return Object.assign(error, members);
}
