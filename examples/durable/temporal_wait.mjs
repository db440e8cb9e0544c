// A wait on Temporal that survives the process. Stop it with Ctrl-C or kill it, and run it again: the wait continues.
//
// npm install smithy-waiters @temporalio/{activity,client,worker,workflow} && node temporal_wait.mjs localhost:7233

import { existsSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client, Connection } from "@temporalio/client";
import { NativeConnection, Worker } from "@temporalio/worker";
import { Waiter } from "smithy-waiters";
import { durableWait, waiterError } from "smithy-waiters/temporal";

const SECONDS = 20;

const dbAvailable = Waiter.until("Status", "available", { pending: ["restoring"], name: "DatabaseAvailable" });

/** Returns the status of a database, whose restore takes 20 seconds. Replace this with a call of your client. */
function describe(database) {
  const began = `${database}.began`;
  if (!existsSync(began)) writeFileSync(began, "");
  const isRestored = Date.now() > statSync(began).mtimeMs + SECONDS * 1000;
  return { Status: isRestored ? "available" : "restoring" };
}

const restored = durableWait(dbAvailable, describe, { name: "restored" });

const [address] = process.argv.slice(2);
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  workflowsPath: fileURLToPath(new URL("./temporal_workflows.mjs", import.meta.url)),
  activities: restored.activities,
  taskQueue: "waits",
});
await worker.runUntil(async () => {
  const client = new Client({ connection: await Connection.connect({ address }) });
  const options = { args: ["orders"], workflowId: "restore-orders", taskQueue: "waits", workflowIdConflictPolicy: "USE_EXISTING" };
  try {
    console.log("available after", await client.workflow.execute("restore", options), "polls");
  } catch (error) {
    console.error(waiterError(error)?.explain() ?? error);
  }
});
