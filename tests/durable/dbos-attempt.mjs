// The attempt of a wait on DBOS.

import { DBOS } from "@dbos-inc/dbos-sdk";

/** Returns the number of the attempt that the current workflow makes. */
export function currentAttempt() {
  return Number(DBOS.workflowID.split("-").at(-1));
}
