/** The short form of a waiter, predicates, and waiters with further acceptors. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DefinitionError, Waiter } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { ACTIVE, CREATING, script, ServiceError, TABLE_EXISTS, tableExists, thrownBy } from "./definitions.mjs";

const options = () => ({ maxWaitTime: 60, seed: 7, clock: new FakeClock() });
const isActive = (response) => response.Table.TableStatus === "ACTIVE";
const status = "Table.TableStatus";

function refusal(make) {
  const error = thrownBy(make);
  assert.ok(error instanceof DefinitionError, `${error}`);
  return [error.code, error.path];
}

test("the second argument may be the options", () => {
  const states = [{ Items: [1, 2] }, { Items: [1, 2, 3] }].map((response) => Waiter.until("length(Items) >= `3`", { name: "Filled" }).evaluate({ response }).state);
  assert.deepEqual(states, ["retry", "success"]);
  assert.equal(Waiter.until("Enabled", false).evaluate({ response: { Enabled: false } }).state, "success");
  assert.equal(Waiter.until("a == 'x'").evaluate({ error: "Gone" }).state, "failure");
  assert.equal(Waiter.until("s", "x", { errorNames: () => ["Mine"], retryErrors: ["Mine"] }).evaluate({ error: new Error() }).state, "retry");
});

test("errors of a short form have a code and a path", () => {
  const cyclic = {};
  cyclic.self = cyclic;
  for (const [args, code, path] of [
    [[undefined, "x"], "wrong_type", "expression"],
    [[null], "wrong_type", "expression"],
    [[Symbol("s")], "wrong_type", "expression"],
    [[5, "x"], "wrong_type", "expression"],
    [["s", 3n], "invalid_json", ""],
    [["s", Number.NaN], "invalid_json", "expected"],
    [["s", "x", { fail: [cyclic] }], "invalid_json", ""],
    [[isActive, { pending: ["CREATING"] }], "predicate", "pending"],
  ]) {
    assert.deepEqual(refusal(() => Waiter.until(...args)), [code, path], String(args[0]));
  }
  assert.throws(() => Waiter.until("s", "x", { retryError: ["a"] }), { code: "unknown_option", message: /did you mean `retryErrors`/ });
  assert.throws(() => Waiter.until("s", "x", "Named"), { code: "invalid_option", message: /did you mean `{ name: "Named" }`/ });
});

test("a predicate decides like an acceptor", async () => {
  const waiter = Waiter.until(isActive, { name: "TableActive", retryErrors: ["Missing"] });
  const seen = [];
  const outcome = await waiter.wait(script(new ServiceError("Missing"), CREATING, ACTIVE), {
    ...options(),
    show: [status],
    onAttempt: ({ summary, values }) => seen.push([summary, values]),
  });
  assert.deepEqual([outcome.attempts, outcome.response, outcome.acceptor], [3, ACTIVE, 0]);
  assert.deepEqual(seen.map(([, values]) => values.map(({ path, text }) => [path, text])), [[], [[status, '"CREATING"']], [[status, '"ACTIVE"']]]);
  assert.ok(seen.every(([summary]) => summary.startsWith("TableActive: attempt ")));
  const verdict = waiter.evaluate({ response: CREATING });
  assert.deepEqual([verdict.state, verdict.response, verdict.reasons.length], ["retry", CREATING, 2]);
  assert.equal((await waiter.check(script(ACTIVE))).state, "success");
  await assert.rejects(waiter.wait(script(new ServiceError("AccessDenied")), options()), { code: "unmatched_error" });
  const timedOut = await waiter.wait(script(CREATING), options()).catch((error) => error);
  assert.deepEqual([timedOut.code, timedOut.response], ["timed_out", CREATING]);
  const steps = waiter.start({ maxWaitTime: 60 });
  steps.poll(0);
  assert.equal(steps.handle({ type: "response", response: CREATING }, 10).type, "sleep");
  assert.equal(steps.poll(60_000).state, "failure");
});

test("any value counts as true or false, and a promise is refused", async () => {
  assert.deepEqual([1, "x", {}, 0, "", null, undefined].map((value) => Waiter.until(() => value).evaluate({ response: 1 }).state), [
    ...Array(3).fill("success"),
    ...Array(4).fill("retry"),
  ]);
  await assert.rejects(Waiter.until(async () => true).wait(script(1), options()), { name: "TypeError", message: /`predicate` must not return a promise/ });
});

test("an error of a predicate ends the wait unchanged", async () => {
  const broken = new Error("broken");
  const waiter = Waiter.until(() => {
    throw broken;
  });
  await assert.rejects(waiter.wait(script(1), options()), (error) => error === broken);
  assert.equal(thrownBy(() => waiter.evaluate({ response: 1 })), broken);
  const wait = waiter.start({ maxWaitTime: 60 });
  const call = wait.poll(0);
  assert.equal(thrownBy(() => wait.handle({ type: "response", response: 1 }, 5)), broken);
  assert.deepEqual(wait.poll(5), call);
});

test("a predicate is not saved or extended", () => {
  const waiter = Waiter.until(isActive);
  assert.deepEqual(refusal(() => waiter.definition), ["predicate", ""]);
  assert.deepEqual(refusal(() => waiter.extend({ first: [] })), ["predicate", ""]);
  assert.throws(() => waiter.start({ maxWaitTime: 60 }).toJSON(), { name: "StateError", code: "predicate" });
  const saved = tableExists().start({ maxWaitTime: 60 }).toJSON();
  assert.throws(() => waiter.resume(saved), { code: "other_definition" });
});

test("a waiter with added acceptors keeps its name and its names of errors", () => {
  const base = new Waiter(TABLE_EXISTS, { name: "TableExists", errorNames: (error) => [error.mine ?? "Other"] });
  const waiter = base.extend({ fail: [{ errorType: "Denied" }] });
  assert.deepEqual([waiter.name, waiter.acceptors.length, base.acceptors.length], ["TableExists", 4, 3]);
  assert.equal(waiter.evaluate({ error: { mine: "Denied" } }).acceptor, 0);
  assert.throws(() => base.extend({ failed: [] }), { code: "unknown_option", option: "failed" });
  assert.throws(() => base.extend(["ARCHIVED"]), { code: "invalid_option" });
});
