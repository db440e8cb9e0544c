/** The pace of a wait, and how late its success may have been noticed. The vectors of `steps/pace.json` have the delays. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { every, proportional } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, tableExists } from "./definitions.mjs";

test("a pace is plain data", () => {
  assert.deepEqual(JSON.parse(JSON.stringify([every(15), proportional(0.1)])), [{ every: 15 }, { proportional: 0.1 }]);
});

test("an outcome says how late its success may have been noticed", async () => {
  const waiting = (...states) => tableExists().wait(() => states.shift(), { maxWaitTime: 600, pace: every(5), clock: new FakeClock() });
  assert.equal((await waiting(CREATING, CREATING, ACTIVE)).noticedWithin, 5);
  assert.equal((await waiting(ACTIVE)).noticedWithin, undefined);
  const wait = tableExists().start({ maxWaitTime: 60, pace: every(5) });
  wait.poll(0);
  wait.handle({ type: "response", response: CREATING }, 30);
  wait.poll(5030);
  const resumed = tableExists().resume(JSON.stringify(wait), { elapsedMs: 5030 });
  resumed.poll(5030);
  const step = resumed.handle({ type: "response", response: ACTIVE }, 5100);
  assert.deepEqual([step.noticedWithinMs, step.outcome().noticedWithin], [5100, 5.1]);
  assert.equal(wait.handle({ type: "cancelled" }, 5100).noticedWithinMs, undefined);
});
