/**
 * What engines for durable workflows store: waits, or fleets. Each engine has one implementation for both.
 *
 * @module
 */

import type { FleetAttempt } from "../driver/fleet-call.js";
import type { Attempt, WithoutMaxWaitTime } from "../options.js";
import type { EndJson } from "../report/outcome.js";
import { failureOfFleet, type FleetFailureJson, type FailureJson, withExplanation } from "./stored-end.js";
import { type FleetEndJson, fleetFacts, type StoredEachOptions, type StoredFleetProgress, type StoredFleets } from "./stored-fleet.js";
import { type BeginOptions, progressOf, type StoredProgress, type StoredWaits } from "./stored.js";

/** The function that makes the call of a durable wait. It receives the argument of the wait and the attempt. */
export type Poll<Argument, Response> = (argument: Argument, attempt: Attempt) => PromiseLike<Response> | Response;

/**
 * The function that makes the call of a durable fleet for a list of identifiers. It receives the argument of the fleet, and returns a
 * promise of the response, or an async iterator of the responses of all pages.
 */
export type FleetPoll<Argument, Response = unknown> = (
  ids: string[],
  argument: Argument,
  attempt: FleetAttempt,
) => AsyncIterable<Response> | PromiseLike<Response> | Response;

/** The facts of a state that its engine needs. */
interface Facts {
  readonly text: string;
  readonly dueAtMs: number;
  readonly endsAtMs: number;
}

/** The result of an attempt of a wait or of a round of a fleet. */
export type Attempted<End, Progress> = { readonly progress: Progress | null } & (
  | { readonly state: Facts; readonly end: null }
  | { readonly state: null; readonly end: End }
);

/** Begins, continues and ends what an engine stores. */
export interface Kind<Argument, Options, End, Progress> {
  /** Returns the state of a start, and its identity. */
  begin(id: string, options: Options, argumentsText: string, startedAtMs?: number): Facts & { readonly identity: string };
  /** Makes the attempt that is due. */
  attempt(text: string, argument: Argument, abortSignal?: AbortSignal): Promise<Attempted<End, Progress>>;
  /** Ends without another attempt. */
  conclude(text: string): End;
  /** Returns the progress of a state; null before the first attempt has ended. */
  progressOf(text: string): Progress | null;
  /** Returns the members of a failure; `undefined` for a success. */
  failureOf(end: End): FailureJson | FleetFailureJson | undefined;
}

/** The identifiers and the options of a fleet. */
export type FleetStart = (StoredEachOptions | WithoutMaxWaitTime<StoredEachOptions>) & { readonly ids: Iterable<string> };

/** Returns the kind of a waiter's waits. */
export function waitKind<Argument, Input, Response>(
  waits: StoredWaits<Input, Response>,
  poll: Poll<Argument, Response>,
): Kind<Argument, BeginOptions<Input>, EndJson, StoredProgress> {
  return {
    begin: (id, options, text, startedAtMs) => waits.begin(id, options, text, startedAtMs),
    attempt: (text, argument, signal) => waits.attempt(text, (attempt) => poll(argument, attempt), signal),
    conclude: (text) => waits.conclude(text),
    progressOf,
    failureOf: (end) => (end.code === null ? undefined : withExplanation(end)),
  };
}

/** Returns the kind of a waiter's fleets. */
export function fleetKind<Argument>(fleets: StoredFleets, poll: FleetPoll<Argument>): Kind<Argument, FleetStart, FleetEndJson, StoredFleetProgress> {
  return {
    begin: (id, { ids, ...options }, text, startedAtMs) => fleets.begin(id, ids, options as StoredEachOptions, text, startedAtMs),
    attempt: (text, argument, signal) => fleets.attempt(text, (ids, attempt) => poll(ids, argument, attempt), signal),
    conclude: (text) => fleets.conclude(text),
    progressOf: (text) => fleetFacts(text).progress,
    failureOf: (end) => (end.succeeded ? undefined : failureOfFleet(end)),
  };
}
