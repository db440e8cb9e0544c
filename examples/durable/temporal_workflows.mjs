// The workflow of `temporal_wait.mjs`. Temporal runs it in a sandbox.

import { proxyWait } from "smithy-waiters/temporal-workflow";

const waitForRestored = proxyWait("restored");

/** Waits until a database is restored, and returns the number of polls. */
export async function restore(database) {
  const { attempts } = await waitForRestored(database, { maxWaitTime: 6 * 3600 });
  return attempts;
}
