// The cost of a poll, compared with an activity that only sends a heartbeat and fails until it has ended, as
// `temporal_overhead.py`. Argument: the address of the server. Prints the processor time of the worker per poll, as JSON.

import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { ApplicationFailure, Context } from "@temporalio/activity";
import { Client, Connection } from "@temporalio/client";
import { DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { durableWait } from "smithy-waiters/temporal";
import { cpuSeconds, median } from "./measure.mjs";
import { jobDone } from "./waits.mjs";

const POLLS = 25;
const WAITS = 20;
const ROUNDS = 5;
const DELAY_MS = 50;
const taskQueue = "overhead";

const answer = async (number) => ({ Status: number === POLLS ? "DONE" : "RUNNING" });

const { activities } = durableWait(jobDone, (_, { number }) => answer(number), { name: "durable" });

async function bare() {
  const context = Context.current();
  const { attempt } = context.info;
  const response = await answer(attempt);
  if (response.Status === "DONE") return response;
  context.heartbeat({ attempt });
  throw ApplicationFailure.create({ message: "running", nextRetryDelay: DELAY_MS, category: "BENIGN" });
}

const DELAY = { maxWaitTime: 3600, minDelay: DELAY_MS / 1000, maxDelay: DELAY_MS / 1000 };
const kinds = [
  { workflow: "runActivity", args: ["bare"] },
  { workflow: "waitFor", args: ["durable", null, DELAY] },
];

/** Returns the processor time of this process per poll, in milliseconds. */
async function roundOf(client, { workflow, args }) {
  const before = cpuSeconds();
  const run = () => client.workflow.execute(workflow, { args, taskQueue, workflowId: randomUUID() });
  await Promise.all(Array.from({ length: WAITS }, run));
  return ((cpuSeconds() - before) * 1000) / (POLLS * WAITS);
}

const [address] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger("ERROR") });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  workflowsPath: fileURLToPath(new URL("./temporal-workflows.mjs", import.meta.url)),
  activities: { ...activities, bare },
  taskQueue,
});
await worker.runUntil(async () => {
  const client = new Client({ connection: await Connection.connect({ address }) });
  for (const kind of kinds) await roundOf(client, kind);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = [];
    for (const kind of kinds) times.push(await roundOf(client, kind));
    rounds.push(times);
  }
  const of = (value) => Number(median(rounds.map(value)).toFixed(3));
  const figures = { bare_ms: of(([bare]) => bare), durable_ms: of(([, durable]) => durable), ratio: of(([bare, durable]) => durable / bare) };
  console.log(JSON.stringify(figures));
});
