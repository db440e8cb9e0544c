import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { OptionsError, waitAll, waitAny, Waiter, WaiterCancelled, WaiterFailed, WaitersFailed, WaiterTimeout } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { rejection } from "./definitions.mjs";

const ready = Waiter.until("Status", "READY", { fail: ["FAILED"] });
const OPTIONS = { maxWaitTime: 60 };

/** Returns a function that waits for the statuses in turn, on a new clock unless one is given. */
const wait = (statuses, clock = new FakeClock()) => {
  let calls = 0;
  const call = async () => ({ Status: statuses[Math.min(calls++, statuses.length - 1)] });
  return (options) => ready.wait(call, { ...options, clock });
};
const errorOf = (waits, options = OPTIONS) => rejection(waitAll(waits, options));

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

test("waits that ignore their deadline and their cancellation are left a second later", async (t) => {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const deaf = () => new Promise(() => {});
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const late = errorOf({ a: deaf, b: wait(["READY"]) });
  await settled();
  t.mock.timers.tick(60_999);
  assert.equal(await Promise.race([late, settled()]), undefined);
  t.mock.timers.tick(1);
  const { failures, outcomes } = await late;
  assert.ok(failures.get("a") instanceof WaiterTimeout && failures.get("a").elapsed === 60);
  assert.deepEqual([...outcomes.keys()], ["b"]);
  const controller = new AbortController();
  const cancelled = errorOf({ a: deaf }, { ...OPTIONS, abortSignal: controller.signal });
  t.mock.timers.tick(5000);
  controller.abort(new Error("no more time"));
  t.mock.timers.tick(1000);
  const failure = (await cancelled).failures.get("a");
  assert.ok(failure instanceof WaiterCancelled && failure.elapsed === 5);
  assert.equal(failure.cause.message, "no more time");
  const before = errorOf({ a: deaf }, { ...OPTIONS, abortSignal: AbortSignal.abort() });
  t.mock.timers.tick(1000);
  assert.equal((await before).failures.get("a").code, "cancelled");
  const any = waitAny({ a: deaf, b: wait(["READY"]) }, OPTIONS);
  await settled();
  t.mock.timers.tick(1000);
  assert.deepEqual(Object.keys(await any), ["b"]);
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
      const error = await rejection(run(waits, options));
      assert.ok(error instanceof OptionsError, String(error));
      assert.equal(error.option ?? "", option);
      assert.match(error.message, message);
    }
  }
});
