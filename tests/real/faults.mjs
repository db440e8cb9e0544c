// Runs hundreds of waits at once behind a proxy with faults, for a time (`faults.json`), with the AWS SDK. Each must end as its
// table does, and in time. Prints a line with the latest end and with what is left: sockets, timers, listeners and memory. Ends
// with 1 if something is wrong. Needs `--expose-gc`.

import { getEventListeners } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { Waiter, WaiterError } from "smithy-waiters";

import { running } from "./services-client.mjs";

const PLAN = JSON.parse(readFileSync(new URL("faults.json", import.meta.url), "utf8"));
const { ends: ENDS } = PLAN.faults;
const SECONDS = Number(process.env.SMITHY_WAITERS_FAULTS_SECONDS ?? PLAN.seconds);
const WAITER = new Waiter(PLAN.definition);

// The most by which an end may exceed its deadline beyond a plain timer of the same process, in milliseconds.
const OVERRUN = 50;

// The most by which the heap may grow in the second half, in KiB.
const GROWTH = 4096;

/** Runs the waits with a client, and returns what they came to. */
async function wait(client, signal) {
  const run = { waits: 0, wrong: [], overruns: [], timer: 0, middle: null };
  const begin = performance.now();
  const work = async (_, number) => {
    const end = ENDS[number % ENDS.length];
    const command = new DescribeTableCommand({ TableName: `table-${number}` });
    // A call of a wait that ends at its deadline has no timeout of its own.
    const limit = end === "CREATING" ? {} : { attemptTimeout: PLAN.attemptTimeout };
    const options = { maxWaitTime: PLAN.maxWait[end], minDelay: PLAN.minDelay, maxDelay: PLAN.maxDelay, abortSignal: signal, ...limit };
    while (performance.now() - begin < SECONDS * 1000) {
      const started = performance.now();
      const call = (attempt) => client.send(command, { abortSignal: attempt.signal });
      const code = await WAITER.wait(call, options).then(() => null, codeOf);
      run.waits += 1;
      if (code !== PLAN.codes[end]) run.wrong.push(`table-${number}: ${code}`);
      if (code === "timed_out") run.overruns.push(performance.now() - started - options.maxWaitTime * 1000);
      if (run.middle === null && performance.now() - begin > SECONDS * 500) run.middle = heap();
    }
  };
  const timer = measureTimer(run);
  await Promise.all(Array.from({ length: PLAN.waits }, work));
  clearInterval(timer);
  return run;
}

function codeOf(error) {
  if (error instanceof WaiterError) return error.code;
  throw error;
}

/** Measures how late a plain timer is. */
function measureTimer(run) {
  let due = performance.now() + 20;
  return setInterval(() => {
    run.timer = Math.max(run.timer, performance.now() - due);
    due = performance.now() + 20;
  }, 20);
}

/** Returns the size of the heap in KiB. */
function heap() {
  globalThis.gc();
  return Math.round(process.memoryUsage().heapUsed / 1024);
}

/** Counts the sockets of clients and the timers of the process. */
function resources() {
  const names = process.getActiveResourcesInfo();
  return ["TCPSocketWrap", "Timeout"].map((name) => names.filter((other) => other === name).length);
}

async function measure(retries) {
  await services.seed(PLAN.seed, PLAN.faults);
  const requestHandler = { httpAgent: { maxSockets: PLAN.waits } };
  const client = services.faulty({ requestHandler, ...(retries ? { maxAttempts: undefined } : {}) });
  const { signal } = new AbortController();
  const before = resources();
  const run = await wait(client, signal);
  client.destroy();
  await sleep(1000);
  const [sockets, timers] = resources().map((count, index) => Math.max(0, count - before[index]));
  const listeners = getEventListeners(signal, "abort").length;
  const growth = heap() - run.middle;
  const latest = Math.max(...run.overruns);
  for (const wrong of run.wrong.slice(0, 10)) console.log(wrong);
  const isRight = run.wrong.length === 0 && latest <= OVERRUN + run.timer && growth <= GROWTH;
  if (!isRight || sockets > 0 || timers > 0 || listeners > 0) process.exitCode = 1;
  return (
    `its retries ${retries ? "on" : "off"}: ${run.waits} waits, ${run.wrong.length} wrong, ${run.overruns.length} timeouts at most ` +
    `${latest.toFixed(0)} ms late, a plain timer ${run.timer.toFixed(0)} ms; ` +
    `sockets left: ${sockets}, timers: ${timers}, listeners: ${listeners}, memory: ${growth} KiB`
  );
}

const services = await running(PLAN.waits);
const lines = [await measure(true), await measure(false)];
services.stop();
console.log(`JavaScript: ${lines.join("; ")}`);
