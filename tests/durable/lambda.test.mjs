// Waits in durable functions of AWS Lambda, in the local runner of the SDK.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, mock, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { DurableExecutionInvocationInputWithClient, withDurableExecution } from "@aws/durable-execution-sdk-js";
import { LocalDurableTestRunner } from "@aws/durable-execution-sdk-js-testing";
import { OptionsError, StateError, Waiter, WaiterFailed, WaiterTimeout } from "smithy-waiters";
import { durableWait } from "smithy-waiters/aws-lambda";
import { progressOf, resultOf, StoredWaits } from "smithy-waiters/durable";
import { FakeClock } from "smithy-waiters/testing";
import { answer, facts, jobDone, OPTIONS } from "./waits.mjs";

before(() => LocalDurableTestRunner.setupTestEnvironment({ skipTime: true }));
after(() => LocalDurableTestRunner.teardownTestEnvironment());

const packed = (state) => deflateRawSync(state).toString("base64");
const unpacked = (payload) => inflateRawSync(Buffer.from(payload, "base64")).toString();

const running = () => ({ Status: "RUNNING" });
const done = () => ({ Status: "DONE" });

// The end of a wait in one process has the same history.
const options = { ...OPTIONS, seed: 7, historyLimit: 10 };

const undisturbed = (wait) => jobDone.wait(({ number }) => answer(wait, number), { ...options, clock: new FakeClock() }).then(facts, facts);

const job = (wait) => (context) => durableWait(context, jobDone, ({ number }) => answer(wait, number), options).then(facts, facts);

/**
 * A durable function, whose checkpoints a test can read and change, and whose invocations it can interrupt. Lambda repeats an interrupted
 * invocation, and the runner does not, so that this class does it.
 */
class Execution {
  /** The payload and the delay in seconds of each checkpoint after a check, in their order. */
  polls = [];
  invocations = 0;
  /** Called with each payload before it is stored. Returns the payload to store. */
  before = (payload) => payload;
  /** Called after each payload was stored. */
  after = () => {};

  constructor(body) {
    this.handler = withDurableExecution((_, context) => {
      context.configureLogger({ customLogger: { log() {}, debug() {}, info() {}, warn() {}, error() {} } });
      return body(context);
    });
  }

  /** Runs the function, and returns its result. */
  async result() {
    const runner = new LocalDurableTestRunner({ handlerFunction: (event, context) => this.invoke(event, context) });
    return (await runner.run({ payload: {} })).getResult();
  }

  async invoke(event, context) {
    let { CheckpointToken: token, InitialExecutionState: state } = event;
    const { DurableExecutionArn, durableExecutionClient: service } = event;
    for (;;) {
      let interruption;
      const checkpoint = async (request) => {
        try {
          for (const update of request.Updates.filter(isPoll)) {
            update.Payload = this.before(update.Payload);
            this.polls.push([update.Payload, update.StepOptions?.NextAttemptDelaySeconds]);
          }
          const stored = await service.checkpoint(request);
          token = stored.CheckpointToken;
          if (request.Updates.some(isPoll)) this.after();
          return stored;
        } catch (error) {
          interruption = error;
          throw error;
        }
      };
      const client = { checkpoint, getExecutionState: (request) => service.getExecutionState(request) };
      const input = { ...event, CheckpointToken: token, InitialExecutionState: state };
      this.invocations += 1;
      try {
        const output = await this.handler(new DurableExecutionInvocationInputWithClient(input, client), context);
        if (interruption === undefined) return output;
      } catch (error) {
        if (interruption === undefined) throw error;
      }
      if (interruption.message !== "killed") throw interruption;
      state = await service.getExecutionState({ DurableExecutionArn, CheckpointToken: token, Marker: "" });
    }
  }
}

const isPoll = ({ SubType, Payload }) => SubType === "WaitForCondition" && Payload !== undefined;

/** Returns the error of a wait, as the function receives it in an invocation that repeats the wait. */
async function failure(call, options, waiter = jobDone) {
  const failures = [];
  const execution = new Execution(async (context) => {
    failures.push(await durableWait(context, waiter, call, options).then(() => assert.fail("nothing was thrown"), (error) => error));
    await context.wait({ seconds: 1 });
    return failures.length;
  });
  // The payload of the report has been stored, so that the next invocation reads it.
  execution.after = () => {
    if (execution.polls.at(-1)[1] !== undefined) return;
    execution.after = () => {};
    throw new Error("killed");
  };
  await execution.result();
  return [failures.at(-1), execution];
}

for (const wait of [0, 1, 2, 3, 4, 7, 8]) {
  test(`wait ${wait} ends as in one process`, async () => {
    const execution = new Execution(job(wait));
    const ended = await undisturbed(wait);
    assert.deepEqual(await execution.result(), ended);
    // One checkpoint for each poll.
    assert.equal(execution.polls.length, ended.attempts);
  });
}

test("an outcome is plain data", async () => {
  const execution = new Execution(async (context) => {
    const { result, response, attempts } = await durableWait(context, jobDone, done, { maxWaitTime: 60 });
    return { result, response, attempts };
  });
  assert.deepEqual(await execution.result(), { result: "response", response: { Status: "DONE" }, attempts: 1 });
});

test("a failure has its explanation", async () => {
  const [failed, execution] = await failure(() => ({ Status: "BROKEN" }), { maxWaitTime: 60 });
  assert(failed instanceof WaiterFailed);
  assert.deepEqual(failed.response, { Status: "BROKEN" });
  assert.match(failed.explain(), /Status gave "BROKEN"/);
  // Readers of the checkpoint see it, too.
  assert.match(execution.polls.at(-1)[0], /"explanation"/);
});

test("a failure has the error of its call", async () => {
  const denied = () => Promise.reject(Object.assign(new Error("not allowed"), { name: "AccessDenied" }));
  const [failed] = await failure(denied, { maxWaitTime: 60 });
  assert.equal(failed.code, "unmatched_error");
  assert.deepEqual([failed.error.name, failed.error.message], ["AccessDenied", "not allowed"]);
});

test("a checkpoint does not grow and takes less than a kibibyte", async () => {
  const [, execution] = await failure(running, { maxWaitTime: 36_000, maxAttempts: 16, label: "orders", seed: 1 });
  const sizes = execution.polls.slice(0, -1).map(([payload]) => payload.length);
  assert.equal(sizes.length, 15);
  assert(Math.max(...sizes) <= 1024, String(sizes));
  // After as many attempts as the history has.
  assert(Math.max(...sizes.slice(5)) - Math.min(...sizes.slice(5)) <= 50, String(sizes));
});

/** Sets the wall clock to the time when each check is due, and a difference to it. Returns the function that restores it. */
function virtualTime(execution, skew = () => 0) {
  const start = Date.now();
  const seconds = () => execution.polls.reduce((sum, [, delay]) => sum + (delay ?? 0), 0);
  return mock.method(Date, "now", () => start + (seconds() + skew()) * 1000);
}

test("the delays are whole seconds that do not miss the deadline", async () => {
  let end;
  const execution = new Execution(async (context) => {
    end = await durableWait(context, jobDone, running, { maxWaitTime: 100, minDelay: 3, maxDelay: 20, seed: 1 }).catch((error) => error);
  });
  const clock = virtualTime(execution);
  await execution.result().finally(() => clock.mock.restore());
  assert(end instanceof WaiterTimeout);
  const polls = execution.polls.slice(0, -1);
  const delays = polls.map(([, delay]) => delay);
  const states = polls.map(([payload]) => progressOf(unpacked(payload)));
  assert.deepEqual(states.map(({ nextIsLast }) => nextIsLast), [...states.slice(1).map(() => false), true]);
  assert.deepEqual(delays, states.map(({ delayMs, nextIsLast }) => (nextIsLast ? Math.floor : Math.ceil)(delayMs / 1000)));
  assert.equal(end.attempts, delays.length + 1);
});

test("the time of an interrupted first check counts", async () => {
  let calls = 0;
  let away = 0;
  const execution = new Execution((context) => durableWait(context, jobDone, () => (calls++, running()), { maxWaitTime: 60 }).catch(({ code }) => code));
  execution.before = () => {
    execution.before = (payload) => payload;
    // Lambda has another worker an hour later.
    away = 3600;
    throw new Error("killed");
  };
  const clock = virtualTime(execution, () => away);
  assert.equal(await execution.result().finally(() => clock.mock.restore()), "timed_out");
  assert.equal(calls, 1);
});

test("the first call is after the initial delay", async () => {
  const execution = new Execution((context) => durableWait(context, jobDone, done, { maxWaitTime: 600, initialDelay: 90.5 }).then(facts));
  const clock = virtualTime(execution);
  const { attempts } = await execution.result().finally(() => clock.mock.restore());
  assert.equal(attempts, 1);
  assert.deepEqual(execution.polls.map(([, delay]) => delay), [91, undefined]);
});

for (const moment of ["before", "after"]) {
  test(`invocations that are interrupted ${moment} each checkpoint continue`, async () => {
    for (const wait of [2, 3]) {
      const execution = new Execution(job(wait));
      const crashes = new Set();
      execution[moment] = (payload) => {
        const { length } = execution.polls;
        if (crashes.has(length)) return payload;
        crashes.add(length);
        throw new Error("killed");
      };
      const ended = await undisturbed(wait);
      assert.deepEqual(await execution.result(), ended);
      // On a busy machine the runner has stored a checkpoint more than there are attempts.
      assert.equal(crashes.size, execution.polls.length);
      assert.ok(crashes.size >= ended.attempts);
    }
  });
}

test("a wait of another definition is refused", async () => {
  const changed = Waiter.until("Status", "READY", { name: "JobDone" });
  const execution = new Execution((context) => {
    const waiter = execution.invocations === 1 ? jobDone : changed;
    return durableWait(context, waiter, running, { maxWaitTime: 60 }).catch((error) => ({ name: error.name, code: error.code }));
  });
  execution.after = () => {
    execution.after = () => {};
    throw new Error("killed");
  };
  assert.deepEqual(await execution.result(), { name: "StateError", code: "other_definition" });
  assert.equal(execution.polls.length, 2);
});

const replaced = (old, replacement) => (payload) => packed(unpacked(payload).replace(old, replacement));

for (const [title, damage, code] of [
  ["another text", () => "x", "damaged_state"],
  ["half of it", (payload) => payload.slice(0, payload.length / 2), "damaged_state"],
  ["nothing", () => packed(""), "damaged_state"],
  ["other JSON", () => packed("[]"), "damaged_state"],
  ["another number", replaced('"attempts":1', '"attempts":0'), "damaged_state"],
  ["a later release", replaced('"version":2', '"version":3'), "newer_version"],
]) {
  test(`a checkpoint is refused that has ${title}`, async () => {
    const execution = new Execution((context) => durableWait(context, jobDone, running, { maxWaitTime: 60 }).catch((error) => error instanceof StateError && error.code));
    execution.before = (payload) => {
      execution.before = (next) => next;
      return damage(payload);
    };
    // The state is read from the checkpoint.
    execution.after = () => {
      execution.after = () => {};
      throw new Error("killed");
    };
    assert.equal(await execution.result(), code);
    assert.equal(execution.polls.length, 2);
  });
}

test("a call may return what JSON cannot hold", async () => {
  const itself = {};
  itself.itself = itself;
  for (const value of [10n ** 40n, NaN, Infinity, new Map([[1, 2]]), new Set([1]), new Date(NaN), Symbol("a"), () => 1, new Uint8Array(2), itself, "\ud800"]) {
    const execution = new Execution(async (context) => {
      const { attempts, response } = await durableWait(context, jobDone, () => ({ Status: "DONE", value }), { maxWaitTime: 60 });
      return { attempts, Status: response.Status };
    });
    assert.deepEqual(await execution.result(), { attempts: 1, Status: "DONE" });
  }
});

test("a large response is omitted", async () => {
  const large = () => ({ Status: "DONE", text: "x".repeat(300 * 1024) });
  const execution = new Execution(async (context) => (await durableWait(context, jobDone, large, { maxWaitTime: 60 })).response);
  assert.match(await execution.result(), /^<omitted: the report has 307/);
  // The largest payload that Lambda stores.
  assert(execution.polls.at(-1)[0].length < 256 * 1024);
});

test("a clock that is behind does not change the delays", async () => {
  const delays = [];
  for (const skew of [0, -36_000]) {
    const limits = { maxWaitTime: 3600, maxAttempts: 6, seed: 1 };
    const execution = new Execution((context) => durableWait(context, jobDone, running, limits).catch(facts));
    // Every second worker has the wrong time.
    const clock = virtualTime(execution, () => (execution.polls.length % 2 === 1 ? skew : 0));
    await execution.result().finally(() => clock.mock.restore());
    delays.push(execution.polls.map(([, delay]) => delay));
  }
  assert.deepEqual(delays[0], delays[1]);
  assert.equal(delays[0].length, 6);
});

test("a first poll is late by at most its delay, although another computer's clock is ahead", async () => {
  let delay;
  const condition = (_, check, { waitStrategy }) => {
    ({ delay } = waitStrategy(started));
    return Promise.resolve(JSON.stringify({ code: null, message: "" }));
  };
  const clock = mock.method(Date, "now", () => 1_700_000_600_000);
  let started;
  const step = async (_, start) => (started = await start());
  const waiting = durableWait({ step, waitForCondition: async (...given) => (await null, condition(...given)) }, jobDone, running, { maxWaitTime: 3600, initialDelay: 30 });
  clock.mock.mockImplementation(() => 1_700_000_000_000);
  await waiting.catch(() => undefined);
  clock.mock.restore();
  assert.deepEqual(delay, { seconds: 30 });
});

test("a damaged report is a `StateError`", async () => {
  for (const payload of ["", "{", "{}", "null", "[]", '{"code": 5, "message": ""}', '{"name": "StateError", "message": 5, "code": "c"}']) {
    const context = { step: async (_, start) => start(), waitForCondition: async () => payload };
    await assert.rejects(durableWait(context, jobDone, running, { maxWaitTime: 60 }), { name: "StateError", code: "damaged_state" });
  }
});

test("a damaged outcome is a `StateError`, whatever stores it", async () => {
  const waits = new StoredWaits(jobDone);
  const { text } = waits.begin("id", { maxWaitTime: 60 });
  const { end } = await waits.attempt(text, () => ({ Status: "DONE" }));
  assert.equal(resultOf(end).attempts, 1);
  for (const lost of ["name", "code", "attempts", "cause"]) {
    const { [lost]: _, ...damaged } = end;
    assert.throws(() => resultOf(damaged), { name: "StateError", code: "damaged_state" });
  }
});

test("waits beside each other have the same operations in each invocation", async () => {
  const ends = [2, 3, 1, 0];
  const execution = new Execution((context) => Promise.all(ends.map((wait) => job(wait)(context))));
  let checkpoints = 0;
  execution.after = () => {
    if (++checkpoints % 2 === 1) throw new Error("killed");
  };
  assert.deepEqual(await execution.result(), await Promise.all(ends.map(undisturbed)));
  assert(execution.invocations > 1);
});

test("the example", async () => {
  const statuses = ["creating", "backing-up", "available"];
  globalThis.answerOfRds = ({ DBSnapshotIdentifier }) =>
    DBSnapshotIdentifier === undefined ? { DBInstances: [{ DBInstanceStatus: statuses.shift(), Endpoint: { Address: "orders.local" } }] } : {};
  // In place of the client.
  mkdirSync("node_modules/@aws-sdk/client-rds", { recursive: true });
  writeFileSync("node_modules/@aws-sdk/client-rds/package.json", JSON.stringify({ type: "module", exports: "./index.js" }));
  const commands = ["DescribeDBInstancesCommand", "RestoreDBInstanceFromDBSnapshotCommand"];
  const classes = commands.map((name) => `export class ${name} { constructor(input) { this.input = input; } }`);
  const client = "export class RDSClient { send = async ({ input }) => globalThis.answerOfRds(input); }";
  writeFileSync("node_modules/@aws-sdk/client-rds/index.js", [client, ...classes].join("\n"));
  const { handler } = await import("./lambda_wait.mjs");
  const runner = new LocalDurableTestRunner({ handlerFunction: handler });
  const execution = await runner.run({ payload: { database: "orders", snapshot: "monday" } });
  assert.equal(execution.getResult(), "orders.local");
});

for (const [title, call, options, type, text] of [
  ["a call that is not a function", undefined, {}, TypeError, /the call must be a function, got undefined/],
  ["an empty name", done, { name: "" }, OptionsError, /`name` must be a text, got ""/],
  ["a limit of 0", done, { reportLimit: 0 }, OptionsError, /`reportLimit` must be from 1 to 4294967295 bytes/],
  ["an unknown option", done, { maxWaitTmie: 60 }, OptionsError, /did you mean `maxWaitTime`/],
  ["no limit", done, { maxWaitTime: undefined }, OptionsError, /maxWaitTime/],
]) {
  test(`invalid arguments: ${title}`, async () => {
    let caught;
    const execution = new Execution(async (context) => {
      caught = await durableWait(context, jobDone, call, { maxWaitTime: 60, ...options }).catch((error) => error);
    });
    await execution.result();
    assert(caught instanceof type, String(caught));
    assert.match(caught.message, text);
  });
}
