/** Waits do not leak listeners, timers, promises or memory of the engine. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Waiter } from "smithy-waiters";
import { ACTIVE, CREATING, TABLE_EXISTS, table } from "./definitions.mjs";
import { inner } from "./installed.mjs";

/** The number of waits; `cargo xtask deep` runs 100,000. */
const WAITS = Number(process.env.SMITHY_WAITERS_WAITS ?? 4_000);
/** The number of concurrent waits. */
const TOGETHER = 200;

/**
 * How much the engine's memory may grow. It grows by pages of 64 KiB and never shrinks, and how many waits
 * end within one turn of the event loop differs from run to run. A leak of 64 bytes per wait is still more than this.
 */
const GROWTH = 3 * 65_536;

const { EngineWait, slotCount, initSync } = await inner();

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const pause = (ms = 0) => new Promise((resolve) => void setTimeout(resolve, ms));

const waiter = new Waiter({ ...TABLE_EXISTS, minDelay: 1 }, { name: "TableExists" });
const shared = new AbortController();
const options = { maxWaitTime: 30, minDelay: 0.001, maxDelay: 0.002, abortSignal: shared.signal };
const refused = (wait, code) => wait.then(() => assert.fail("the wait succeeded"), (error) => assert.equal(error.code, code));

/** Waits with real timers, one for each way to end. */
const WAYS = [
  () => waiter.wait(({ number }) => (number < 2 ? CREATING : ACTIVE), options),
  () => refused(waiter.wait(() => table("LOST"), options), "failure_state"),
  () => refused(waiter.wait(() => Promise.reject(new Error("no")), options), "unmatched_error"),
  () => refused(waiter.wait(() => CREATING, { ...options, maxWaitTime: 0.003 }), "timed_out"),
  // The call is aborted: it ends when its signal fires, after the wait.
  () => refused(waiter.wait(hang, { ...options, maxWaitTime: 0.002 }), "timed_out"),
  () => refused(waiter.wait(() => CREATING, { ...options, abortSignal: AbortSignal.abort() }), "cancelled"),
  () => cancelled((signal) => waiter.wait(hang, { ...options, abortSignal: signal })),
  () => cancelled((signal) => waiter.wait(() => CREATING, { ...options, minDelay: 20, maxDelay: 20, abortSignal: signal })),
  async () => {
    for await (const { attempt } of waiter.attempts(() => CREATING, options)) if (attempt === 2) break;
  },
  async () => {
    const attempts = waiter.attempts(({ number }) => (number < 2 ? CREATING : ACTIVE), options);
    for await (const _ of attempts);
    assert.equal(attempts.outcome.attempts, 2);
  },
  async () => {
    const attempts = waiter.attempts(hang, options);
    void attempts.next();
    await attempts.return();
  },
  async () => void waiter.attempts(hang, options),
];

/** The kinds of objects that a wait uses. */
const KINDS = [Promise, AbortSignal, AbortController, Error, waiter.start({ maxWaitTime: 1 }).constructor, waiter.attempts(hang, options).constructor];

function hang({ signal }) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

async function cancelled(begin) {
  const controller = new AbortController();
  const wait = refused(begin(controller.signal), "cancelled");
  await pause();
  controller.abort();
  await wait;
  assert.equal(getEventListeners(controller.signal, "abort").length, 0);
}

/** Counts the waits that the engine holds. */
function counted() {
  const { free } = EngineWait.prototype;
  const { start } = Waiter.prototype;
  const count = { open: 0, made: 0 };
  EngineWait.prototype.free = function () {
    count.open--;
    return free.call(this);
  };
  Waiter.prototype.start = function (given) {
    const wait = start.call(this, given);
    count.open++;
    count.made++;
    return wait;
  };
  return count;
}

async function run(waits) {
  for (let made = 0; made < waits; made += TOGETHER) {
    await Promise.all(Array.from({ length: TOGETHER }, (_, index) => WAYS[(made + index) % WAYS.length]()));
  }
}

/** Returns the number of objects when the program is idle. */
async function held() {
  // Node holds signals with listeners until these are collected.
  for (let turn = 0; turn < 5; turn++) {
    await pause(5);
    collect();
  }
  return {
    objects: KINDS.map((kind) => queryObjects(kind, { format: "count" })),
    engine: initSync().memory.buffer.byteLength,
    slots: slotCount(),
    listeners: getEventListeners(shared.signal, "abort").length,
    timers: process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate/.test(name)).length,
  };
}

test(`${WAITS} waits leave nothing behind`, { timeout: 300_000 }, async () => {
  const warnings = [];
  process.on("warning", (warning) => {
    // The test itself uses one.
    if (!/queryObjects/.test(warning.message)) warnings.push(warning);
  });
  const count = counted();
  await run(1200);
  const before = await held();
  const { made } = count;
  await run(WAITS);
  const after = await held();
  assert.ok(count.made - made >= WAITS * 0.9);
  assert.deepEqual([count.open, after.slots, after.listeners, after.timers], [0, 0, 0, before.timers]);
  const growth = after.engine - before.engine;
  assert.ok(growth <= GROWTH, `the engine's memory grew by ${growth} bytes`);
  // Node itself may create a few objects.
  KINDS.forEach((kind, index) => {
    const more = after.objects[index] - before.objects[index];
    assert.ok(more < 50, `${more} more of ${kind.name}`);
  });
  assert.deepEqual(warnings, []);
});
