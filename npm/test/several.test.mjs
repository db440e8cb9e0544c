import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { OptionsError, waitAll, waitAny, Waiter, WaiterCancelled, WaiterFailed, WaitersFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

const ready = Waiter.until("Status", "READY", { fail: ["FAILED"] });
const OPTIONS = { maxWaitTime: 60 };

/** Returns a function that waits for the statuses in turn, on a new clock unless one is given. */
const wait = (statuses, clock = new FakeClock()) => {
  let calls = 0;
  const call = async () => ({ Status: statuses[Math.min(calls++, statuses.length - 1)] });
  return (options) => ready.wait(call, { ...options, clock });
};
const errorOf = (waits, options = OPTIONS) => waitAll(waits, options).then(assert.fail, (error) => error);

test("all waits succeed, and the result has the form of the waits", async () => {
  const waits = { b: wait(["PENDING", "READY"]), a: wait(["READY"]) };
  const outcomes = await waitAll(waits, OPTIONS);
  assert.deepEqual(Object.entries(outcomes).map(([name, { attempts }]) => [name, attempts]), [["b", 2], ["a", 1]]);
  const map = await waitAll(new Map([["a", wait(["READY"])]]), OPTIONS);
  assert.deepEqual([map instanceof Map, [...map.keys()], map.get("a").response], [true, ["a"], { Status: "READY" }]);
  for (const empty of [{}, Object.create(null), runInNewContext("({})")]) assert.deepEqual(await waitAll(empty, OPTIONS), {});
  assert.deepEqual(await waitAny(new Map(), OPTIONS), new Map());
});

test("the first failure cancels the others, with a reason", async () => {
  const forever = (options) => ready.wait(() => new Promise(() => {}), options);
  const error = await errorOf({ a: forever, b: wait(["FAILED"]) });
  assert.ok(error instanceof WaitersFailed);
  assert.deepEqual([...error.failures.keys()], ["a", "b"]);
  assert.ok(error.failures.get("a") instanceof WaiterCancelled && error.failures.get("b") instanceof WaiterFailed);
  assert.match(error.failures.get("a").cause.message, /the other waits decided the end of all/);
  assert.match(error.message, /^2 of 2 waits failed:\n {2}a: /);
});

test("a signal cancels all with its reason, and is left without a listener", async () => {
  const controller = new AbortController();
  const added = [];
  controller.signal.addEventListener = (name, listener) => added.push(listener);
  controller.signal.removeEventListener = (name, listener) => added.splice(added.indexOf(listener), 1);
  const reason = new Error("no more time");
  const forever = (options) => ready.wait(() => new Promise(() => {}), options);
  const ended = errorOf({ a: forever }, { ...OPTIONS, abortSignal: controller.signal });
  assert.equal(added.length, 1);
  controller.abort(reason);
  added[0]();
  const error = await ended;
  assert.equal(error.failures.get("a").cause, reason);
  assert.equal(added.length, 0);
  const calls = [];
  const counted = (options) => ready.wait(async () => calls.push(1), options);
  const before = await errorOf({ a: counted }, { ...OPTIONS, abortSignal: AbortSignal.abort(reason) });
  assert.deepEqual([before.failures.get("a").cause, calls], [reason, []]);
});

test("other errors cancel the others and are thrown unchanged", async () => {
  const thrown = new TypeError("not a wait");
  let cancelled = false;
  const forever = (options) => ready.wait(() => new Promise(() => {}), options).catch((error) => {
    cancelled = error instanceof WaiterCancelled;
    throw error;
  });
  for (const wrong of [() => Promise.reject(thrown), () => { throw thrown; }]) {
    assert.equal(await errorOf({ a: forever, b: wrong }), thrown);
    assert.ok(cancelled);
  }
  const options = await errorOf({ a: forever, b: (options) => ready.wait(() => 1, { ...options, minDelay: -1 }) });
  assert.ok(options instanceof OptionsError && options.option === "minDelay");
});

test("mistakes name their culprit", async () => {
  const cases = [
    [{ a: wait(["READY"]) }, 60, "", /did you mean `{ maxWaitTime: 60 }`/],
    [{ a: wait(["READY"]) }, { maxWait: 60 }, "maxWait", /maxWaitTime/],
    [{ a: wait(["READY"]) }, { ...OPTIONS, abortSignal: 1 }, "abortSignal", /AbortSignal/],
    [{ a: 1 }, OPTIONS, 'waits["a"]', /function/],
    [[wait(["READY"])], OPTIONS, "waits", /^`waits` must be an object of names and waits, got an array$/],
    [undefined, OPTIONS, "waits", /got undefined$/],
    [new Map([["a", wait(["READY"])]]).entries(), OPTIONS, "waits", /got `Map Iterator`$/],
    [new Set([wait(["READY"])]), OPTIONS, "waits", /got `Set`$/],
    [Promise.resolve({ a: wait(["READY"]) }), OPTIONS, "waits", /got `Promise`$/],
    [(function* () {})(), OPTIONS, "waits", /got `Generator`$/],
  ];
  for (const [waits, options, option, message] of cases) {
    for (const run of [waitAll, waitAny]) {
      const error = await run(waits, options).then(assert.fail, (error) => error);
      assert.ok(error instanceof OptionsError, String(error));
      assert.equal(error.option ?? "", option);
      assert.match(error.message, message);
    }
  }
});
