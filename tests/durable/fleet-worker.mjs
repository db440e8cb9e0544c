// A worker of a fleet, as `fleet_worker.py`. Arguments: the number of resources, the URL of the database, and the number of the worker.

import { appendFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { WaitersFailed } from "smithy-waiters";
import { durableFleet } from "smithy-waiters/dbos";
import { currentAttempt } from "./dbos-attempt.mjs";
import { answer, available, ends, names, OPTIONS, SHAPE } from "./volumes.mjs";

const [resources, databaseUrl, number] = process.argv.slice(2);

async function call(ids, region) {
  if (region !== "eu-west-1") throw new Error("another argument");
  appendFileSync("calls", `${ids.length} ${currentAttempt()} ${process.pid}\n`);
  // A worker may be killed during a call.
  await sleep(Math.random() * 50);
  return answer(ids, currentAttempt());
}

const fleet = durableFleet(available, call, { name: "available", queue: "jobs", ...SHAPE });

const logger = Object.fromEntries(["info", "debug", "warn", "error"].map((level) => [level, () => {}]));
DBOS.setConfig({ name: "durable-fleets", systemDatabaseUrl: databaseUrl, applicationVersion: "1", executorID: `worker-${number}`, logger });
await DBOS.launch();
await DBOS.registerQueue("jobs", { workerConcurrency: 10, minPollingIntervalMs: 100 });
writeFileSync("launched", "");
if (number === "0") {
  const handle = await fleet.start(names(Number(resources)), { argument: "eu-west-1", workflowID: "volumes", ...OPTIONS });
  const ended = await handle.getResult().then((outcomes) => ends(outcomes), (error) => {
    if (!(error instanceof WaitersFailed)) throw error;
    return ends(error.outcomes, error.failures);
  });
  writeFileSync("ended", JSON.stringify(ended));
  process.exit();
}
