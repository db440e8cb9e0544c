/** The label of a wait, the values that it shows, the summary of each attempt, and the deadline that waits share. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, table, tableExists, thrownBy } from "./definitions.mjs";
import { inner } from "./installed.mjs";

const { openTables } = await inner();

const options = (more) => ({ maxWaitTime: 60, seed: 7, clock: new FakeClock(), ...more });
const NOW = 1_700_000_000_000;

/** Runs an action with a constant wall clock. */
async function at(ms, run) {
  const { now } = Date;
  Date.now = () => ms;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}

test("the label is in progress, messages and failures", async () => {
  const seen = [];
  const lost = await tableExists()
    .wait(({ number }) => (number < 3 ? CREATING : table("LOST")), options({ label: "orders", onAttempt: (progress) => seen.push(progress) }))
    .catch((error) => error);
  assert.ok(lost.message.startsWith("TableExists orders: failed after "), lost.message);
  const { waiter, label } = lost;
  assert.deepEqual([waiter, label], ["TableExists", "orders"]);
  assert.deepEqual(seen.map((progress) => progress.label), ["orders", "orders", "orders"]);
  const [{ summary }] = seen;
  assert.match(summary, /^TableExists orders: attempt 1 after 0 s: retry: Table.TableStatus gave "CREATING", expected "ACTIVE"; next in \d/);
  assert.equal(JSON.parse(JSON.stringify(seen[0])).summary, summary);
});

test("the names of the paths are freed with the wait", async () => {
  const waiter = tableExists();
  const before = openTables();
  const wait = waiter.start({ maxWaitTime: 60, show: ["Table.Why"] });
  assert.equal(openTables(), before + 1);
  wait.free();
  waiter.start({ maxWaitTime: 60, show: ["Table.TableStatus"] }).free();
  await waiter.wait(() => ACTIVE, options({ show: ["Table.Why"] }));
  await assert.rejects(waiter.wait(() => ACTIVE, options({ show: ["a["] })), { option: "show" });
  assert.equal(openTables(), before);
});

test("a resumed wait has its label and its paths", () => {
  const saved = tableExists().start({ maxWaitTime: 60, label: "orders", show: ["Table.Why"] });
  saved.poll(0);
  const wait = tableExists().resume(JSON.stringify(saved), { elapsedMs: 5 });
  wait.poll(5);
  wait.handle({ type: "response", response: { Table: { TableStatus: "CREATING", Why: "slow" } } }, 10);
  assert.match(wait.summary, /^TableExists orders: attempt 1 after 0.01 s: .*; Table.Why: "slow"; next in /);
});

test("a wait without an attempt has no summary, and a freed one has none any more", () => {
  const wait = tableExists().start({ maxWaitTime: 60 });
  assert.equal(wait.summary, undefined);
  wait.free();
  for (const read of [() => wait.summary, () => wait.nowMs]) assert.equal(thrownBy(read).code, "freed");
});

test("a deadline is a date or the milliseconds of one", async () => {
  const start = (deadline, more) => at(NOW, () => tableExists().start({ deadline, ...more }).poll(0));
  for (const deadline of [NOW + 5000, new Date(NOW + 5000)]) {
    assert.equal((await start(deadline)).deadlineMs, 5000);
    assert.equal((await start(deadline, { maxWaitTime: 60 })).deadlineMs, 5000);
    assert.equal((await start(deadline, { maxWaitTime: 2 })).deadlineMs, 2000);
  }
  assert.equal((await start(null, { maxWaitTime: 2 })).deadlineMs, 2000);
});

test("an invalid deadline is refused", async () => {
  const kind = "must be a `Date` or milliseconds as `Date.now()` returns them";
  const range = "must be at most 315360000 seconds (ten years) away on the clock of the wait";
  for (const [deadline, rule] of [
    [NOW * 1000, range],
    [Number.POSITIVE_INFINITY, range],
    ...[new Date(Number.NaN), "tomorrow", "", true, {}, []].map((deadline) => [deadline, kind]),
  ]) {
    const refused = await at(NOW, () => thrownBy(() => tableExists().start({ deadline })));
    assert.deepEqual([refused.name, refused.code, refused.option], ["OptionsError", "invalid_option", "deadline"]);
    assert.ok(refused.message.startsWith(`\`deadline\` ${rule}, got `), refused.message);
  }
});
