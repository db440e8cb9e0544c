/** What happens around a wait: changes, failures, work that is stopped, and the limit that waits share. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { OptionsError, RateLimit, Waiter, WaiterCancelled, WaiterFailed, WaiterTimeout } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { VirtualClock } from "./clock.mjs";
import { rejection, thrownBy } from "./definitions.mjs";

const ready = Waiter.until("Status", "READY", { fail: ["FAILED"], name: "Ready" });
const statuses = (...values) => async () => ({ Status: values.length > 1 ? values.shift() : values[0] });
const options = (others) => ({ maxWaitTime: 60, clock: new FakeClock(), seed: 7, ...others });

/** The two ways to wait. */
const WAYS = [
  (call, given) => ready.wait(call, given),
  async (call, given) => {
    for await (const { attempt } of ready.attempts(call, given)) assert.ok(attempt > 0);
  },
];

test("onChange receives each attempt with a new result", async () => {
  for (const wait of WAYS) {
    const seen = [];
    await wait(statuses("A", "A", "B", "READY"), options({ onChange: ({ attempt, response }) => void seen.push([attempt, response.Status]) }));
    assert.deepEqual(seen, [[1, "A"], [3, "B"], [4, "READY"]]);
  }
});

test("both receive the same progress", async () => {
  const seen = new Set();
  await ready.wait(statuses("READY"), options({ onChange: (progress) => seen.add(progress), onAttempt: (progress) => seen.add(progress) }));
  assert.equal(seen.size, 1);
});

test("an error of onChange ends the wait, and nothing follows it", async () => {
  const bug = new Error("bug");
  for (const onChange of [() => { throw bug; }, () => Promise.reject(bug)]) {
    for (const wait of WAYS) {
      const follows = () => assert.fail("the wait did not fail");
      assert.equal(await rejection(wait(statuses("FAILED"), options({ onChange, onFailure: follows, cancelWith: follows }))), bug);
    }
  }
});

test("the result of onFailure is the details of the error", async () => {
  for (const wait of WAYS) {
    for (const onFailure of [({ code }) => `events of ${code}`, async ({ code }) => `events of ${code}`]) {
      const error = await rejection(wait(statuses("FAILED"), options({ onFailure })));
      assert.ok(error instanceof WaiterFailed);
      assert.deepEqual([error.details, error.detailsError, error.cancelError, error.leavesWork], ["events of failure_state", undefined, undefined, false]);
      assert.equal("details" in error.toJSON(), false);
    }
  }
});

test("a wait that succeeds calls neither", async () => {
  const follows = () => assert.fail("the wait did not fail");
  for (const wait of WAYS) await wait(statuses("A", "READY"), options({ onFailure: follows, cancelWith: follows }));
});

test("cancelWith stops the work that is left", async () => {
  for (const wait of WAYS) {
    const stopped = [];
    const around = { cancelWith: async () => void stopped.push("job") };
    await rejection(wait(statuses("FAILED"), options(around)));
    assert.deepEqual(stopped, []);
    const late = await rejection(wait(statuses("A"), options(around)));
    assert.ok(late instanceof WaiterTimeout && late.leavesWork);
    const cancelled = await rejection(wait(statuses("A"), options({ ...around, abortSignal: AbortSignal.abort() })));
    assert.ok(cancelled instanceof WaiterCancelled && cancelled.leavesWork);
    const spent = await rejection(wait(statuses("A"), options({ ...around, maxAttempts: 2 })));
    assert.deepEqual([spent.code, spent.leavesWork], ["too_many_attempts", true]);
    assert.deepEqual(stopped, ["job", "job", "job"]);
  }
});

test("the work is stopped before more is found out", async () => {
  const order = [];
  const cancelWith = async () => {
    await undefined;
    order.push("stopped");
    throw new Error("no");
  };
  const onFailure = (error) => order.push(`found out after ${error.cancelError.message}`);
  await rejection(ready.wait(statuses("A"), options({ cancelWith, onFailure, logger: { debug() {}, info() {}, warn() {} } })));
  assert.deepEqual(order, ["stopped", "found out after no"]);
});

test("an abort signal interrupts neither the follow-up call nor the cancellation", async () => {
  const controller = new AbortController();
  const onFailure = () => new Promise((resolve) => {
    controller.abort();
    setTimeout(() => resolve("the log"), 5);
  });
  const error = await rejection(ready.wait(statuses("FAILED"), options({ onFailure, abortSignal: controller.signal })));
  assert.deepEqual([error.code, error.details], ["failure_state", "the log"]);
});

test("breaking out of a loop over attempts calls neither", async () => {
  const follows = () => assert.fail("the wait did not fail");
  for await (const { attempt } of ready.attempts(statuses("A"), options({ onFailure: follows, cancelWith: follows }))) {
    if (attempt === 2) break;
  }
});

test("an error of a follow-up call is logged as a warning, and the failure is thrown", async () => {
  const lines = [];
  const logger = { debug() {}, info() {}, warn: (line) => lines.push(line) };
  for (const fail of [() => { throw new Error("no"); }, () => Promise.reject(new Error("no"))]) {
    for (const wait of WAYS) {
      const error = await rejection(wait(statuses("A"), options({ onFailure: fail, cancelWith: fail, logger, hints: false })));
      assert.ok(error instanceof WaiterTimeout);
      assert.deepEqual([error.detailsError.message, error.cancelError.message, error.details], ["no", "no", undefined]);
      assert.deepEqual(lines.splice(0), ["`cancelWith` threw an error: no", "`onFailure` threw an error: no"]);
    }
  }
});

test("without a logger they go to the console, as hints do", async () => {
  const warn = mock.method(console, "warn", () => {});
  try {
    await rejection(ready.wait(statuses("FAILED"), options({ onFailure: () => Promise.reject(new Error("no")) })));
    assert.deepEqual(warn.mock.calls.map(({ arguments: [line] }) => line), ["`onFailure` threw an error: no"]);
  } finally {
    warn.mock.restore();
  }
});

test("the stack of a failure has its caller", async () => {
  for (const wait of WAYS) {
    async function caller() {
      await wait(statuses("FAILED"), options({ onFailure: () => 1 }));
    }
    assert.match((await rejection(caller())).stack, /around\.test/);
  }
});

test("a state machine tells changes", () => {
  const wait = ready.start({ maxWaitTime: 60 });
  const changes = [wait.changed];
  for (const Status of ["A", "A", "B"]) {
    const step = wait.poll(wait.nowMs);
    if (step.type === "sleep") wait.poll(step.untilMs);
    wait.handle({ type: "response", response: { Status } }, wait.nowMs);
    changes.push(wait.changed);
  }
  wait.free();
  assert.deepEqual([...changes, wait.changed], [false, true, false, true, false]);
});

test("waits share a limit", async () => {
  for (const wait of WAYS) {
    const [rateLimit, clock, times] = [new RateLimit(0.1), new FakeClock(), []];
    clock.advance(5.25);
    const call = async () => (times.push(clock.now), { Status: "READY" });
    for (let index = 0; index < 3; index++) await wait(call, options({ clock, rateLimit }));
    assert.deepEqual(times.map((time) => Math.round((time - times[0]) * 100) / 100), [0, 10, 20]);
    const late = await rejection(wait(call, options({ clock, rateLimit, maxWaitTime: 5 })));
    assert.deepEqual([late.code, late.attempts, times.length], ["timed_out", 0, 3]);
  }
});

test("a wait and a fleet share a limit", async () => {
  const [rate, clock, times] = [new RateLimit(0.1), new FakeClock(), []];
  await ready.wait(async () => (times.push(clock.now), { Status: "READY" }), options({ clock, rateLimit: rate }));
  const call = async (ids) => (times.push(clock.now), { Jobs: ids.map((Id) => ({ Id, Status: "READY" })) });
  await Waiter.until("Jobs[].Status", "READY").fleet(call, { items: "Jobs[]", key: "Id", rate, clock }).wait("job-1", { maxWaitTime: 60 });
  assert.deepEqual(times, [0, 10]);
});

test("a cancelled wait does not wait for its turn", async () => {
  const virtual = new VirtualClock();
  const { clock, sleep } = virtual;
  const rateLimit = new RateLimit(0.01);
  rateLimit.reserve(0);
  const controller = new AbortController();
  virtual.at(1000, () => controller.abort());
  const waiting = ready.wait(statuses("READY"), { maxWaitTime: 600, clock, sleep, rateLimit, abortSignal: controller.signal });
  const error = await rejection(virtual.run(waiting));
  assert.deepEqual([error.code, error.elapsed, error.attempts], ["cancelled", 1, 0]);
});

test("a clock whose times are negative can have a limit", async () => {
  const virtual = new VirtualClock();
  virtual.now = -1_000_000;
  const { clock, sleep } = virtual;
  const [rateLimit, times] = [new RateLimit(0.1), []];
  const call = async () => (times.push(clock() / 1000), { Status: "READY" });
  for (const pause of [0, 0, 60, 0]) {
    virtual.now += pause * 1000;
    await virtual.run(ready.wait(call, { maxWaitTime: 60, clock, sleep, rateLimit }));
  }
  // The third call is not late, because time without calls passes for the limit, too.
  assert.deepEqual(times, [-1000, -990, -930, -920]);
});

test("mistakes name the option", async () => {
  for (const option of ["onChange", "onFailure", "cancelWith", "rateLimit"]) {
    const refused = await rejection(ready.wait(statuses("READY"), options({ [option]: 5 })));
    assert.ok(refused instanceof OptionsError);
    assert.equal(refused.option, option);
    assert.equal(thrownBy(() => ready.attempts(statuses("READY"), options({ [option]: 5 }))).option, option);
    for (const absent of [undefined, null]) await ready.wait(statuses("READY"), options({ [option]: absent }));
  }
  const refused = await rejection(ready.wait(statuses("READY"), options({ rateLimit: 5 })));
  assert.equal(refused.message, "`rateLimit` must be a `RateLimit`, got 5");
});
