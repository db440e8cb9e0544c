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
import type { FailureJson } from "./durable/stored-end.js";
import type { BeginOptions } from "./durable/stored.js";
import type { EndJson } from "./report/outcome.js";
import type { WaitRequest } from "./temporal.js";

export type { FailureJson } from "./durable/stored-end.js";
export type { WaitOutcome } from "./temporal.js";

/** The options of a wait in a workflow, which are plain data. */
export type WorkflowWaitOptions<Input = unknown> = BeginOptions<Input>;

/** A function that waits for the outcome of a wait, in a workflow. */
export type WaitFunction<Argument, Input, Outcome> = (argument: Argument, options: WorkflowWaitOptions<Input>) => Promise<Outcome>;

/** A wait of `smithy-waiters/temporal`. */
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
  const wait = async (argument: unknown, options: WorkflowWaitOptions): Promise<EndJson> => {
    const plain = plainOptions(options);
    const end = endOf(plain ?? {});
    const activities = proxyActivities<Record<string, (request: WaitRequest) => Promise<EndJson>>>({
      startToCloseTimeout: LONGEST_ATTEMPT,
      heartbeatTimeout: 30_000,
      retry: RETRY,
      cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
      ...(end === undefined ? {} : { scheduleToCloseTimeout: end + GRACE }),
      ...activityOptions,
    });
    try {
      return await (activities[name] as (request: WaitRequest) => Promise<EndJson>)({ argument, options: plain });
    } catch (error) {
      throw isUnfinished(error) ? new CancelledFailure("the wait was cancelled", [], error as Error) : error;
    }
  };
  return wait as never;
}

/**
 * Returns the report of a failed wait from an error that `proxyWait` throws; `undefined` if the error has another reason. A wait that
 * was cancelled between two polls has no report.
 */
export function waitFailure(error: unknown): FailureJson | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [detail] = (cause as { readonly details?: readonly unknown[] | null }).details ?? [];
    if (typeof detail === "object" && detail !== null && "explanation" in detail && "history" in detail) return detail as FailureJson;
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

function plainOptions(options: WorkflowWaitOptions): WorkflowWaitOptions {
  const deadline: unknown = options?.deadline;
  return deadline instanceof Date ? { ...options, deadline: deadline.getTime() } : options;
}
