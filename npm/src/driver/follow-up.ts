/**
 * What follows a failure: stopping the work, and finding out more. Rule: docs/rules.md#around-a-wait.
 *
 * @module
 */

import type { WaiterError } from "../errors/waiter.js";
import type { HostOptions } from "../options.js";
import { messageOf } from "../values/error-metadata.js";

/** Calls the functions of the options and awaits them. Their results and errors become members of the failure. */
export async function followUp<Response>(failure: WaiterError<Response>, host: HostOptions<Response>): Promise<void> {
  const { cancelWith, onFailure } = host;
  const members = failure.followUp;
  // The work is stopped first, because finding out more may take time.
  if (cancelWith && failure.leavesWork) members.cancelError = (await tried("cancelWith", host, () => cancelWith())).error;
  if (!onFailure) return;
  const { result, error } = await tried("onFailure", host, () => onFailure(failure));
  members.details = result;
  members.detailsError = error;
}

/** Calls a function whose errors must not hide the failure of the wait. */
async function tried(option: string, { logger }: Pick<HostOptions<never>, "logger">, call: () => unknown): Promise<{ result?: unknown; error?: unknown }> {
  try {
    return { result: await call() };
  } catch (error) {
    (logger ?? console).warn(`\`${option}\` threw an error: ${messageOf(error)}`);
    return { error };
  }
}
