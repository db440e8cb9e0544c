import assert from "node:assert/strict";
import { test } from "node:test";
import { WaiterCancelled, WaiterTimeout } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { turns, VirtualClock } from "./clock.mjs";
import { ACTIVE, CREATING, matching, rejection, script, ServiceError, table, tableExists } from "./definitions.mjs";

/** Runs a wait in virtual time. */
const run = (call, options = () => ({})) => {
  const clock = new VirtualClock();
  const { sleep } = clock;
  const wait = tableExists().wait(call(clock), { maxWaitTime: 60, seed: 7, clock: clock.clock, sleep, ...options(clock) });
  return { clock, ended: clock.run(wait) };
};

const answers = (...list) => () => script(...list);
const hang = () => ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

test("null, undefined and a text may be thrown", async () => {
  for (const thrown of [null, undefined, "ResourceNotFoundException"]) {
    const error = await rejection(run(() => () => Promise.reject(thrown)).ended);
    assert.deepEqual([error.code, error.error, error.cause, "cause" in error], ["unmatched_error", thrown, thrown, true]);
  }
});

test("a rejection after the deadline is ignored", async () => {
  const call = (clock) => () => new Promise((_, reject) => clock.at(70_000, () => reject(new Error("late"))));
  const { clock, ended } = run(call);
  await rejection(ended);
  await clock.run(new Promise((resolve) => clock.at(80_000, resolve)));
  await turns();
});

test("a timer that fires early neither polls nor cuts early", async () => {
  const early = (clock) => ({ sleep: (ms, signal) => clock.sleep(ms > 10 ? ms - 3 : ms, signal) });
  const starts = [];
  const call = (clock) => ({ number, signal }) => {
    starts.push(clock.now);
    return number < 3 ? CREATING : hang()({ signal });
  };
  const { clock, ended } = run(call, early);
  const error = await rejection(ended);
  assert.equal(clock.now, 60_000);
  assert.deepEqual(error.history.map(({ startedMs }) => startedMs), starts);
  assert.equal(starts[1], error.history[0].delayMs);
});

test("a sleep that only moves the clock on leaves the call its answer", async () => {
  let now = 0;
  const slept = [];
  const sleep = async (ms) => {
    slept.push(ms);
    now += ms;
  };
  const states = ["CREATING", "CREATING", "ACTIVE"];
  const call = async () => {
    for (let turn = 0; turn < 50; turn++) await null;
    return table(states.shift());
  };
  const outcome = await tableExists().wait(call, { maxWaitTime: 60, seed: 7, sleep, clock: () => now });
  assert.equal(outcome.attempts, 3);
  assert.deepEqual(slept, outcome.history.slice(0, 2).map(({ delayMs }) => delayMs));
});

test("a sleep that only advances the clock still cuts a call that hangs", async () => {
  let now = 0;
  const sleep = async (ms) => void (now += ms);
  const wait = tableExists().wait(hang(), { maxWaitTime: 60, sleep, clock: () => now });
  await assert.rejects(wait, { code: "timed_out", elapsed: 60 });
});

test("cancelled while a call is in flight: the call's signal fires with the reason", async () => {
  const controller = new AbortController();
  let reason;
  const call = (clock) => ({ signal }) => {
    clock.at(500, () => controller.abort("stop"));
    return new Promise((_, reject) => signal.addEventListener("abort", () => ((reason = signal.reason), reject(signal.reason))));
  };
  const { clock, ended } = run(call, () => ({ abortSignal: controller.signal }));
  const error = await rejection(ended);
  assert.deepEqual([error.code, error.cause, error.elapsed, reason], ["cancelled", "stop", 0.5, "stop"]);
  assert.equal(error.history[0].result, "cancelled");
  assert.equal(clock.pending, 0);
});

test("cancelled while it sleeps: it ends at once and stops the sleep, even when that goes on", async () => {
  for (const isDeaf of [true, false]) {
    const controller = new AbortController();
    const call = (clock) => () => (clock.at(500, () => controller.abort()), CREATING);
    const { clock, ended } = run(call, ({ sleep }) => ({ abortSignal: controller.signal, sleep: isDeaf ? (ms) => sleep(ms) : sleep }));
    const error = await rejection(ended);
    assert.deepEqual([error.code, error.elapsed, error.attempts, error.cause.name], ["cancelled", 0.5, 1, "AbortError"]);
    assert.deepEqual([clock.now, clock.pending], [500, isDeaf ? 1 : 0]);
  }
});

test("cancelled by onAttempt: no further call", async () => {
  const controller = new AbortController();
  const options = () => ({ abortSignal: controller.signal, onAttempt: () => controller.abort() });
  const error = await rejection(run(answers(CREATING), options).ended);
  assert.deepEqual([error.code, error.attempts], ["cancelled", 1]);
});

test("cancelled after its end: nothing happens, and no listener is left", async () => {
  const listeners = new Set();
  const controller = new AbortController();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type, listener, options) => (listeners.add(listener), add(type, listener, options));
  signal.removeEventListener = (type, listener) => (listeners.delete(listener), remove(type, listener));
  let handed;
  const call = () => async (attempt) => {
    handed = attempt.signal;
    await Promise.resolve();
    assert.equal(listeners.size, 1);
    return ACTIVE;
  };
  await run(call, () => ({ abortSignal: signal })).ended;
  assert.equal(listeners.size, 0);
  controller.abort();
  assert.equal(handed.aborted, false);
});

test("onAttempt receives every attempt", async () => {
  const told = [];
  const missing = new ServiceError("ResourceNotFoundException");
  const options = () => ({ onAttempt: (progress) => told.push(progress), historyLimit: 0 });
  const outcome = await run(answers(missing, CREATING, ACTIVE), options).ended;
  assert.deepEqual(outcome.history, []);
  assert.deepEqual(told.map(({ attempt, result, state, acceptor }) => [attempt, result, state, acceptor]), [
    [1, "error", "retry", 2],
    [2, "response", "retry", undefined],
    [3, "response", "success", 0],
  ]);
  assert.deepEqual(told.map(({ response, error }) => [response, error]), [[undefined, missing], [CREATING, undefined], [ACTIVE, undefined]]);
  assert.deepEqual([told[0].delay, told[0].nextIsLast, told[0].elapsed, told[0].remaining], [2, false, 0, 60]);
  assert.equal(told[2].delay, undefined);
  assert.equal(told[0].reasons[0].code, "not_applicable");
});

test("an error of onAttempt, of its promise or of another thenable is thrown unchanged", async () => {
  const bug = new Error("bug");
  for (const onAttempt of [() => { throw bug; }, () => Promise.reject(bug), () => ({ then: (_, reject) => reject(bug) }), () => ({ get then() { throw bug; } })]) {
    for (const answer of [CREATING, ACTIVE]) assert.equal(await rejection(run(answers(answer), () => ({ onAttempt })).ended), bug);
  }
});

test("a cancelled wait does not await onAttempt's promise and ignores its rejection", async () => {
  const controller = new AbortController();
  let reject;
  const onAttempt = () => {
    queueMicrotask(() => controller.abort());
    return new Promise((_, no) => (reject = no));
  };
  const error = await rejection(run(answers(CREATING), () => ({ onAttempt, abortSignal: controller.signal })).ended);
  assert.ok(error instanceof WaiterCancelled);
  reject(new Error("too late"));
  await turns();
});

test("a promise of onAttempt that never settles does not outlast the deadline", async () => {
  const late = ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject));
  for (const call of [() => CREATING, late]) {
    const clock = new FakeClock();
    // A call that hangs uses all of the remaining time.
    const onAttempt = () => (queueMicrotask(() => clock.advance(60)), new Promise(() => {}));
    const hanging = (attempt) => (call === late && clock.advance(60), call(attempt));
    const error = await rejection(tableExists().wait(hanging, { maxWaitTime: 60, clock, onAttempt }));
    assert.ok(error instanceof WaiterTimeout);
    assert.equal(error.attempts, 1);
  }
  const onAttempt = () => new Promise(() => {});
  // With only a custom sleep, the deadline uses real timers. Earlier results are preserved.
  for (const sleep of [undefined, () => turns()]) {
    const outcome = await tableExists().wait(() => ACTIVE, { maxWaitTime: 0.05, onAttempt, sleep });
    assert.equal(outcome.response, ACTIVE);
  }
});

test("a promise of onAttempt that is rejected after the deadline ends no process", async () => {
  const clock = new FakeClock();
  let reject;
  const onAttempt = () => (queueMicrotask(() => clock.advance(60)), new Promise((_, no) => (reject = no)));
  const error = await rejection(tableExists().wait(() => CREATING, { maxWaitTime: 60, clock, onAttempt }));
  assert.ok(error instanceof WaiterTimeout);
  reject(new Error("too late"));
  await turns();
});

test("an onAttempt that returns nothing takes no turn of the event loop", async () => {
  const turnsOf = async (options) => {
    let turn = 0;
    let over = false;
    const wait = matching("a", "b").wait(() => ({ a: "b" }), { maxWaitTime: 5, ...options }).then(() => (over = true));
    for (; !over; turn++) await undefined;
    await wait;
    return turn;
  };
  assert.equal(await turnsOf({ onAttempt() {} }), await turnsOf({}));
});

test("a sleep that fails is thrown as it is", async () => {
  const bug = new Error("bug");
  const options = () => ({ sleep: () => Promise.reject(bug) });
  assert.equal(await rejection(run(answers(CREATING), options).ended), bug);
  let handed;
  const call = () => ({ signal }) => ((handed = signal), new Promise(() => {}));
  assert.equal(await rejection(run(call, options).ended), bug);
  assert.equal(handed.reason, bug);
});

test("bad options reject", async () => {
  for (const option of ["onAttempt", "sleep", "clock", "abortSignal"]) {
    const wait = tableExists().wait(() => assert.fail("sent"), { maxWaitTime: 5, [option]: 5 });
    await assert.rejects(wait, { name: "OptionsError", code: "invalid_option", option });
  }
  const target = tableExists().wait(() => assert.fail("sent"), { maxWaitTime: 5, abortSignal: new EventTarget() });
  await assert.rejects(target, { code: "invalid_option", option: "abortSignal" });
});

test("check makes one call", async () => {
  const waiter = tableExists();
  const verdict = await waiter.check(async ({ number, signal }) => (assert.deepEqual([number, signal.aborted], [1, false]), ACTIVE));
  assert.deepEqual([verdict.state, verdict.acceptor, verdict.response], ["success", 0, ACTIVE]);
  const thrown = new ServiceError("ResourceNotFoundException");
  const failed = await waiter.check(() => { throw thrown; });
  assert.deepEqual([failed.state, failed.acceptor, failed.error], ["retry", 2, thrown]);
  const text = await waiter.check(() => Promise.reject("ResourceNotFoundException"));
  assert.equal(text.state, "failure");
});
