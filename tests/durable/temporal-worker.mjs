// A worker of Temporal, as `temporal_worker.py`. Arguments: the number of waits, and the address of the server.

import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, Connection, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { durableWait, waiterError } from "smithy-waiters/temporal";
import { answer, facts, jobDone, OPTIONS, workflowID } from "./waits.mjs";

const [waits, address] = process.argv.slice(2);
const taskQueue = "jobs";

async function poll(wait, { number }) {
  appendFileSync("calls", `${wait} ${number} ${process.pid}\n`);
  // A worker may be killed during a call.
  await sleep(Math.random() * 50);
  return answer(wait, number);
}

const { activities } = durableWait(jobDone, poll, { name: "job" });

async function start(client, wait) {
  const args = ["job", wait, OPTIONS, { heartbeatTimeout: 3000 }];
  const options = { workflowId: workflowID(wait), taskQueue, workflowIdReusePolicy: "REJECT_DUPLICATE" };
  try {
    // The time after which Temporal repeats the task of a lost worker.
    await client.workflow.start("waitFor", { args, ...options, workflowTaskTimeout: 2000 });
  } catch (error) {
    // A worker that was killed in this loop has started some of the waits.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

function factsOf(error) {
  const failure = waiterError(error);
  if (failure === undefined) throw error;
  return facts(failure);
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
  const ids = Array.from({ length: Number(waits) }, (_, wait) => workflowID(wait));
  if (!existsSync("started")) {
    for (const wait of ids.keys()) await start(client, wait);
    writeFileSync("started", "");
  }
  const ended = [];
  for (const id of ids) ended.push(await client.workflow.getHandle(id).result().then(facts, factsOf));
  writeFileSync("ended", JSON.stringify(ended));
});
