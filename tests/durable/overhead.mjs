// The processor time of each poll of a durable wait, compared with the same calls on DBOS alone, as `overhead.py`.
//
// python postgres.py node overhead.mjs [POLLS]

import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Waiter } from "smithy-waiters";
import { durableWait } from "smithy-waiters/dbos";
import { cpuSeconds, median } from "./measure.mjs";

const CHAINS = 10;
const ROUNDS = 5;

const call = async (job) => ({ Status: "RUNNING", Job: job });

const waits = durableWait(Waiter.until("Status", "DONE"), call, { name: "durable", queue: "polls" });

const sleepAndCall = async (job, attempts) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    await DBOS.runStep(() => call(job), { name: "poll" });
    await DBOS.sleep(1);
  }
};
DBOS.registerWorkflow(sleepAndCall, { name: "sleeping" });

const callAndEnqueue = async (chain, attempt, attempts) => {
  await DBOS.runStep(() => call(chain), { name: "poll" });
  if (attempt < attempts) await enqueue(chain, attempt + 1, attempts);
};
DBOS.registerWorkflow(callAndEnqueue, { name: "queued.poll" });

function enqueue(chain, attempt, attempts) {
  const workflowID = `${chain}.poll-${attempt}`;
  return DBOS.enqueueWorkflowWithOptions({ workflowName: "queued.poll", queueName: "polls", workflowID }, chain, attempt, attempts);
}

/** Runs workflows that sleep in their worker. */
async function sleeping(chains, attempts) {
  const start = (chain) => DBOS.enqueueWorkflowWithOptions({ workflowName: "sleeping", queueName: "polls" }, chain, attempts);
  const handles = await Promise.all(chains.map(start));
  await Promise.all(handles.map((handle) => handle.getResult()));
}

/** Runs chains of queued workflows. */
async function queued(chains, attempts) {
  for (const chain of chains) await enqueue(chain, 1, attempts);
  await Promise.all(chains.map((chain) => DBOS.retrieveWorkflow(`${chain}.poll-${attempts}`).getResult()));
}

/** Runs chains of polls as durable waits. */
async function durable(chains, attempts) {
  const options = { maxAttempts: attempts, minDelay: 0, maxDelay: 0 };
  const handles = await Promise.all(chains.map((chain) => waits.start(chain, { workflowID: chain, ...options })));
  const ends = await Promise.allSettled(handles.map((handle) => handle.getResult()));
  for (const { reason } of ends) if (reason?.attempts !== attempts) throw new Error(`unexpected end: ${reason}`);
}

/** Returns the processor time of an idle worker, in seconds per second. */
async function idleLoad(seconds) {
  const before = cpuSeconds();
  await sleep(seconds * 1000);
  return (cpuSeconds() - before) / seconds;
}

/** Returns the processor time of each poll, in milliseconds, without that of an idle worker. */
async function measure(run, round, attempts) {
  const chains = Array.from({ length: CHAINS }, (_, chain) => `${run.name}-${round}-${chain}`);
  const [begun, before] = [performance.now(), cpuSeconds()];
  await run(chains, attempts);
  const [seconds, cpu] = [(performance.now() - begun) / 1000, cpuSeconds() - before];
  return ((cpu - idle * seconds) / (CHAINS * attempts)) * 1000;
}

const attempts = Number(process.argv[2] ?? 200) / CHAINS;
const logger = Object.fromEntries(["info", "debug", "warn", "error"].map((level) => [level, () => {}]));
DBOS.setConfig({ name: "overhead", systemDatabaseUrl: process.env.SMITHY_WAITERS_POSTGRES, applicationVersion: "1", logger });
await DBOS.launch();
await DBOS.registerQueue("polls", { minPollingIntervalMs: 50 });
for (const run of [sleeping, queued, durable]) await run([`warm-${run.name}`], 20);
const idle = await idleLoad(3);
const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  const times = [];
  for (const run of [sleeping, queued, durable]) times.push(await measure(run, round, attempts));
  rounds.push(times);
  const [one, other, own] = times.map((time) => time.toFixed(2));
  console.log(`sleeping ${one} ms, queued ${other} ms, durable ${own} ms`);
}
const overhead = [0, 1].map((other) => median(rounds.map((times) => times[2] / times[other] - 1)));
const [toSleeping, toQueued] = overhead.map((share) => `${share < 0 ? "" : "+"}${(share * 100).toFixed(0)}%`);
console.log(`each poll: ${median(rounds.map((times) => times[2])).toFixed(2)} ms, ${toSleeping} over sleep and step, ${toQueued} over a queued step`);
process.exit();
