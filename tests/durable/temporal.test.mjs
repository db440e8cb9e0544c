// Waits on a Temporal server. The environment variable has its address.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ApplicationFailure, Context } from "@temporalio/activity";
import { CancelledFailure, Client, Connection } from "@temporalio/client";
import proto from "@temporalio/proto";
import { DefaultLogger, NativeConnection, Runtime, Worker, bundleWorkflowCode } from "@temporalio/worker";
import { Waiter, WaiterAttemptsExceeded, WaiterTimeout } from "smithy-waiters";
import { StoredWaits } from "smithy-waiters/durable";
import { durableWait, waiterError, waitersFailed } from "smithy-waiters/temporal";
import { FakeClock } from "smithy-waiters/testing";
import { activities, checkBroken, checkDenied, released, signals, sizes, volumes, waits } from "./temporal-waits.mjs";
import { ends } from "./volumes.mjs";
import { answer, facts, jobDone, OPTIONS } from "./waits.mjs";

const FAST = { maxWaitTime: 60, minDelay: 0.01, maxDelay: 0.05 };
const SLOW = { maxWaitTime: 3600, minDelay: 600, maxDelay: 600 };

const { PendingActivityState } = proto.temporal.api.enums.v1;
const address = process.env.SMITHY_WAITERS_TEMPORAL;
const taskQueue = "waits";
let client, connection, native, workflowBundle;
let started = 0;

before(async () => {
  Runtime.install({ logger: new DefaultLogger("ERROR") });
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  client = new Client({ connection });
  const workflowsPath = fileURLToPath(new URL("./temporal-workflows.mjs", import.meta.url));
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger("ERROR") });
});

after(async () => {
  await connection.close();
  await native.close();
});

/** Runs a function while a worker is running. */
async function withWorker(run, own = activities) {
  const worker = await Worker.create({ connection: native, workflowBundle, activities: own, taskQueue, maxHeartbeatThrottleInterval: 1000 });
  return worker.runUntil(run);
}

function start(name, argument, options, activityOptions, workflowId = `${name}-js-${++started}`) {
  return client.workflow.start("waitFor", { args: [name, argument, options, activityOptions], workflowId, taskQueue });
}

/** Returns the failure of a wait, and the error of Temporal that has it. */
async function failureOf(handle) {
  const error = await handle.result().then(() => assert.fail("nothing was thrown"), (error) => error);
  let { cause } = error;
  while (cause.name === "ActivityFailure") ({ cause } = cause);
  return [waiterError(error), cause];
}

const result = (...args) => withWorker(async () => (await start(...args)).result());
const failure = (...args) => withWorker(async () => failureOf(await start(...args)));

async function untilActivity(handle, condition) {
  for (let round = 0; round < 600; round++) {
    const { raw } = await handle.describe();
    if (raw.pendingActivities?.some(condition)) return;
    await sleep(50);
  }
  assert.fail("no such activity");
}

const untilHeartbeat = (handle) => untilActivity(handle, ({ heartbeatDetails }) => heartbeatDetails != null);

async function undisturbed(wait, id) {
  const { seed } = JSON.parse(new StoredWaits(jobDone).begin(id, OPTIONS).text).options;
  const options = { ...OPTIONS, seed, clock: new FakeClock() };
  return jobDone.wait(({ number }) => answer(wait, number), options).then(facts, facts);
}

test("a wait ends as in one process", async () => {
  const outcome = await result("job", 5, OPTIONS, {}, "same-js");
  assert.deepEqual(facts(outcome), await undisturbed(5, "same-js.1"));
  assert.deepEqual([outcome.result, outcome.response], ["response", { Status: "DONE" }]);
});

test("a failure has the report of all attempts", async () => {
  const [failed, error] = await failure("job", 2, FAST);
  checkBroken(failed, error);
});

test("a failure has the error of its call", async () => {
  const [failed, error] = await failure("job", 8, FAST);
  checkDenied(failed, error);
});

test("a wait times out", async () => {
  const [failed, error] = await failure("running", undefined, { maxWaitTime: 1, minDelay: 0.2, maxDelay: 0.2 });
  assert(failed instanceof WaiterTimeout);
  assert.match(failed.explain(), /RUNNING/);
  // The name in the JSON of reports, as in the other languages.
  assert.equal(error.type, "WaiterTimeout");
});

test("attempts are limited", async () => {
  const [failed] = await failure("running", undefined, { maxAttempts: 3, minDelay: 0.01, maxDelay: 0.02 });
  assert(failed instanceof WaiterAttemptsExceeded);
  assert.equal(failed.attempts, 3);
});

test("a deadline and an initial delay", async () => {
  assert.equal((await result("job", 0, { deadline: "soon", minDelay: 0.1 })).attempts, 1);
  const { attempts, elapsed } = await result("job", 0, { initialDelay: 1, ...FAST });
  assert.deepEqual([attempts, elapsed >= 1], [1, true]);
});

test("a call that never returns is cut", async () => {
  const [failed] = await failure("hang", undefined, { maxWaitTime: 3, attemptTimeout: 0.2, minDelay: 0.5 });
  assert(failed instanceof WaiterTimeout);
  assert.deepEqual(new Set(failed.history.map(({ result }) => result)), new Set(["cut"]));
  assert(signals.at(-1).aborted);
});

test("a call may take longer than the heartbeat timeout", async () => {
  assert.equal((await result("slow", undefined, { maxWaitTime: 3600 }, { heartbeatTimeout: 2000 })).attempts, 1);
});

test("the history of the workflow does not grow", async () => {
  await withWorker(async () => {
    const handles = [await start("fifty", undefined, FAST), await start("job", 0, FAST)];
    const attempts = await Promise.all(handles.map(async (handle) => (await handle.result()).attempts));
    assert.deepEqual(attempts, [50, 1]);
    const [first, second] = await Promise.all(handles.map(async (handle) => (await handle.fetchHistory()).events.length));
    assert.equal(first, second);
    assert(first <= 12);
  });
});

test("a wait that is cancelled during a call has a report", async () => {
  await withWorker(async () => {
    const args = ["hang", SLOW, { heartbeatTimeout: 1000 }];
    const handle = await client.workflow.start("reportOf", { args, workflowId: "report-js", taskQueue });
    await untilHeartbeat(handle);
    await handle.cancel();
    const failed = await handle.result();
    assert.deepEqual([failed.code, failed.history.map(({ result }) => result)], ["cancelled", ["cancelled"]]);
    assert(signals.at(-1).aborted);
  });
});

test("a call that ends after a cancellation is the last one", async () => {
  await withWorker(async () => {
    const handle = await start("waiting", undefined, FAST);
    await untilActivity(handle, ({ state }) => state === PendingActivityState.PENDING_ACTIVITY_STATE_STARTED);
    await handle.cancel();
    await untilActivity(handle, ({ state }) => state === PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED);
    released.dispatchEvent(new Event("released"));
    const [, error] = await failureOf(handle);
    assert(error instanceof CancelledFailure);
  });
});

test("a wait that is cancelled between two calls ends", async () => {
  await withWorker(async () => {
    const handle = await start("running", undefined, SLOW);
    await untilHeartbeat(handle);
    await handle.cancel();
    const [failed, error] = await failureOf(handle);
    assert.equal(failed, undefined);
    assert(error instanceof CancelledFailure);
  });
});

test("progress", async () => {
  await withWorker(async () => {
    const handle = await start("running", undefined, { label: "orders", ...SLOW });
    await untilHeartbeat(handle);
    const progress = await waits.running.progress(client, handle.workflowId);
    assert.match(progress.summary, /^JobDone orders: attempt 1 after /);
    assert.deepEqual([progress.state, progress.label, progress.repeated], ["retry", "orders", 0]);
    await handle.terminate();
  });
});

test("a wait of another definition is refused", async () => {
  const other = durableWait(Waiter.until("Status", "READY"), () => ({}), { name: "running" });
  const handle = await start("running", undefined, { maxWaitTime: 3600, minDelay: 1, maxDelay: 1 });
  await withWorker(() => untilHeartbeat(handle));
  const [, error] = await withWorker(() => failureOf(handle), other.activities);
  assert.equal(error.type, "StateError");
  assert(error.message.includes(waits.running.fingerprint) && error.message.includes(other.fingerprint), error.message);
});

for (const [details, message] of [
  ["5 of 10 files", /the heartbeat details of the activity `1` must be the state of a wait/],
  [{ wait: "other.1", turn: 1, repeated: 0, state: "", dueAtMs: 0 }, /must be the state of the wait `.*`, got that of `other.1`/],
  [{ wait: "other.1", turn: "1", repeated: 0, state: "", dueAtMs: 0 }, /must be the state of a wait/],
  [{ wait: "other.1", turn: 1, repeated: 0, state: {}, dueAtMs: 0 }, /must be the state of a wait/],
  [(wait, state) => ({ wait, turn: 1, repeated: 0, state: state.replace('"version":2', '"version":99'), dueAtMs: 0 }), /is of version 99/],
  [(wait, state) => ({ wait, turn: 1, repeated: 0, state: state.slice(0, 100), dueAtMs: 0 }), /is not a saved wait/],
]) {
  test(`the details of a heartbeat are checked: ${message}`, async () => {
    const handle = await start("running", undefined, FAST);
    const foreign = ({ options }) => {
      const { info } = Context.current();
      const wait = `${info.workflowExecution.workflowId}.${info.activityId}`;
      const saved = JSON.stringify(jobDone.start(options));
      Context.current().heartbeat(typeof details === "function" ? details(wait, saved) : details);
      throw ApplicationFailure.create({ nextRetryDelay: 1000 });
    };
    await withWorker(() => untilHeartbeat(handle), { running: foreign });
    const [, error] = await withWorker(() => failureOf(handle));
    assert.equal(error.type, "StateError");
    assert.match(error.message, message);
  });
}

test("a state has a limited size", async () => {
  const { attempts, history } = await result("shown", undefined, { ...FAST, historyLimit: 1000, show: ["Text"] });
  assert.equal(attempts, 20);
  assert(history.length < 20);
  assert.equal(history.at(-1).attempt, 20);
  assert(Math.max(...sizes) > 3000 && Math.max(...sizes) <= 4000, `${sizes}`);
});

test("a large response is omitted", async () => {
  const { response, attempts } = await result("large", undefined, FAST);
  assert.match(response, /^<omitted: the report has 1\d+ bytes, and the limit is 2000>$/);
  assert.equal(attempts, 1);
});

for (const [options, message] of [
  [{}, /maxWaitTime/],
  [{ maxWaitTime: -1 }, /maxWaitTime/],
  [{ maxWaitTime: 5, unknown: 1 }, /unknown/],
]) {
  test(`invalid options fail the workflow: ${JSON.stringify(options)}`, async () => {
    const [, error] = await failure("running", undefined, options);
    assert.deepEqual([error.type, error.nonRetryable], ["OptionsError", true]);
    assert.match(error.message, message);
  });
}

for (const [options, seconds] of [
  [{ maxAttempts: 9, maxWaitTime: null }, undefined],
  [{ maxWaitTime: 600, deadline: null }, 660],
  [{ maxWaitTime: 600, deadline: "soon" }, 90],
  [{ maxWaitTime: 1e15 }, 3660 * 86_400 + 60],
  [{ maxWaitTime: 1e308 }, undefined],
]) {
  test(`the activity ends after the deadline: ${JSON.stringify(options)}`, async () => {
    await withWorker(async () => {
      const handle = await start("job", 0, options);
      await handle.result().catch(waiterError);
      const { events } = await handle.fetchHistory();
      const scheduled = events.find((event) => event.activityTaskScheduledEventAttributes != null);
      const { scheduleToCloseTimeout } = scheduled.activityTaskScheduledEventAttributes;
      assert.equal(Math.round(Number(scheduleToCloseTimeout?.seconds)) || undefined, seconds);
    });
  });
}

const startFleet = (workflow, ids, options) => client.workflow.start(workflow, { args: [ids, options], workflowId: `fleet-js-${++started}`, taskQueue });

test("a fleet ends in a workflow", async () => {
  const ids = ["vol-2", "vol-0", "vol-12"];
  const end = await withWorker(async () => (await startFleet("waitForEach", ids, FAST)).result());
  assert.deepEqual([end.succeeded, end.ids], [true, ids]);
  assert.deepEqual(end.ends.map(({ attempts }) => attempts), [3, 1, 1]);
});

test("a fleet that fails has the end of each resource", async () => {
  await withWorker(async () => {
    const handle = await startFleet("waitForEach", ["vol-0", "vol-7"], FAST);
    const error = await handle.result().then(() => assert.fail("nothing was thrown"), (error) => error);
    const failed = waitersFailed(error);
    assert.deepEqual(ends(failed.outcomes, failed.failures), { "vol-0": null, "vol-7": "failure_state" });
    assert.equal(waiterError(error), undefined);
    const plain = await (await startFleet("endsOf", ["vol-0", "vol-7"], FAST)).result();
    assert.equal(plain.succeeded, false);
    assert.match(plain.message, /^1 of 2 waits failed:/);
  });
});

test("the progress of a fleet", async () => {
  await withWorker(async () => {
    const handle = await startFleet("waitForEach", ["vol-0", "vol-11"], SLOW);
    let progress;
    for (let time = 0; time < 200 && progress?.succeeded !== 1; time++) {
      progress = await volumes.progress(client, handle.workflowId);
      await sleep(50);
    }
    assert.deepEqual(progress, { waiting: 1, succeeded: 1, failed: 0 });
    // Between two rounds, nothing has a report.
    await handle.cancel();
    const error = await handle.result().then(() => assert.fail("nothing was thrown"), (error) => error);
    assert.equal(waitersFailed(error), undefined);
    assert.equal(await volumes.progress(client, handle.workflowId), undefined);
  });
});
