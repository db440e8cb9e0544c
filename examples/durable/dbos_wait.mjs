// A wait on DBOS that survives the process. Stop it with Ctrl-C or kill it, and run it again: the wait continues.
//
// npm install smithy-waiters @dbos-inc/dbos-sdk && DBOS_SYSTEM_DATABASE_URL=postgresql://… node dbos_wait.mjs

import { existsSync, statSync, writeFileSync } from "node:fs";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Waiter } from "smithy-waiters";
import { durableWait } from "smithy-waiters/dbos";

const SECONDS = 20;

const dbAvailable = Waiter.until("Status", "available", { pending: ["restoring"], name: "DatabaseAvailable" });

/** Returns the status of a database, whose restore takes 20 seconds. Replace this with a call of your client. */
function describe(database) {
  const file = `${database}.began`;
  if (!existsSync(file)) writeFileSync(file, "");
  const isRestored = Date.now() > statSync(file).mtimeMs + SECONDS * 1000;
  return { Status: isRestored ? "available" : "restoring" };
}

const restored = durableWait(dbAvailable, describe, { name: "restored", queue: "waits" });

DBOS.setConfig({ name: "restores", systemDatabaseUrl: process.env.DBOS_SYSTEM_DATABASE_URL, applicationVersion: "restores-1" });
await DBOS.launch();
// At most 20 polls a second, for all waits of all workers.
await DBOS.registerQueue("waits", { rateLimit: { limitPerPeriod: 20, periodSec: 1 } });
const wait = await restored.start("orders", { workflowID: "restore-orders", maxWaitTime: 6 * 3600 });
const outcome = await wait.getResult();
console.log("available after", outcome.elapsed, "s and", outcome.attempts, "attempts");
await DBOS.shutdown();
