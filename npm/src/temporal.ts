/**
 * Waits that survive the process, as activities of Temporal.
 *
 * A wait is one activity, and each poll is one of its attempts. The details of its heartbeat contain the state, and the pause before
 * the next poll is the delay before the next retry. The history of the workflow does not grow, no worker sleeps, and the workflow
 * only receives the result. Workflows wait with `smithy-waiters/temporal-workflow`. Install `@temporalio/activity`,
 * `@temporalio/client` and `@temporalio/workflow` beside this package.
 *
 * @example
 * ```js
 * export const restored = durableWait(waiter, describe, { name: "restored" });
 * const worker = await Worker.create({ taskQueue: "waits", workflowsPath, activities: restored.activities });
 * ```
 *
 * A fleet is one activity for many resources that share their calls. Each of its attempts is a round, which makes the calls that are due.
 *
 * @example
 * ```js
 * export const available = durableFleet(waiter, describe, { name: "available", items: "Volumes[]", key: "VolumeId" });
 * ```
 *
 * @module
 */

import { ApplicationFailure, CancelledFailure, Context, type Info } from "@temporalio/activity";
import type { Client } from "@temporalio/client";
import type { FleetProgress } from "./driver/fleet-call.js";
import { type FleetPoll, type FleetStart, fleetKind, type Kind, type Poll, waitKind } from "./durable/kind.js";
import { type FailureJson, fleetFailure, type FleetFailureJson, revive } from "./durable/stored-end.js";
import { type FleetEndJson, type StoredFleetOptions, type StoredFleetProgress, StoredFleets } from "./durable/stored-fleet.js";
import { type BeginOptions, type StoredProgress, StoredWaits } from "./durable/stored.js";
import type { WaitersFailed } from "./errors/fleet.js";
import { OptionsError, StateError, WaiterError } from "./errors/waiter.js";
import { checkCall, checkNames, checkText } from "./input/checks.js";
import type { EndJson } from "./report/outcome.js";
import type { Waiter } from "./waiter.js";

export type { FleetProgress } from "./driver/fleet-call.js";
export type { FleetPoll, FleetStart, Poll } from "./durable/kind.js";
export type { FailureJson, FleetFailureJson } from "./durable/stored-end.js";
export type { FleetEndJson, StoredFleetOptions } from "./durable/stored-fleet.js";
export type { StoredProgress } from "./durable/stored.js";
export type { EndJson } from "./report/outcome.js";

/** The type of the failure that leaves an activity to its next attempt. */
const PENDING = "WaitPending";

const HEARTBEATS_PER_TIMEOUT = 3;

/** The options of `durableWait`. */
export interface DurableWaitOptions {
  /** The name of the activity, which must stay the same while waits are running. */
  readonly name: string;
  /**
   * The maximum size of an outcome or a failure as JSON, in bytes, without its explanation. Temporal's limit is 2 MiB. A text replaces a response or an error
   * that is too large, and then the oldest attempts are removed from the history. They are also removed from a larger state of a
   * running wait.
   *
   * @default 1 MiB
   */
  readonly reportLimit?: number | undefined;
}

/** The options of `durableFleet`. */
export interface DurableFleetOptions extends StoredFleetOptions, Pick<DurableWaitOptions, "name"> {}

/** The argument of the activity. */
export interface WaitRequest<Argument = unknown, Input = unknown> {
  /** The argument of the poll. */
  readonly argument: Argument;
  /** The options of the wait. */
  readonly options: BeginOptions<Input>;
}

/** The argument of the activity of a fleet. The identifiers are among its options. */
export interface FleetRequest<Argument = unknown> {
  /** The argument of the call. */
  readonly argument: Argument;
  /** The identifiers and the options of the waits. */
  readonly options: FleetStart;
}

/** The outcome of a wait as plain data, with null for absent members. */
export type WaitOutcome<Response = unknown> = Omit<EndJson, "response"> & {
  /** The response that matched. */
  readonly response: Response;
};

/** The newest attempt of a durable wait. */
export interface DurableProgress extends StoredProgress {
  /** The number of times that a lost worker may have made the same call before. */
  readonly repeated: number;
}

/**
 * Creates the activity of a wait.
 *
 * @param waiter the waiter. It cannot have a predicate.
 * @param poll the function that makes the call. If its worker is lost, the call is repeated.
 * @param options the name of the activity.
 * @throws OptionsError if an option is invalid, StateError if the waiter has a predicate, TypeError if `poll` is not a function.
 */
export function durableWait<Argument = void, Response = unknown, Input = unknown>(
  waiter: Waiter<Input, Response>,
  poll: Poll<Argument, Response>,
  options: DurableWaitOptions,
): DurableWait<Argument, Response, Input> {
  checkCall(poll);
  checkNames(options, ["name", "reportLimit"]);
  const { name, reportLimit } = options;
  checkText("name", name);
  return new DurableWait(waiter, poll, { name, reportLimit });
}

/**
 * Creates the activity of a wait for many resources.
 *
 * @param waiter the waiter. It cannot have a predicate. It judges each resource as if the answer held only it.
 * @param poll the function that makes the call for a list of identifiers. If its worker is lost, the calls of the round are repeated. A
 * round makes its calls one after another.
 * @param options the name of the activity, and where a response has the resources.
 * @throws OptionsError if an option is invalid, StateError if the waiter has a predicate, TypeError if `poll` is not a function.
 */
export function durableFleet<Argument = void>(waiter: Waiter<never, never>, poll: FleetPoll<Argument>, options: DurableFleetOptions): DurableFleet<Argument> {
  checkCall(poll);
  const { name, ...shape } = options ?? {};
  checkText("name", name);
  return new DurableFleet(waiter, poll, { name, ...shape });
}

/** A wait that survives the process. The function `durableWait` creates it. */
export class DurableWait<Argument = void, Response = unknown, Input = unknown> {
  /** The waiter. */
  readonly waiter: Waiter<Input, Response>;
  /** The name of the activity. */
  readonly name: string;
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  /** The activity by its name, for the `activities` of a `Worker`. */
  readonly activities: Readonly<Record<string, (request: WaitRequest<Argument, Input>) => Promise<WaitOutcome<Response>>>>;
  readonly #activity: Activity<Argument, BeginOptions<Input>, EndJson, StoredProgress>;

  /** @internal */
  constructor(waiter: Waiter<Input, Response>, poll: Poll<Argument, Response>, { name, reportLimit }: DurableWaitOptions) {
    this.waiter = waiter;
    this.name = name;
    const waits = new StoredWaits(waiter, reportLimit);
    this.fingerprint = waits.fingerprint;
    this.#activity = new Activity(waitKind(waits, poll), name);
    this.activities = { [name]: (request) => this.#activity.attempt(request) as Promise<WaitOutcome<Response>> };
  }

  /**
   * Returns a promise of the newest attempt of the wait of a workflow as plain data; `undefined` before the first one has ended.
   *
   * @throws WorkflowNotFoundError if the workflow does not exist. The promise rejects with the error.
   */
  progress(client: Client, workflowId: string): Promise<DurableProgress | undefined> {
    return this.#activity.progress(client, workflowId);
  }
}

/** A wait for many resources that survives the process. The function `durableFleet` creates it. */
export class DurableFleet<Argument = void> {
  /** The waiter. */
  readonly waiter: Waiter<never, never>;
  /** The name of the activity. */
  readonly name: string;
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  /** The activity by its name, for the `activities` of a `Worker`. */
  readonly activities: Readonly<Record<string, (request: FleetRequest<Argument>) => Promise<FleetEndJson>>>;
  readonly #activity: Activity<Argument, FleetStart, FleetEndJson, StoredFleetProgress>;

  /** @internal */
  constructor(waiter: Waiter<never, never>, poll: FleetPoll<Argument>, { name, ...shape }: DurableFleetOptions) {
    this.waiter = waiter;
    this.name = name;
    const fleets = new StoredFleets(waiter, shape);
    this.fingerprint = fleets.fingerprint;
    this.#activity = new Activity(fleetKind(fleets, poll), name);
    this.activities = { [name]: (request) => this.#activity.attempt(request) };
  }

  /**
   * Returns a promise of the counts of the resources of a workflow; `undefined` before the first round has ended.
   *
   * @throws WorkflowNotFoundError if the workflow does not exist. The promise rejects with the error.
   */
  async progress(client: Client, workflowId: string): Promise<FleetProgress | undefined> {
    const newest = await this.#activity.progress(client, workflowId);
    if (newest === undefined) return undefined;
    const { waiting, succeeded, failed } = newest;
    return { waiting, succeeded, failed };
  }
}

/** The activity of what Temporal stores. */
class Activity<Argument, Options, End, Progress extends { readonly summary: string }> {
  readonly #kind: Kind<Argument, Options, End, Progress>;
  readonly #name: string;

  constructor(kind: Kind<Argument, Options, End, Progress>, name: string) {
    this.#kind = kind;
    this.#name = name;
  }

  /** Returns a promise of the newest progress, with the number of times that its poll was repeated. */
  async progress(client: Client, workflowId: string): Promise<(Progress & { readonly repeated: number }) | undefined> {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const activity = raw.pendingActivities?.find(({ activityType }) => activityType?.name === this.#name);
    const { payloadConverter, payloadCodecs } = client.options.loadedDataConverter;
    let payloads = activity?.heartbeatDetails?.payloads ?? [];
    for (const codec of payloadCodecs) payloads = await codec.decode(payloads);
    const [payload] = payloads;
    if (payload === undefined) return undefined;
    const { state, repeated } = payloadConverter.fromPayload<Details>(payload);
    const progress = this.#kind.progressOf(state);
    return progress === null ? undefined : { ...progress, repeated };
  }

  /** Makes one attempt: returns the outcome, throws the failure, or leaves the activity to its next attempt. */
  async attempt(request: { readonly argument: Argument; readonly options: Options }): Promise<End> {
    const context = Context.current();
    try {
      return await this.#makeAttempt(context, request);
    } catch (error) {
      if (!(error instanceof StateError || error instanceof OptionsError || error instanceof TypeError)) throw error;
      throw ApplicationFailure.create({ message: error.message, type: error.name, nonRetryable: true, cause: error });
    }
  }

  async #makeAttempt(context: Context, { argument, options }: { readonly argument: Argument; readonly options: Options }): Promise<End> {
    const { info, cancellationSignal } = context;
    const wait = `${info.workflowExecution?.workflowId ?? ""}.${info.activityId}`;
    const details = detailsOf(info, wait) ?? this.#begin(info, wait, options);
    // Only the initial delay is in the turn of this attempt.
    const pauseMs = details.turn === info.attempt ? details.dueAtMs - Date.now() : 0;
    if (pauseMs > 0) return leave(context, details, pauseMs, "the wait has not started");
    const repeated = Math.max(0, info.attempt - details.turn - 1);
    if (repeated > 0) context.log.warn(`the poll may be repeated: Temporal lost ${repeated} of its workers`);
    const beats = beat(context, details);
    try {
      const { state, end, progress } = await this.#kind.attempt(details.state, argument, cancellationSignal);
      if (state !== null) {
        const { text, dueAtMs } = state;
        return leave(context, { wait, turn: info.attempt, repeated, state: text, dueAtMs }, dueAtMs - Date.now(), progress!.summary);
      }
      const failure = this.#kind.failureOf(end);
      if (failure === undefined) return end;
      throw failureOf(context, failure);
    } finally {
      clearInterval(beats);
    }
  }

  #begin(info: Info, wait: string, options: Options): Details {
    if (info.isLocal) throw new StateError({ code: "damaged_state", message: `\`${this.#name}\` cannot be a local activity, which has no state` });
    // The difference between two times of the same clock.
    const elapsedMs = info.currentAttemptScheduledTimestampMs - info.scheduledTimestampMs;
    const { text: state, dueAtMs } = this.#kind.begin(wait, options, "", Date.now() - elapsedMs);
    // If the first attempt was repeated, nothing was stored.
    return { wait, turn: dueAtMs > Date.now() ? info.attempt : 0, repeated: 0, state, dueAtMs };
  }
}

/**
 * Returns the failure of a wait from an error of a client, such as a `WorkflowFailedError`; `undefined` if the error has another
 * reason. A wait that was cancelled between two polls has no report, so the result is `undefined`.
 *
 * @example
 * ```js
 * try {
 *   await client.workflow.execute("restore", { args: ["orders"], taskQueue: "waits", workflowId: "restore-orders" });
 * } catch (error) {
 *   console.error(waiterError(error)?.explain());
 * }
 * ```
 */
export function waiterError(error: unknown): WaiterError | undefined {
  return detailOf(error, (detail) => {
    const revived = revive(detail, waiterError);
    return revived instanceof WaiterError ? revived : undefined;
  });
}

/**
 * Returns the failure of a fleet from an error of a client, such as a `WorkflowFailedError`; `undefined` if the error has another
 * reason. A fleet that was cancelled between two rounds has no report, so the result is `undefined`.
 */
export function waitersFailed(error: unknown): WaitersFailed | undefined {
  return detailOf(error, fleetFailure);
}

/** Returns the failure that an error or one of its causes has as its first detail. */
function detailOf<Failure>(error: unknown, read: (detail: unknown) => Failure | undefined): Failure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [detail] = (cause as { readonly details?: readonly unknown[] | null }).details ?? [];
    const failure = read(detail);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** The details of the heartbeat. */
interface Details {
  /** The ID of the wait. */
  readonly wait: string;
  /** The attempt of the activity that stored the state; 0 if none did. */
  readonly turn: number;
  readonly repeated: number;
  /** The state as JSON text. */
  readonly state: string;
  /** The time of the next attempt, in milliseconds since 1970. */
  readonly dueAtMs: number;
}

/** @throws StateError if the details are not the state of this wait. */
function detailsOf({ heartbeatDetails, activityId }: Info, wait: string): Details | undefined {
  if (heartbeatDetails === undefined || heartbeatDetails === null) return undefined;
  const { turn, state } = heartbeatDetails as Partial<Details>;
  if (typeof turn !== "number" || typeof state !== "string" || !["wait", "repeated", "dueAtMs"].every((name) => name in heartbeatDetails)) {
    throw new StateError({ code: "damaged_state", message: `the heartbeat details of the activity \`${activityId}\` must be the state of a wait` });
  }
  const details = heartbeatDetails as Details;
  if (details.wait === wait) return details;
  throw new StateError({ code: "damaged_state", message: `the heartbeat details must be the state of the wait \`${wait}\`, got that of \`${details.wait}\`` });
}

/** Leaves the activity to its next attempt. The worker sends the details and the failure in one request. */
function leave(context: Context, details: Details, pauseMs: number, message: string): never {
  context.heartbeat(details);
  throw ApplicationFailure.create({
    message,
    type: PENDING,
    nextRetryDelay: Math.max(1, pauseMs),
    category: "BENIGN",
  });
}

/** Sends heartbeats, which keep the state, while a poll is running. */
function beat(context: Context, details: Details): ReturnType<typeof setInterval> | undefined {
  const timeout = context.info.heartbeatTimeoutMs;
  return timeout === undefined ? undefined : setInterval(() => context.heartbeat(details), timeout / HEARTBEATS_PER_TIMEOUT);
}

/** Returns the error that ends the activity, or repeats a poll that was interrupted for another reason than a cancellation. */
function failureOf({ cancellationSignal, cancellationDetails }: Context, failure: FailureJson | FleetFailureJson): Error {
  const isCancelled = "ends" in failure ? failure.ends.some(({ code }) => code === "cancelled") : failure.code === "cancelled";
  if (!cancellationSignal.aborted || !isCancelled) {
    const { cause } = revive(failure, failureOf) as { readonly cause?: unknown };
    const error = cause instanceof Error ? { cause } : undefined;
    return ApplicationFailure.create({ message: failure.message, type: String(failure.name), nonRetryable: true, details: [failure], ...error });
  }
  if (cancellationDetails?.cancelRequested) return new CancelledFailure(failure.message, [failure]);
  return new CancelledFailure("the poll was interrupted");
}
