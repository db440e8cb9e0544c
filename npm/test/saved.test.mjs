import assert from "node:assert/strict";
import { test } from "node:test";
import { StateError, Waiter } from "smithy-waiters";
import { ACTIVE, CREATING, matching, ServiceError, TABLE_EXISTS, tableExists, thrownBy } from "./definitions.mjs";

const OPTIONS = { maxWaitTime: 60, seed: 7 };
const STARTED_AT = Date.UTC(2025, 0, 1);

/** Creates a wait with a completed attempt, and the next one due at 2.03 s. */
const begun = (waiter = tableExists()) => {
  const wait = waiter.start(OPTIONS);
  wait.poll(0);
  wait.handle({ type: "response", response: CREATING }, 30);
  return wait;
};

/** Runs an action with a wall clock that is a number of seconds after the start. */
function secondsLater(seconds, run) {
  const { now } = Date;
  Date.now = () => STARTED_AT + seconds * 1000;
  try {
    return run();
  } finally {
    Date.now = now;
  }
}

const code = (action) => {
  const error = thrownBy(action);
  assert.ok(error instanceof StateError, `${error}`);
  return error.code;
};

test("a wait goes on from its JSON as if it had never stopped", () => {
  const whole = begun();
  const saved = JSON.stringify(begun());
  for (const state of [saved, JSON.parse(saved), begun().toJSON()]) {
    const resumed = tableExists().resume(state, { elapsedMs: 35 });
    assert.deepEqual(resumed.poll(40), whole.poll(40));
  }
  const resumed = tableExists().resume(saved, { elapsedMs: 5000 });
  assert.equal(resumed.nowMs, 5000);
  assert.deepEqual(resumed.poll(5000), { type: "call", attempt: 2, deadlineMs: 60_000 });
  const step = resumed.handle({ type: "response", response: ACTIVE }, 5010);
  assert.equal(step.outcome().response, ACTIVE);
  assert.deepEqual([step.attempts, step.elapsedMs], [2, 5010]);
  // Earlier results are not saved.
  assert.deepEqual(step.history.map(({ attempt }) => attempt), [2]);
});

test("a saved wait is small, whatever its history", () => {
  const wait = tableExists().start({ ...OPTIONS, maxWaitTime: 3600 });
  let now = 0;
  for (let step = wait.poll(0); step.type !== "done"; ) {
    now = step.type === "sleep" ? step.untilMs : now;
    step = step.type === "sleep" ? wait.poll(now) : wait.handle({ type: "response", response: CREATING }, now);
    if (step.type === "sleep") assert.ok(JSON.stringify(wait).length < 350);
  }
});

test("the time away counts by the wall clock, unless the caller knows it", () => {
  const saved = secondsLater(0, () => JSON.stringify(begun()));
  const away = (seconds, options) => secondsLater(seconds, () => tableExists().resume(saved, options));
  assert.equal(away(30).nowMs, 30_000);
  assert.deepEqual(away(30).poll(30_100), { type: "call", attempt: 2, deadlineMs: 60_000 });
  assert.deepEqual([away(60).poll(0).code, away(3600).poll(0).code], ["timed_out", "timed_out"]);
  assert.equal(away(3600, { elapsedMs: 40 }).nowMs, 40);
  assert.equal(away(30, { elapsedMs: undefined }).nowMs, 30_000);
  // A wall clock that is set back does not move the wait back.
  assert.equal(away(-3600).nowMs, 30);
  // After another save, the time since the first start counts.
  const again = JSON.stringify(away(10));
  assert.equal(secondsLater(25, () => tableExists().resume(again)).nowMs, 25_000);
});

test("a wait that is saved in flight hands out its attempt again", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  const resumed = tableExists().resume(wait.toJSON(), { elapsedMs: 10 });
  assert.deepEqual(resumed.poll(10), { type: "call", attempt: 1, deadlineMs: 60_000 });
});

test("a wait that is over stays so", () => {
  const wait = tableExists().start(OPTIONS);
  const step = wait.handle({ type: "cancelled" }, 5);
  const resumed = tableExists().resume(JSON.stringify(wait)).poll(10);
  assert.deepEqual([resumed.code, resumed.message, resumed.explain()], [step.code, step.message, step.explain()]);
});

test("the input is passed again", () => {
  const waiter = matching("input.Wanted == output.Status", "true", "booleanEquals", "inputOutput");
  const wait = waiter.start({ ...OPTIONS, input: { Wanted: "A" } });
  const resumed = waiter.resume(wait.toJSON(), { input: { Wanted: "B" } });
  resumed.poll(0);
  assert.equal(resumed.handle({ type: "response", response: { Status: "B" } }, 1).state, "success");
});

test("anything but a saved wait of this waiter is refused", () => {
  const saved = JSON.stringify(begun());
  const resume = (state, options) => () => tableExists().resume(state, options);
  for (let length = 0; length < saved.length; length += 7) assert.equal(code(resume(saved.slice(0, length))), "damaged_state");
  assert.equal(code(resume(saved.replace('"attempts":1', '"attempts":2'))), "damaged_state");
  assert.equal(code(resume({ ...begun().toJSON(), more: 1 })), "damaged_state");
  const cyclic = {};
  cyclic.self = cyclic;
  for (const state of [undefined, null, 5, [], {}, cyclic, { version: 1n }]) assert.equal(code(resume(state)), "damaged_state");
  assert.equal(code(resume(saved.replace('"version":1', '"version":2'))), "newer_version");
  const other = new Waiter({ ...TABLE_EXISTS, minDelay: 3 });
  assert.equal(code(() => other.resume(saved)), "other_definition");
  for (const elapsedMs of [-1, Number.NaN, "5"]) assert.equal(code(resume(saved, { elapsedMs })), "invalid_time");
  assert.throws(resume(saved, { elapsed: 5 }), { code: "unknown_option", option: "elapsed" });
});

test("a wait cannot be saved while a step is in progress, or after it was freed", () => {
  const wait = matching("a", "x").start(OPTIONS);
  wait.poll(0);
  const codes = [];
  const response = { get a() { codes.push(code(() => wait.toJSON())); return "x"; } };
  wait.handle({ type: "response", response }, 1);
  assert.deepEqual(new Set(codes), new Set(["busy"]));
  wait.free();
  assert.equal(code(() => wait.toJSON()), "freed");
});

test("a verdict of other code is taken like one of the engine's", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  const missing = new ServiceError("ResourceNotFoundException", "not yet");
  const retried = wait.handle({ type: "verdict", acceptor: 2, error: missing }, 30);
  assert.deepEqual(retried, { type: "sleep", untilMs: 2030, last: false });
  wait.poll(2030);
  assert.equal(wait.handle({ type: "verdict" }, 2040).type, "sleep");
  wait.poll(58_000);
  const step = wait.handle({ type: "verdict", acceptor: 0, error: null, response: ACTIVE }, 58_100);
  assert.deepEqual([step.state, step.acceptor, step.attempts, step.outcome().response], ["success", 0, 3, ACTIVE]);
  assert.equal(step.history[0].error, "ResourceNotFoundException: not yet");
});

test("a verdict of other code carries its error to the end", () => {
  const wait = tableExists().start(OPTIONS);
  wait.poll(0);
  const error = new ServiceError("AccessDenied");
  const failure = thrownBy(() => wait.handle({ type: "verdict", error }, 1).outcome());
  assert.deepEqual([failure.code, failure.error, failure.cause], ["unmatched_error", error, error]);
});

test("a verdict that the waiter never has is refused", () => {
  const wait = tableExists().start(OPTIONS);
  assert.equal(code(() => wait.handle({ type: "verdict", acceptor: 0 }, 0)), "not_in_flight");
  wait.poll(0);
  const error = new ServiceError("AccessDenied");
  for (const event of [{ acceptor: 9 }, { acceptor: 2 }, { acceptor: 0, error }, { acceptor: -1 }, { acceptor: 0.5 }, { acceptor: "0" }, { acceptor: 2 ** 32 }]) {
    assert.equal(code(() => wait.handle({ type: "verdict", ...event }, 1)), "invalid_verdict", JSON.stringify(event));
  }
  assert.equal(wait.handle({ type: "verdict", acceptor: 0 }, 1).state, "success");
});
