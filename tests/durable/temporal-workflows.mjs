// The workflows of `temporal.test.mjs`, `temporal-worker.mjs` and `temporal-overhead.mjs`.

import { proxyActivities } from "@temporalio/workflow";
import { fleetFailure, proxyFleet, proxyWait, waitFailure } from "smithy-waiters/temporal-workflow";

/** Runs a wait and returns its outcome. */
export function waitFor(name, argument, options, activityOptions) {
  const soon = options.deadline === "soon" ? { deadline: new Date(Date.now() + 30_000) } : {};
  return proxyWait(name, activityOptions)(argument, { ...options, ...soon });
}

/** Runs a wait that fails, and returns its report. */
export async function reportOf(name, options, activityOptions) {
  try {
    return await proxyWait(name, activityOptions)(undefined, options);
  } catch (error) {
    return waitFailure(error);
  }
}

/** Runs a fleet and returns its ends. */
export function waitForEach(ids, options, activityOptions) {
  return proxyFleet("volumes", activityOptions)(ids, options);
}

/** Runs a fleet that fails, and returns its ends. */
export async function endsOf(ids, options) {
  try {
    return await proxyFleet("volumes")(ids, options);
  } catch (error) {
    return fleetFailure(error);
  }
}

/** Runs an activity without arguments, and returns its result. */
export function runActivity(name) {
  const { [name]: activity } = proxyActivities({ startToCloseTimeout: "1 hour", heartbeatTimeout: "30 seconds" });
  return activity();
}
