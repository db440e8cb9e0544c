// A worker of a fleet on Temporal, as `temporal_fleet_worker.py`. Arguments: the number of resources, and the address of the server.

import { appendFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Context } from "@temporalio/activity";
import { Client, Connection, ServiceError, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { durableFleet, waitersFailed } from "smithy-waiters/temporal";
import { answer, available, ends, names, OPTIONS, SHAPE } from "./volumes.mjs";

const [resources, address] = process.argv.slice(2);
const taskQueue = "jobs";

async function call(ids, region) {
  if (region !== "eu-west-1") throw new Error("another argument");
  // Temporal also counts attempts whose worker was lost. The first attempt only waits.
  const number = Context.current().info.attempt - 1;
  appendFileSync("calls", `${ids.length} ${number} ${process.pid}\n`);
  // A worker may be killed during a call.
  await sleep(Math.random() * 50);
  return answer(ids, number);
}

const { activities } = durableFleet(available, call, { name: "volumes", ...SHAPE });

/** Returns the result of a workflow, however often the server is away. */
async function resultOf(handle) {
  for (;;) {
    try {
      return await handle.result();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      await sleep(200);
    }
  }
}

Runtime.install({ logger: new DefaultLogger("WARN", ({ message }) => appendFileSync("log", `${message}\n`)) });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  workflowsPath: fileURLToPath(new URL("./temporal-workflows.mjs", import.meta.url)),
  activities,
  taskQueue,
  stickyQueueScheduleToStartTimeout: 1000,
});
await worker.runUntil(async () => {
  const client = new Client({ connection: await Connection.connect({ address }) });
  const args = [names(Number(resources)), { argument: "eu-west-1", ...OPTIONS }, { heartbeatTimeout: 3000 }];
  const options = { workflowId: "volumes", taskQueue, workflowIdReusePolicy: "REJECT_DUPLICATE" };
  try {
    // The time after which Temporal repeats the task of a lost worker.
    await client.workflow.start("waitForEach", { args, ...options, workflowTaskTimeout: 2000 });
  } catch (error) {
    // A worker that was killed has started the fleet.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const ended = await resultOf(client.workflow.getHandle("volumes")).then(
    ({ ids }) => Object.fromEntries(ids.map((id) => [id, null])),
    (error) => {
      const failed = waitersFailed(error);
      if (failed === undefined) throw error;
      return ends(failed.outcomes, failed.failures);
    },
  );
  writeFileSync("ended", JSON.stringify(ended));
});
