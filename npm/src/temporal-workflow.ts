/**
 * Waits in workflows of Temporal. This module has no engine, so it runs in the sandbox of workflows.
 *
 * @example
 * ```ts
 * import type { restored } from "./activities.js"; // a wait of `smithy-waiters/temporal`
 * const waitForRestored = proxyWait<typeof restored>("restored");
 *
 * export async function restore(database: string): Promise<number> {
 *   const outcome = await waitForRestored(database, { maxWaitTime: 6 * 3600 });
 *   return outcome.attempts;
 * }
 * ```
 *
 * @module
 */

import { ActivityCancellationType, ActivityFailure, type ActivityOptions, ApplicationFailure, CancelledFailure, proxyActivities } from "@temporalio/workflow";
import type { FailureJson, FleetFailureJson } from "./durable/stored-end.js";
import type { FleetEndJson, StoredEachOptions } from "./durable/stored-fleet.js";
import type { BeginOptions } from "./durable/stored.js";
import type { WithoutMaxWaitTime } from "./options.js";
import type { EndJson } from "./report/outcome.js";
import type { FleetRequest, WaitRequest } from "./temporal.js";

export type { FailureJson, FleetFailureJson } from "./durable/stored-end.js";
export type { FleetEndJson } from "./durable/stored-fleet.js";
export type { WaitOutcome } from "./temporal.js";

/** The options of a wait in a workflow, which are plain data. */
export type WorkflowWaitOptions<Input = unknown> = BeginOptions<Input>;

/** A function that waits for the outcome of a wait, in a workflow. */
export type WaitFunction<Argument, Input, Outcome> = (argument: Argument, options: WorkflowWaitOptions<Input>) => Promise<Outcome>;

/** The options of a fleet in a workflow, which are plain data. */
export type WorkflowEachOptions<Argument = unknown> = (StoredEachOptions | WithoutMaxWaitTime<StoredEachOptions>) & {
  /** The argument of the call. */
  readonly argument?: Argument | undefined;
};

/** A function that waits for the ends of the resources of a fleet, in a workflow. */
export type FleetFunction<Argument> = (ids: Iterable<string>, options: WorkflowEachOptions<Argument>) => Promise<FleetEndJson>;

/** The function that waits for a fleet of `smithy-waiters/temporal`. */
export type FleetFunctionOf<Fleet extends AnyDurableWait> =
  Fleet["activities"][string] extends (request: FleetRequest<infer Argument>) => Promise<FleetEndJson> ? FleetFunction<Argument> : never;

/** A wait or a fleet of `smithy-waiters/temporal`. */
export interface AnyDurableWait {
  /** The activity by its name. */
  readonly activities: Readonly<Record<string, (request: never) => Promise<unknown>>>;
}

/** The function that waits for a wait of `smithy-waiters/temporal`. */
export type WaitFunctionOf<Wait extends AnyDurableWait> =
  Wait["activities"][string] extends (request: WaitRequest<infer Argument, infer Input>) => Promise<infer Outcome>
    ? WaitFunction<Argument, Input, Outcome>
    : never;

/** The milliseconds from the deadline of a wait to the end of its activity, in case all workers are lost. */
const GRACE = 60_000;

/** The longest attempt, in milliseconds. Temporal requires a limit, and the deadlines of the wait are stricter. */
const LONGEST_ATTEMPT = 10 * 366 * 86_400_000;

/** The retry policy, which only applies to polls whose worker was lost. */
const RETRY = { initialInterval: 1000, maximumInterval: 10_000 } as const;

/**
 * Returns a function that waits in a workflow. The options of a wait do not change while it is running, even if the program does.
 *
 * The seed of the delays is derived from the IDs of the workflow and the activity by default.
 *
 * @param name the name of the wait, which is the name of its activity.
 * @param activityOptions options of the activity that differ from the defaults, such as its `taskQueue`. The default
 * `heartbeatTimeout`, after which Temporal repeats a poll whose worker is lost, is 30 seconds. A poll may take longer.
 * @throws ActivityFailure if the wait fails; `waitFailure` returns the report. For invalid options and other definitions, the cause is
 * an `ApplicationFailure` whose type is `OptionsError` or `StateError`. CancelledFailure if the wait was cancelled. The promise of the
 * function rejects with the error.
 */
export function proxyWait<Wait extends AnyDurableWait>(name: string, activityOptions: ActivityOptions = {}): WaitFunctionOf<Wait> {
  const wait = (argument: unknown, options: WorkflowWaitOptions): Promise<EndJson> => execute(name, activityOptions, argument, options);
  return wait as never;
}

/**
 * Returns a function that waits for many resources in a workflow, as `proxyWait`. It returns the ends of the resources as plain data.
 *
 * @param name the name of the fleet, which is the name of its activity.
 * @param activityOptions options of the activity that differ from the defaults, as those of `proxyWait`.
 * @throws ActivityFailure if too many waits fail; `fleetFailure` returns the report. CancelledFailure if the waits were cancelled. The
 * promise of the function rejects with the error.
 */
export function proxyFleet<Fleet extends AnyDurableWait>(name: string, activityOptions: ActivityOptions = {}): FleetFunctionOf<Fleet> {
  const wait = async (ids: Iterable<string>, options?: WorkflowEachOptions): Promise<FleetEndJson> => {
    const { argument, ...others } = options ?? ({} as WorkflowEachOptions);
    // The first attempt reports what is no list of identifiers: an error here would not end the workflow.
    const isList = typeof ids === "object" && ids !== null && Symbol.iterator in ids;
    const start = { ...others, ids: isList ? [...ids] : ids };
    return execute(name, activityOptions, argument, start);
  };
  return wait as never;
}

async function execute<End>(name: string, activityOptions: ActivityOptions, argument: unknown, options: PlainOptions): Promise<End> {
  const plain = plainOptions(options);
  const end = endOf(plain ?? {});
  const activities = proxyActivities<Record<string, (request: object) => Promise<End>>>({
    startToCloseTimeout: LONGEST_ATTEMPT,
    heartbeatTimeout: 30_000,
    retry: RETRY,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    ...(end === undefined ? {} : { scheduleToCloseTimeout: end + GRACE }),
    ...activityOptions,
  });
  try {
    return await (activities[name] as (request: object) => Promise<End>)({ argument, options: plain });
  } catch (error) {
    throw isUnfinished(error) ? new CancelledFailure("the wait was cancelled", [], error as Error) : error;
  }
}

/**
 * Returns the report of a failed wait from an error that `proxyWait` throws; `undefined` if the error has another reason. A wait that
 * was cancelled between two polls has no report.
 */
export function waitFailure(error: unknown): FailureJson | undefined {
  return detailOf(error, ["explanation", "history"]) as FailureJson | undefined;
}

/**
 * Returns the ends of a failed fleet from an error that `proxyFleet` throws; `undefined` if the error has another reason. A fleet that
 * was cancelled between two rounds has no report.
 */
export function fleetFailure(error: unknown): FleetFailureJson | undefined {
  return detailOf(error, ["succeeded", "ids", "ends"]) as FleetFailureJson | undefined;
}

/** Returns the first detail with these members of an error or one of its causes. */
function detailOf(error: unknown, members: readonly string[]): object | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [detail] = (cause as { readonly details?: readonly unknown[] | null }).details ?? [];
    if (typeof detail === "object" && detail !== null && members.every((member) => member in detail)) return detail;
  }
  return undefined;
}

/** Returns `true` if Temporal has not repeated a poll because the wait was cancelled. */
function isUnfinished(error: unknown): boolean {
  return error instanceof ActivityFailure && error.retryState === "CANCEL_REQUESTED" && error.cause instanceof ApplicationFailure && !error.cause.nonRetryable;
}

/** Returns the milliseconds until the deadline; `undefined` without a valid one. The engine reports invalid options. */
function endOf({ maxWaitTime, deadline }: { readonly maxWaitTime?: unknown; readonly deadline?: unknown }): number | undefined {
  const ends: number[] = [];
  if (typeof maxWaitTime === "number") ends.push(maxWaitTime * 1000);
  if (typeof deadline === "number") ends.push(deadline - Date.now());
  const end = Math.min(...ends.filter(Number.isFinite));
  return end === Number.POSITIVE_INFINITY ? undefined : Math.min(Math.max(0, end), LONGEST_ATTEMPT);
}

/** Options that may have a deadline. */
interface PlainOptions {
  readonly deadline?: unknown;
  readonly maxWaitTime?: unknown;
}

function plainOptions(options: PlainOptions): PlainOptions {
  const deadline: unknown = options?.deadline;
  return deadline instanceof Date ? { ...options, deadline: deadline.getTime() } : options;
}
