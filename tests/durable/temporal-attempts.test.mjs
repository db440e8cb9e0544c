// Waits on Temporal without a server: each attempt runs in the SDK's environment for activities, one after another.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { ActivityCancellationDetails, CancelledFailure, DefaultFailureConverter, defaultPayloadConverter } from "@temporalio/common";
import { MockActivityEnvironment } from "@temporalio/testing";
import { Waiter, WaiterAttemptsExceeded, WaitersFailed, WaiterTimeout } from "smithy-waiters";
import { progressOf, StoredWaits } from "smithy-waiters/durable";
import { Context } from "@temporalio/activity";
import { durableFleet, durableWait, waiterError, waitersFailed } from "smithy-waiters/temporal";
import { FakeClock } from "smithy-waiters/testing";
import { checkBroken, checkDenied, signals, waits } from "./temporal-waits.mjs";
import { answer as answerOf, available, ends, names, OPTIONS as EACH, SHAPE } from "./volumes.mjs";
import { answer, facts, jobDone, OPTIONS } from "./waits.mjs";

// Longer than any test, so that the time that a test takes does not change what is expected.
const SLOW = { maxWaitTime: 3600, minDelay: 600, maxDelay: 600 };

const SECONDS = 5000;

const failureConverter = new DefaultFailureConverter();

const json = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** Returns an error as a client receives it, and the delay before the next attempt in milliseconds. */
function received(error) {
  const failure = failureConverter.errorToFailure(error, defaultPayloadConverter);
  const { seconds, nanos } = failure.applicationFailureInfo?.nextRetryDelay ?? {};
  return [failureConverter.failureToError(failure, defaultPayloadConverter), Number(seconds) * 1000 + nanos / 1e6];
}

/**
 * The attempts of one wait, one after another, as a server would start them. Nothing waits for the delays between them: the engine
 * continues at the time when the attempt is due.
 */
class Attempts {
  /** The failures that left the activity to its next attempt. */
  left = [];
  /** The milliseconds that the server waits before the next attempt. */
  delay;
  warnings = [];

  constructor(wait, argument, options, info = {}) {
    const now = Date.now();
    const times = { scheduledTimestampMs: now, currentAttemptScheduledTimestampMs: now };
    this.info = { attempt: 1, activityId: "1", activityType: wait.name, workflowExecution: { workflowId: "job", runId: "1" }, ...times, ...info };
    this.wait = wait;
    this.request = json({ argument, options });
  }

  /** Makes the next attempt. Returns its result, or `undefined` if it is left to the server. Throws the failure of the wait. */
  async next() {
    const logger = { ...console, trace() {}, debug() {}, info() {}, warn: (text) => this.warnings.push(text) };
    this.environment = new MockActivityEnvironment(this.info, { logger });
    this.environment.on("heartbeat", (details) => (this.info = { ...this.info, heartbeatDetails: json(details) }));
    try {
      return json(await this.environment.run(this.wait.activities[this.wait.name], this.request));
    } catch (error) {
      const [failure, delay] = received(error);
      if (failure.type !== "WaitPending") throw failure;
      this.left.push(failure);
      this.delay = delay;
      this.lose();
      return undefined;
    }
  }

  /** Makes attempts until the wait ends, and returns its outcome. */
  async end() {
    for (let round = 0; round < 100; round++) {
      const outcome = await this.next();
      if (outcome !== undefined) return outcome;
    }
    return assert.fail("the wait does not end");
  }

  /** Starts again without the end of an attempt, as after the heartbeat timeout. */
  lose() {
    this.info = { ...this.info, attempt: this.info.attempt + 1 };
  }

  get details() {
    return this.info.heartbeatDetails;
  }
}

const result = (name, argument, options) => new Attempts(waits[name], argument, options).end();

/** Returns the failure of a wait, and the error of Temporal that has it. */
async function failure(name, argument, options) {
  const error = await result(name, argument, options).then(() => assert.fail("nothing was thrown"), (error) => error);
  return [waiterError(error), error];
}

async function undisturbed(wait) {
  const { seed } = JSON.parse(new StoredWaits(jobDone).begin("job.1", OPTIONS).text).options;
  const options = { ...OPTIONS, seed, clock: new FakeClock() };
  return jobDone.wait(({ number }) => answer(wait, number), options).then(facts, facts);
}

/** Starts an attempt, and returns its promise after the first heartbeat. */
async function duringPoll(attempts) {
  const attempt = attempts.next();
  await once(attempts.environment, "heartbeat");
  return { attempt };
}

test("a wait ends as in one process", async () => {
  for (let wait = 0; wait < 12; wait++) {
    const ended = await result("job", wait, OPTIONS).catch(waiterError);
    assert.deepEqual(facts(ended), await undisturbed(wait), `${wait}`);
  }
});

test("an outcome is plain data", async () => {
  const outcome = await result("job", 5, OPTIONS);
  assert.deepEqual([outcome.result, outcome.response], ["response", { Status: "DONE" }]);
  assert.deepEqual(outcome.history.map(({ attempt }) => attempt), [1, 2]);
});

test("a failure has the report of all attempts", async () => {
  const [failed, error] = await failure("job", 2, SLOW);
  checkBroken(failed, error);
});

test("a failure has the error of its call", async () => {
  const [failed, error] = await failure("job", 8, SLOW);
  checkDenied(failed, error);
});

test("the delay is the one before the next retry", async () => {
  const attempts = new Attempts(waits.running, undefined, { maxWaitTime: 36_000, minDelay: 100, maxDelay: 1000 });
  let due = 0;
  for (const number of [1, 2, 3]) {
    assert.equal(await attempts.next(), undefined);
    const { nonRetryable, message } = attempts.left.at(-1);
    assert.equal(nonRetryable, false);
    assert(message.startsWith(`JobDone: attempt ${number} after `), message);
    // No attempt has waited for its turn, so the next one is after all delays.
    due += progressOf(attempts.details.state).delayMs;
    assert(due - SECONDS < attempts.delay && attempts.delay <= due, `${due} ${attempts.delay}`);
    assert.deepEqual([attempts.details.turn, attempts.details.repeated], [number, 0]);
  }
});

test("a wait times out", async () => {
  const [failed, error] = await failure("running", undefined, { maxWaitTime: 1500, minDelay: 600, maxDelay: 600 });
  assert(failed instanceof WaiterTimeout);
  assert.match(failed.explain(), /RUNNING/);
  // The name in the JSON of reports, as in the other languages.
  assert.equal(error.type, "WaiterTimeout");
  const [late] = await failure("running", undefined, { deadline: Date.now() + 1_500_000, minDelay: 600, maxDelay: 600 });
  assert(late instanceof WaiterTimeout);
});

test("a wait whose workers were away times out", async () => {
  const attempts = new Attempts(waits.running, undefined, SLOW, { scheduledTimestampMs: Date.now() - 3_700_000 });
  await assert.rejects(attempts.end(), { type: "WaiterTimeout" });
});

test("attempts are limited", async () => {
  const [failed] = await failure("running", undefined, { maxAttempts: 3, minDelay: 600, maxDelay: 600 });
  assert(failed instanceof WaiterAttemptsExceeded);
  assert.equal(failed.attempts, 3);
});

test("an initial delay", async () => {
  const attempts = new Attempts(waits.job, 0, { initialDelay: 300, ...SLOW });
  assert.equal(await attempts.next(), undefined);
  assert.equal(attempts.left[0].message, "the wait has not started");
  assert(300_000 - SECONDS < attempts.delay && attempts.delay <= 300_000, `${attempts.delay}`);
  assert.deepEqual([attempts.details.turn, (await attempts.next()).attempts], [1, 1]);
});

test("a call that never returns is cut", async () => {
  const [failed] = await failure("hang", undefined, { maxWaitTime: 1500, attemptTimeout: 0.05, minDelay: 600, maxDelay: 600 });
  assert(failed instanceof WaiterTimeout);
  assert.deepEqual(new Set(failed.history.map(({ result }) => result)), new Set(["cut"]));
  assert(signals.at(-1).aborted);
});

test("the poll of a lost worker is repeated", async () => {
  const attempts = new Attempts(waits.hang, undefined, SLOW, { heartbeatTimeoutMs: 60 });
  const { attempt } = await duringPoll(attempts);
  const { environment, details } = attempts;
  // The heartbeats during the poll keep the state.
  assert.deepEqual([details.turn, attempts.left], [0, []]);
  const next = new Attempts(durableWait(jobDone, () => ({ Status: "RUNNING" }), { name: "hang" }));
  next.info = attempts.info;
  next.lose();
  assert.equal(await next.next(), undefined);
  assert.deepEqual(next.warnings, ["the poll may be repeated: Temporal lost 1 of its workers"]);
  assert.deepEqual([next.details.turn, next.details.repeated, progressOf(next.details.state).attempt], [2, 1, 1]);
  environment.cancel();
  await assert.rejects(attempt, CancelledFailure);
});

test("a cancellation during a poll has a report", async () => {
  const attempts = new Attempts(waits.hang, undefined, SLOW, { heartbeatTimeoutMs: 60 });
  const { attempt } = await duringPoll(attempts);
  attempts.environment.cancel();
  const error = await attempt.catch((error) => error);
  assert(error instanceof CancelledFailure);
  const failed = waiterError(error);
  assert.deepEqual([failed.code, failed.history.map(({ result }) => result)], ["cancelled", ["cancelled"]]);
  assert(signals.at(-1).aborted);
});

test("a poll that its worker interrupts has no report", async () => {
  const attempts = new Attempts(waits.hang, undefined, SLOW, { heartbeatTimeoutMs: 60 });
  const { attempt } = await duringPoll(attempts);
  attempts.environment.cancel("WORKER_SHUTDOWN", new ActivityCancellationDetails({ workerShutdown: true }));
  const error = await attempt.catch((error) => error);
  assert(error instanceof CancelledFailure);
  assert.equal(waiterError(error), undefined);
});

test("a wait of another definition is refused", async () => {
  const attempts = new Attempts(waits.running, undefined, SLOW);
  await attempts.next();
  const other = durableWait(Waiter.until("Status", "READY"), () => ({}), { name: "running" });
  const changed = new Attempts(other, undefined, SLOW);
  changed.info = attempts.info;
  await assert.rejects(changed.next(), ({ type, nonRetryable, message }) => {
    assert.deepEqual([type, nonRetryable], ["StateError", true]);
    return message.includes(waits.running.fingerprint) && message.includes(other.fingerprint);
  });
});

const saved = JSON.stringify(jobDone.start(SLOW));
const own = { wait: "job.1", turn: 1, repeated: 0, state: saved, dueAtMs: 0 };

for (const [details, message] of [
  ["5 of 10 files", /the heartbeat details of the activity `1` must be the state of a wait/],
  [{ ...own, wait: "other.1" }, /must be the state of the wait `job.1`, got that of `other.1`/],
  [{ ...own, turn: "1" }, /must be the state of a wait/],
  [{ ...own, state: {} }, /must be the state of a wait/],
  [{ ...own, dueAtMs: undefined }, /must be the state of a wait/],
  [{ ...own, state: saved.replace('"version":2', '"version":99') }, /is of version 99/],
  [{ ...own, state: saved.slice(0, 100) }, /is not a saved wait/],
]) {
  test(`the details of a heartbeat are checked: ${message}`, async () => {
    const attempts = new Attempts(waits.running, undefined, SLOW, { heartbeatDetails: json(details) });
    await assert.rejects(attempts.next(), { type: "StateError", nonRetryable: true, message });
  });
}

for (const [options, message] of [
  [{}, /maxWaitTime/],
  [{ maxWaitTime: -1 }, /maxWaitTime/],
  [{ maxWaitTime: 5, unknown: 1 }, /unknown/],
]) {
  test(`invalid options are refused: ${JSON.stringify(options)}`, async () => {
    const [, error] = await failure("running", undefined, options);
    assert.deepEqual([error.type, error.nonRetryable], ["OptionsError", true]);
    assert.match(error.message, message);
  });
}

test("a local activity is refused", async () => {
  const attempts = new Attempts(waits.running, undefined, SLOW, { isLocal: true });
  await assert.rejects(attempts.next(), { type: "StateError", nonRetryable: true, message: /`running` cannot be a local activity/ });
});

test("a large response is omitted", async () => {
  const { response, attempts } = await result("large", undefined, SLOW);
  assert.match(response, /^<omitted: the report has 1\d+ bytes, and the limit is 2000>$/);
  assert.equal(attempts, 1);
});

test("invalid registrations", () => {
  const poll = () => ({});
  assert.throws(() => durableWait(jobDone, poll, { name: "" }), { message: '`name` must be a text, got ""' });
  assert.throws(() => durableWait(jobDone, poll, { name: "a", reportLimit: 0 }), { name: "OptionsError" });
  assert.throws(() => durableWait(jobDone, poll, { name: "a", queue: "b" }), { name: "OptionsError" });
  assert.throws(() => durableWait(jobDone, {}, { name: "a" }), TypeError);
  assert.equal(waiterError(new Error("no")), undefined);
});

const calls = [];

const fleet = (poll, options) => durableFleet(available, poll, { name: "volumes", ...SHAPE, ...options });

const volumes = fleet((ids, region) => {
  calls.push([ids.length, region]);
  return answerOf(ids, Context.current().info.attempt - 1);
});

/** Returns the plain ends by their identifiers. */
const codesOf = ({ ids, ends }) => Object.fromEntries(ids.map((id, index) => [id, ends[index].code]));

test("a fleet ends with the end of each resource", async () => {
  const attempts = new Attempts(volumes, "eu-west-1", { ids: names(1000), ...EACH });
  let rounds = 0;
  const failed = await (async () => {
    try {
      while ((await attempts.next()) === undefined) {
        assert.ok(calls.length <= 10);
        assert.ok(calls.every(([, region]) => region === "eu-west-1"));
        calls.length = 0;
        if (++rounds % 3 === 0) attempts.lose();
        // 20 to 30 bytes for each resource, beside its identifier, and the ends of those that failed.
        assert.ok(attempts.details.state.length < 60_000);
      }
      return assert.fail("nothing was thrown");
    } catch (error) {
      assert.equal(error.type, "WaitersFailed");
      return waitersFailed(error);
    }
  })();
  assert.ok(failed instanceof WaitersFailed);
  const expected = Object.fromEntries(names(1000).map((name, number) => [name, number % 50 === 7 ? "failure_state" : null]));
  assert.deepEqual(ends(failed.outcomes, failed.failures), expected);
});

test("a fleet reads pages, which JSON cannot hold", async () => {
  async function* pages(ids) {
    for (const page of [ids.slice(0, 1), ids.slice(1)]) yield { Volumes: page.map((VolumeId) => ({ VolumeId, State: "available", size: 1n })) };
  }
  const end = await new Attempts(fleet(pages), undefined, { ids: ["vol-2", "vol-1"], ...SLOW }).end();
  assert.deepEqual([end.succeeded, end.ids], [true, ["vol-2", "vol-1"]]);
});

test("the message of a pause has the counts", async () => {
  const attempts = new Attempts(volumes, "eu-west-1", { ids: ["vol-0", "vol-11"], ...SLOW });
  // The identifiers are gathered for a moment.
  assert.equal(await attempts.next(), undefined);
  assert.equal(await attempts.next(), undefined);
  assert.equal(attempts.left.at(-1).message, "waits for 1 of 2 resources; 1 succeeded, 0 failed");
});

test("a cancellation during a round has a report", async () => {
  const attempts = new Attempts(fleet(() => new Promise(() => {})), undefined, { ids: ["vol-0", "vol-1"], ...SLOW }, { heartbeatTimeoutMs: 60 });
  assert.equal(await attempts.next(), undefined);
  const { attempt } = await duringPoll(attempts);
  attempts.environment.cancel();
  const error = await attempt.then(() => assert.fail("nothing was thrown"), (error) => error);
  assert.ok(error instanceof CancelledFailure);
  assert.deepEqual(codesOf(error.details[0]), { "vol-0": "cancelled", "vol-1": "cancelled" });
});

test("a state that is not that of a fleet is refused", async () => {
  const refusal = async (other, change = (text) => text) => {
    const attempts = new Attempts(volumes, "eu-west-1", { ids: ["vol-1"], ...SLOW });
    assert.equal(await attempts.next(), undefined);
    const { info } = attempts;
    const details = { ...attempts.details, turn: 0, state: change(attempts.details.state) };
    const changed = new Attempts(other, "eu-west-1", { ids: ["vol-1"], ...SLOW }, { ...info, heartbeatDetails: details });
    const error = await changed.next().then(() => assert.fail("nothing was thrown"), (error) => error);
    assert.deepEqual([error.type, error.nonRetryable], ["StateError", true]);
    return error.message;
  };
  assert.match(await refusal(fleet(() => ({}), { items: "Items[]" })), /fingerprint is [0-9a-f]{16}, that of this waiter [0-9a-f]{16}/);
  assert.match(await refusal(volumes, (text) => text.replace('"version":2', '"version":3')), /is of version 3/);
  assert.match(await refusal(volumes, (text) => text.replace("vol-1", "vol-2")), /not a saved wait/);
  assert.match(await refusal(fleet((ids) => ({ Volumes: ids.map(() => ({})) }))), /has no text `VolumeId`/);
});

test("invalid options of a fleet", async () => {
  for (const [options, message] of [
    [{ ids: ["vol-1", "vol-1"], ...SLOW }, /must not repeat an identifier/],
    [{ ids: [], ...SLOW }, /`ids` must not be empty/],
    [{ ids: "vol-1", ...SLOW }, /`ids` must be an iterable of identifiers/],
    [{ ids: ["vol-1"] }, /`maxWaitTime` is missing/],
    [{ ids: ["vol-1"], quorum: 2, ...SLOW }, /`quorum`/],
  ]) {
    await assert.rejects(new Attempts(volumes, "eu-west-1", options).next(), (error) => error.type === "OptionsError" && message.test(error.message));
  }
  assert.throws(() => fleet(() => ({}), { name: "" }), { option: "name" });
  assert.throws(() => fleet(() => ({}), { batch: 0 }), { option: "batch" });
  assert.throws(() => fleet({}), TypeError);
  assert.throws(() => durableFleet(Waiter.until(() => true), () => ({}), { name: "volumes", ...SHAPE }), { name: "StateError" });
  assert.equal(waitersFailed(new Error("no")), undefined);
});
