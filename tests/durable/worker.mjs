// A worker, as `worker.py`. Arguments: the number of waits, the URL of the database, and the number of the worker.

import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { durableWait } from "smithy-waiters/dbos";
import { currentAttempt } from "./dbos-attempt.mjs";
import { answer, facts, jobDone, OPTIONS, workflowID } from "./waits.mjs";

const [waits, databaseUrl, number] = process.argv.slice(2);

async function poll(wait) {
  appendFileSync("calls", `${wait} ${currentAttempt()} ${process.pid}\n`);
  // A worker may be killed during a call.
  await sleep(Math.random() * 50);
  return answer(wait, currentAttempt());
}

const job = durableWait(jobDone, poll, { name: "job-done", queue: "jobs" });

const logger = Object.fromEntries(["info", "debug", "warn", "error"].map((level) => [level, () => {}]));
DBOS.setConfig({ name: "durable-waits", systemDatabaseUrl: databaseUrl, applicationVersion: "1", executorID: `worker-${number}`, logger });
await DBOS.launch();
await DBOS.registerQueue("jobs", { workerConcurrency: 10, minPollingIntervalMs: 100 });
writeFileSync("launched", "");
if (number === "0") {
  const ids = Array.from({ length: Number(waits) }, (_, wait) => workflowID(wait));
  if (!existsSync("started")) {
    // A worker that was killed in this loop has started some of the waits.
    for (const [wait, id] of ids.entries()) await job.start(wait, { workflowID: id, ...OPTIONS });
    writeFileSync("started", "");
  }
  const ended = [];
  for (const id of ids) ended.push(await job.handle(id).getResult().then(facts, facts));
  writeFileSync("ended", JSON.stringify(ended));
  process.exit();
}
