// Waits on DBOS with PostgreSQL. The environment variable has the URL of the database.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Waiter, WaiterCancelled, WaiterError, WaiterFailed, WaitersFailed, WaiterTimeout } from "smithy-waiters";
import { StoredFleets, StoredWaits } from "smithy-waiters/durable";
import { durableFleet, durableWait } from "smithy-waiters/dbos";
import { FakeClock } from "smithy-waiters/testing";
import { currentAttempt } from "./dbos-attempt.mjs";
import { answer as answerOf, available, ends, SHAPE } from "./volumes.mjs";
import { answer, facts, jobDone, OPTIONS, workflowID } from "./waits.mjs";

const FAST = { maxWaitTime: 60, minDelay: 0.1, maxDelay: 0.2 };
const SLOW = { maxWaitTime: 3600, minDelay: 600, maxDelay: 600 };

const scripted = (wait) => answer(wait, currentAttempt());
const running = () => ({ Status: "RUNNING" });

const job = durableWait(jobDone, scripted, { name: "job", queue: "waits" });
const endless = durableWait(jobDone, running, { name: "running", queue: "waits" });
const signals = [];
const hanging = durableWait(jobDone, (_, { signal }) => new Promise(() => signals.push(signal)), { name: "hanging", queue: "waits" });
const large = durableWait(jobDone, () => ({ Status: "DONE", Text: "x".repeat(100_000) }), { name: "large", queue: "waits", reportLimit: 2000 });
const limited = durableWait(jobDone, scripted, { name: "limited", queue: "limited" });
const unnamed = durableWait(
  Waiter.until("Status", "DONE", { errorNames: () => "Unnamed" }),
  () => Promise.reject(new Error("unknown")),
  { name: "unnamed", queue: "waits" },
);
const throttled = () => Promise.reject(Object.assign(new Error("x".repeat(300)), { name: "ThrottledError" }));
const broken = durableWait(jobDone, throttled, { name: "broken", queue: "waits", reportLimit: 3500 });
const strange = durableWait(jobDone, () => ({ Status: "DONE", at: new Date(0), run() {} }), { name: "strange", queue: "waits" });
const ready = Waiter.until("Status", "READY", { retryErrors: ["ThrottledError"] });
const changed = durableWait(jobDone, running, { name: "changed", queue: "waits" });
const other = durableWait(ready, running, { name: "other", queue: "waits" });
const single = durableWait(jobDone, () => new Promise(() => {}), { name: "single", queue: "single" });
const any = durableWait(jobDone, () => ({ Status: "DONE" }), { name: "any", queue: "waits" });
const stray = durableWait(jobDone, running, { name: "stray", queue: "missing" });

const calls = [];
const volumes = durableFleet(
  available,
  (ids, ...others) => {
    calls.push([ids, others[0]]);
    return answerOf(ids, currentAttempt());
  },
  { name: "volumes", queue: "waits", ...SHAPE },
);

/** Answers with two pages, which JSON cannot hold. */
async function* pages(ids) {
  for (const page of [ids.slice(0, 1), ids.slice(1)]) {
    yield { Volumes: page.map((VolumeId) => ({ VolumeId, State: "creating", size: 1n, run() {} })) };
  }
}

const creating = durableFleet(available, pages, { name: "creating", queue: "waits", ...SHAPE });
const keyless = durableFleet(available, (ids) => ({ Volumes: ids.map(() => ({})) }), { name: "keyless", queue: "waits", ...SHAPE });
const stuck = durableFleet(available, () => new Promise(() => {}), { name: "stuck", queue: "waits", ...SHAPE });

const startAndAwait = DBOS.registerWorkflow(async (wait) => {
  const handle = await job.start(wait, FAST);
  return (await handle.getResult()).attempts;
}, { name: "startAndAwait" });

const SILENT = Object.fromEntries(["info", "debug", "warn", "error"].map((level) => [level, () => {}]));

before(async () => {
  DBOS.setConfig({ name: "durable-waits", systemDatabaseUrl: process.env.SMITHY_WAITERS_POSTGRES, applicationVersion: "1", logger: SILENT });
  await DBOS.launch();
  await DBOS.registerQueue("waits", { minPollingIntervalMs: 50, rateLimit: { limitPerPeriod: 100, periodSec: 1 } });
});

after(() => DBOS.shutdown());

/** Returns the error that a promise rejects with. */
function caught(promise) {
  return promise.then(() => assert.fail("nothing was thrown"), (error) => error);
}

async function pollsOf({ workflowID }) {
  const polls = await DBOS.listWorkflows({ workflow_id_prefix: `${workflowID}.poll-` });
  return polls.map(({ status }) => status);
}

async function untilProgress(handle, number = 1) {
  for (let round = 0; round < 200; round++) {
    const progress = await handle.progress();
    if (progress !== undefined && progress.attempt >= number) return progress;
    await sleep(50);
  }
  assert.fail("no progress");
}

/** Returns the end of a wait in one process, with the seed that is derived from its ID. */
async function undisturbed(wait) {
  const { seed } = JSON.parse(new StoredWaits(jobDone).begin(workflowID(wait), OPTIONS).text).options;
  let attempt = 0;
  return jobDone.wait(() => answer(wait, ++attempt), { ...OPTIONS, seed, clock: new FakeClock() }).then(facts, facts);
}

test("a wait ends as in one process", async () => {
  const handle = await job.start(5, { workflowID: workflowID(5), ...OPTIONS });
  const outcome = await handle.getResult();
  assert.deepEqual(facts(outcome), await undisturbed(5));
  assert.deepEqual(outcome.response, { Status: "DONE" });
  // Each poll is one workflow.
  assert.equal((await pollsOf(handle)).length, outcome.attempts);
  assert.deepEqual(await job.handle(handle.workflowID).getResult(), outcome);
  // DBOS returns the same outcome as plain data.
  const plain = await DBOS.retrieveWorkflow(handle.workflowID).getResult();
  assert.deepEqual([plain.attempts, plain.history.length, plain.response], [2, 2, { Status: "DONE" }]);
});

test("a failure has the report of all attempts", async () => {
  const handle = await job.start(2, { ...FAST, label: "orders" });
  const failure = await caught(handle.getResult());
  assert.ok(failure instanceof WaiterFailed);
  assert.deepEqual([failure.code, failure.attempts, failure.response, failure.label], ["failure_state", 3, { Status: "BROKEN" }, "orders"]);
  assert.deepEqual(failure.history.map(({ attempt }) => attempt), [1, 2, 3]);
  assert.match(failure.explain(), /attempts 1 to 2[^]*Status gave "BROKEN"/);
  assert.match(failure.stack, /dbos\.test\.mjs/);
  // DBOS throws the same failure as an error with the members of `toJSON`.
  const plain = await caught(DBOS.retrieveWorkflow(handle.workflowID).getResult());
  assert.ok(!(plain instanceof WaiterError));
  assert.deepEqual([plain.name, plain.message, plain.code, plain.attempts], ["WaiterFailed", failure.message, "failure_state", 3]);
  assert.equal(plain.explanation, failure.explain());
  assert.deepEqual(plain.history, failure.toJSON().history);
});

for (const [limit, attempts] of [[0, []], [2, [2, 3]]]) {
  test(`the history is limited to ${limit}`, async () => {
    const failure = await caught((await job.start(2, { historyLimit: limit, ...FAST })).getResult());
    assert.deepEqual(failure.history.map(({ attempt }) => attempt), attempts);
    assert.match(failure.explain(), /earlier attempt/);
  });
}

test("a failure has the error of its call", async () => {
  const failure = await caught((await job.start(8, FAST)).getResult());
  assert.equal(failure.code, "unmatched_error");
  assert.ok(failure.error instanceof Error);
  assert.deepEqual([failure.error.name, failure.error.message], ["PermissionError", "not allowed"]);
  assert.equal(failure.cause, failure.error);
});

test("a wait times out", async () => {
  const failure = await caught((await endless.start(undefined, { maxWaitTime: 2, minDelay: 0.5, maxDelay: 0.5 })).getResult());
  assert.ok(failure instanceof WaiterTimeout);
  assert.ok(failure.attempts >= 1 && failure.attempts <= 4);
  assert.match(failure.explain(), /RUNNING/);
});

test("a call that never returns is aborted", async () => {
  const failure = await caught((await hanging.start(undefined, { maxWaitTime: 4, attemptTimeout: 0.2, minDelay: 0.5 })).getResult());
  assert.ok(failure instanceof WaiterTimeout);
  assert.deepEqual([...new Set(failure.history.map(({ result }) => result))], ["cut"]);
  assert.equal(signals.length, failure.attempts);
});

test("a cancelled wait reports its attempts", async () => {
  const handle = await endless.start(undefined, SLOW);
  await untilProgress(handle);
  await handle.cancel();
  const failure = await caught(handle.getResult());
  assert.ok(failure instanceof WaiterCancelled);
  assert.deepEqual([failure.attempts, failure.history[0].attempt], [1, 1]);
  // Not the time of the next poll.
  assert.ok(failure.elapsed < 60);
  assert.deepEqual(await pollsOf(handle), ["SUCCESS", "CANCELLED"]);
  // A wait that has ended does not change.
  await handle.cancel();
  assert.ok((await caught(handle.getResult())) instanceof WaiterCancelled);
});

test("the polls of a workflow that DBOS cancelled end", async () => {
  const handle = await endless.start(undefined, FAST);
  await untilProgress(handle);
  await DBOS.cancelWorkflow(handle.workflowID);
  await sleep(3000);
  const made = await pollsOf(handle);
  await sleep(2000);
  assert.deepEqual(await pollsOf(handle), made);
  assert.ok(made.every((status) => status === "SUCCESS"));
});

test("progress is plain data", async () => {
  const handle = await endless.start(undefined, { label: "orders", ...SLOW });
  const progress = await untilProgress(handle);
  assert.match(progress.summary, /^JobDone orders: attempt 1 after /);
  assert.deepEqual([progress.state, progress.label, progress.repeated], ["retry", "orders", 0]);
  await handle.cancel();
  const done = await job.start(0, FAST);
  await done.getResult();
  assert.equal((await done.progress()).state, "success");
});

test("a start is idempotent", async () => {
  const deadline = new Date(Date.now() + 3_600_000);
  const first = await endless.start(undefined, { workflowID: "once", deadline });
  assert.deepEqual(await endless.start(undefined, { deadline, workflowID: "once" }), first);
  const error = await caught(endless.start(undefined, { workflowID: "once", ...SLOW }));
  assert.deepEqual([error.name, error.code], ["StateError", "other_definition"]);
  assert.match(error.message, /started with the fingerprint [0-9a-f]{16}, got [0-9a-f]{16}/);
  await first.cancel();
  const handles = [await job.start(5, { workflowID: "twice", ...FAST }), await job.start(5, { workflowID: "twice", ...FAST })];
  for (const handle of handles) assert.equal((await handle.getResult()).attempts, 2);
  assert.equal((await pollsOf(handles[0])).length, 2);
});

test("an ID of another workflow is refused", async () => {
  await job.start(0, { workflowID: "taken", ...FAST });
  assert.match((await caught(endless.start(undefined, { workflowID: "taken", ...FAST }))).message, /taken/);
});

test("a workflow starts and awaits a wait", async () => {
  assert.equal(await startAndAwait(5), 2);
});

test("a wait of another definition is refused", async () => {
  // As after a deploy that changes the definition: the state is that of the first wait.
  const handle = await changed.start(undefined, { ...FAST, initialDelay: 2 });
  const [{ input: [begun] }] = await DBOS.listWorkflows({ workflowIDs: [handle.workflowID] });
  const error = await caught((await enqueuePoll("other", { ...begun, id: "moved" })).getResult());
  assert.deepEqual([error.name, error.code], ["StateError", "other_definition"]);
  assert.ok(error.message.includes(changed.fingerprint) && error.message.includes(other.fingerprint));
});

/** Enqueues the first poll of a wait, which creates the wait, as after a start that was interrupted. */
async function enqueuePoll(name, input) {
  await DBOS.enqueueWorkflowWithOptions({ workflowName: `${name}.poll`, queueName: "waits", workflowID: `${input.id}.poll-1` }, input);
  const workflowIDs = [input.id];
  while ((await DBOS.listWorkflows({ workflowIDs })).length === 0) await sleep(50);
  return changed.handle(input.id);
}

for (const [id, damage, code] of [
  ["later", (state) => state.replace('"version":2', '"version":3'), "newer_version"],
  ["cut", (state) => state.slice(0, 50), "damaged_state"],
  ["null", () => "null", "damaged_state"],
  ["changed", (state) => state.replace('"maxWait":60000', '"maxWait":60001'), "damaged_state"],
]) {
  test(`a poll with a state that cannot be read ends the wait: ${id}`, async () => {
    const handle = await changed.start(undefined, { ...FAST, initialDelay: 2 });
    const [{ input: [begun] }] = await DBOS.listWorkflows({ workflowIDs: [handle.workflowID] });
    const error = await caught((await enqueuePoll("changed", { ...begun, id, state: damage(begun.state) })).getResult());
    assert.deepEqual([error.name, error.code], ["StateError", code]);
  });
}

test("a start that was interrupted continues", async () => {
  const options = { workflowID: "interrupted", maxWaitTime: 60 };
  const begun = await job.start(5, { ...options, workflowID: "whole" });
  const [{ input: [input] }] = await DBOS.listWorkflows({ workflowIDs: [begun.workflowID] });
  const handle = await enqueuePoll("job", { ...input, id: "interrupted" });
  const outcome = await handle.getResult();
  assert.equal(outcome.attempts, 2);
});

test("waits whose IDs are similar", async () => {
  const handles = [];
  for (const workflowID of ["x_1", "x-1", "x21", "x31", "x_1.poll-y", "x%"]) {
    handles.push(await endless.start(undefined, { ...SLOW, workflowID }));
    await untilProgress(handles.at(-1));
  }
  const [first, second, ...others] = handles;
  await first.cancel();
  const failure = await caught(first.getResult());
  assert.ok(failure instanceof WaiterCancelled);
  assert.equal(failure.attempts, 1);
  const polls = await DBOS.listWorkflows({ workflowIDs: ["x_1.poll-2", "x-1.poll-2"], sortDesc: false });
  assert.deepEqual(polls.map(({ status }) => status), ["CANCELLED", "DELAYED"]);
  for (const handle of [second, ...others]) await handle.cancel();
});

test("a wait ends while its poll occupies the queue", async () => {
  await DBOS.registerQueue("single", { minPollingIntervalMs: 50, globalConcurrency: 1 });
  const handle = await single.start(undefined, { maxAttempts: 3 });
  while ((await pollsOf(handle))[0] !== "PENDING") await sleep(50);
  await handle.cancel();
  assert.ok((await caught(handle.getResult())) instanceof WaiterCancelled);
});

test("an unknown wait", async () => {
  const unknown = job.handle("unknown");
  assert.equal(await unknown.progress(), undefined);
  assert.match((await caught(unknown.cancel())).message, /there is no workflow with the ID "unknown"/);
});

for (const [kind, one, same, other] of [
  ["object", { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, { a: 1, b: { c: 2, d: 4 } }],
  ["map", new Map([[1, 2], [3, 4]]), new Map([[3, 4], [1, 2]]), new Map([[1, 3], [3, 4]])],
  ["set", new Set(["a", "b"]), new Set(["b", "a"]), new Set(["a"])],
  ["date", new Date(1), new Date(1), new Date(2)],
  ["bigint", 1n, 1n, 1],
  ["NaN", Number.NaN, Number.NaN, null],
  ["undefined", [undefined], [undefined], [null]],
  ["bytes", new Uint8Array([1]), new Uint8Array([1]), new Uint8Array([2])],
  ["pattern", /a/, /a/, /b/],
]) {
  test(`equal arguments start the same wait: ${kind}`, async () => {
    const options = { workflowID: `equal-${kind}`, ...FAST };
    assert.deepEqual(await any.start(one, options), await any.start(same, options));
    assert.equal((await caught(any.start(other, options))).code, "other_definition");
  });
}

test("equal options start the same wait", async () => {
  const deadline = Date.now() + 3_600_000;
  await any.start(1, { workflowID: "deadline", maxWaitTime: 60, deadline });
  await any.start(1, { workflowID: "deadline", label: undefined, deadline: new Date(deadline), maxWaitTime: 60 });
  assert.equal((await caught(any.start(1, { workflowID: "deadline", maxWaitTime: 60, deadline: deadline + 1 }))).code, "other_definition");
});

const circular = {};
circular.self = circular;
for (const [argument, message] of [
  [() => 1, /^the argument must be plain data, .* got a function$/],
  [new (class Job {})(), /got `Job`$/],
  [circular, /^the argument must not contain itself$/],
]) {
  test(`an argument that cannot be compared: ${message}`, async () => {
    const error = await caught(any.start(argument, FAST));
    assert.equal(error.name, "TypeError");
    assert.match(error.message, message);
  });
}

test("a wait whose poll is lost ends at its deadline", async () => {
  const handle = await endless.start(undefined, { maxWaitTime: 3, minDelay: 1.5 });
  await untilProgress(handle);
  await DBOS.cancelWorkflow(`${handle.workflowID}.poll-2`);
  // The wait would wake a minute later.
  await DBOS.setWorkflowDelay(handle.workflowID, { delaySeconds: 3 });
  const failure = await caught(handle.getResult());
  assert.ok(failure instanceof WaiterTimeout);
  assert.deepEqual(failure.history.map(({ attempt }) => attempt), [1]);
});

test("an error of the waiter ends the wait", async () => {
  const error = await caught((await unnamed.start(undefined, FAST)).getResult());
  assert.deepEqual([error.name, error.message], ["TypeError", "`errorNames` must return an array of strings or null, got a string"]);
});

test("the limiter of the queue limits the polls of all waits", async () => {
  await DBOS.registerQueue("limited", { minPollingIntervalMs: 50, rateLimit: { limitPerPeriod: 5, periodSec: 1 } });
  const handles = [];
  for (let wait = 0; wait < 10; wait++) handles.push(await limited.start(5, FAST));
  for (const handle of handles) await handle.getResult();
  const workflows = await DBOS.listWorkflows({ queueName: "limited" });
  const starts = workflows.map(({ dequeuedAt }) => dequeuedAt).sort((one, other) => one - other);
  // Two polls of each wait. The waits themselves do not count.
  assert.equal(starts.length, 20);
  assert.ok(starts.slice(5).every((later, index) => later - starts[index] >= 1000));
});

test("a large response is omitted", async () => {
  const { response, attempts } = await (await large.start(undefined, FAST)).getResult();
  assert.match(response, /^<omitted: the report has 1\d+ bytes, and the limit is 2000>$/);
  assert.equal(attempts, 1);
});

test("a failure that is large loses its oldest attempts", async () => {
  const failure = await caught((await broken.start(undefined, { maxAttempts: 8, minDelay: 0, maxDelay: 0 })).getResult());
  assert.deepEqual([failure.code, failure.attempts, failure.error.name], ["too_many_attempts", 8, "ThrottledError"]);
  assert.match(failure.error.message, /^<omitted: the report has \d+ bytes, and the limit is 3500>$/);
  const numbers = failure.history.map(({ attempt }) => attempt);
  assert.ok(numbers.length > 0 && numbers.length < 8);
  assert.equal(numbers.at(-1), 8);
  assert.match(failure.explain(), new RegExp(`… ${8 - numbers.length} earlier attempts`));
});

test("a response becomes plain data", async () => {
  const { response } = await (await strange.start(undefined, FAST)).getResult();
  assert.deepEqual(response, { Status: "DONE", at: 0, run: null });
});

for (const [options, option] of [
  [{}, "maxWaitTime"],
  [{ maxWaitTime: -1 }, "maxWaitTime"],
  [{ maxWaitTime: 5, unknown: 1 }, "unknown"],
  [{ maxWaitTime: 5, clock: new FakeClock() }, "clock"],
  [{ maxWaitTime: 5, workflowID: "" }, "workflowID"],
  [{ maxWaitTime: 5, workflowID: "orders.poll-3" }, "workflowID"],
]) {
  test(`invalid options: ${option}`, async () => {
    const error = await caught(endless.start(undefined, options));
    assert.deepEqual([error.name, error.option], ["OptionsError", option]);
  });
}

test("a queue that is not registered", async () => {
  const error = await caught(stray.start(undefined, FAST));
  assert.equal(error.message, '`queue` must be the name of a registered queue, got "missing"');
});

for (const [options, message, poll = running, waiter = jobDone] of [
  [{ name: "" }, /`name` must be a text, got ""/],
  [{ name: "job" }, /`name` must be unique among the durable waits, got "job"/],
  [{ name: "job.poll" }, /`name` must be unique among the durable waits, got "job.poll"/],
  [{ queue: undefined }, /`queue` must be a text, got undefined/],
  [{ reportLimit: 0 }, /`reportLimit` must be from 1 to 4294967295 bytes, got 0/],
  [{ size: 1 }, /size/],
  [{}, /the call must be a function/, {}],
  [{}, /predicate/, running, Waiter.until(() => true)],
]) {
  test(`an invalid registration: ${message}`, () => {
    assert.throws(() => durableWait(waiter, poll, { name: "invalid", queue: "waits", ...options }), message);
  });
}

async function untilCounts(handle, counts) {
  for (let time = 0; time < 200; time++) {
    const progress = await handle.progress();
    if (progress !== undefined && Object.entries(counts).every(([name, count]) => progress[name] === count)) return progress;
    await sleep(50);
  }
  return assert.fail("no progress");
}

test("a fleet ends with the outcome of each resource", async () => {
  calls.length = 0;
  const ids = ["vol-0", "vol-12", "vol-2", "vol-1"];
  const handle = await volumes.start(ids, { argument: { region: "eu-west-1" }, ...FAST });
  const outcomes = await handle.getResult();
  assert.deepStrictEqual([...outcomes.keys()], ids);
  assert.deepStrictEqual([...outcomes.values()].map(({ attempts }) => attempts), [1, 1, 3, 2]);
  assert.ok([...outcomes.values()].every(({ response, history }) => response === undefined && history.length === 0));
  assert.deepStrictEqual(calls.map(([names]) => new Set(names)), [new Set(ids), new Set(["vol-2", "vol-1"]), new Set(["vol-2"])]);
  assert.deepStrictEqual(calls[0][1], { region: "eu-west-1" });
  assert.deepStrictEqual(await handle.progress(), { waiting: 0, succeeded: 4, failed: 0 });
  assert.deepStrictEqual([...(await volumes.handle(handle.workflowID).getResult()).keys()], ids);
});

test("a fleet that fails lists all ends", async () => {
  const handle = await volumes.start(["vol-157", "vol-0", "vol-1"], FAST);
  const error = await caught(handle.getResult());
  assert.ok(error instanceof WaitersFailed);
  assert.deepStrictEqual(ends(error.outcomes, error.failures), { "vol-0": null, "vol-1": null, "vol-157": "failure_state" });
  assert.match(error.message, /^1 of 3 waits failed/);
  const plain = await caught(DBOS.retrieveWorkflow(handle.workflowID).getResult());
  assert.equal(plain.message, error.message);
  assert.deepStrictEqual(plain.ids, ["vol-157", "vol-0", "vol-1"]);
});

test("a quorum ends a fleet", async () => {
  const handle = await volumes.start(["vol-0", "vol-11", "vol-12"], { quorum: 2, ...FAST });
  assert.deepStrictEqual([...(await handle.getResult()).keys()], ["vol-0", "vol-12"]);
});

test("a cancelled fleet keeps its ends", async () => {
  const handle = await volumes.start(["vol-0", "vol-11"], SLOW);
  await untilCounts(handle, { waiting: 1, succeeded: 1, failed: 0 });
  await handle.cancel();
  const error = await caught(handle.getResult());
  assert.deepStrictEqual(ends(error.outcomes, error.failures), { "vol-0": null, "vol-11": "cancelled" });
  await assert.rejects(volumes.handle("missing").cancel(), { name: "Error" });
  assert.equal(await volumes.handle("missing").progress(), undefined);
});

test("a fleet times out, whatever its answers contain and although a call never returns", async () => {
  for (const fleet of [creating, stuck]) {
    const handle = await fleet.start(["vol-1", "vol-2"], { ...FAST, maxWaitTime: 0.5 });
    const error = await caught(handle.getResult());
    assert.deepStrictEqual(ends(new Map(), error.failures), { "vol-1": "timed_out", "vol-2": "timed_out" });
  }
});

test("the start of a fleet is idempotent", async () => {
  const first = await creating.start(["vol-1", "vol-2"], { workflowID: "fleet-start", ...SLOW });
  const again = await creating.start(new Set(["vol-1", "vol-2"]), { workflowID: "fleet-start", ...SLOW });
  assert.equal(first.workflowID, again.workflowID);
  for (const [ids, options] of [[["vol-2", "vol-1"]], [["vol-1"]], [["vol-1", "vol-2"], { quorum: 1 }], [["vol-1", "vol-2"], { argument: 7 }]]) {
    const start = creating.start(ids, { workflowID: "fleet-start", ...SLOW, ...options });
    await assert.rejects(start, { name: "StateError", code: "other_definition", message: /was started with the fingerprint/ });
  }
  await first.cancel();
});

test("an answer whose resources cannot be told apart ends a fleet", async () => {
  const handle = await keyless.start(["vol-1"], FAST);
  await assert.rejects(handle.getResult(), { name: "StateError", code: "invalid_answer", message: /has no text `VolumeId`/ });
});

test("a state of a fleet that is not its own is refused", async (context) => {
  const handle = await creating.start(["vol-1"], SLOW);
  await untilCounts(handle, { waiting: 1, succeeded: 0, failed: 0 });
  const { attempt } = StoredFleets.prototype;
  const changes = {
    newer_version: (text) => text.replace('"version":2', '"version":3'),
    damaged_state: (text) => text.replace("vol-1", "vol-2"),
    other_definition: () => new StoredFleets(Waiter.until("Volumes[].State", "available"), SHAPE).begin("other", ["vol-1"], FAST).text,
  };
  for (const [code, change] of Object.entries(changes)) {
    const changed = function (text, ...others) {
      return attempt.call(this, change(text), ...others);
    };
    const mock = context.mock.method(StoredFleets.prototype, "attempt", changed);
    const failing = await volumes.start(["vol-1"], FAST);
    const error = await caught(failing.getResult());
    mock.mock.restore();
    assert.equal(error.code, code);
    if (code === "other_definition") assert.match(error.message, /fingerprint is [0-9a-f]{16}, that of this waiter [0-9a-f]{16}/);
  }
  await handle.cancel();
});

test("invalid options of a fleet", async () => {
  const invalid = [
    [[], FAST, "ids"],
    [["vol-1", "vol-1"], FAST, "ids"],
    ["vol-1", FAST, "ids"],
    [[""], FAST, "ids"],
    [["vol-1"], {}, "maxWaitTime"],
    [["vol-1"], { ...FAST, quorum: 2 }, "quorum"],
    [["vol-1"], { ...FAST, workflowID: "fleet.poll-1" }, "workflowID"],
    [["vol-1"], { ...FAST, onState() {} }, "onState"],
  ];
  for (const [ids, options, option] of invalid) await assert.rejects(volumes.start(ids, options), { name: "OptionsError", option });
  const register = (options) => () => durableFleet(available, pages, { name: "new-fleet", queue: "waits", ...SHAPE, ...options });
  assert.throws(register({ name: "volumes" }), { option: "name" });
  assert.throws(register({ batch: 0 }), { option: "batch" });
  assert.throws(register({ rate: 5 }), { option: "rate" });
  assert.throws(() => durableFleet(Waiter.until(() => true), pages, { name: "new-fleet", queue: "waits", ...SHAPE }), { name: "StateError" });
});
