/** Mistakes of callers in the call and the options. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { OptionsError, Waiter } from "smithy-waiters";

const DEFINITION = { acceptors: [{ state: "success", matcher: { success: true } }] };

test("a call that is no function is the caller's mistake, not a failed wait", async () => {
  const waiter = new Waiter(DEFINITION);
  for (const [call, shown] of [[{}, "an object"], [undefined, "undefined"], ["x", "a string"], [[], "an array"]]) {
    const message = `the call must be a function, got ${shown}`;
    await assert.rejects(waiter.wait(call, { maxWaitTime: 1 }), { name: "TypeError", message });
  }
  const message = "the call must be a function, got a promise: pass the function itself, not its promise";
  await assert.rejects(waiter.wait(Promise.resolve(1), { maxWaitTime: 1 }), { name: "TypeError", message });
});

test("options that are no object are refused as such", async () => {
  const waiter = new Waiter(DEFINITION);
  const refused = (shown) => (error) =>
    error instanceof OptionsError && error.message === `the options must be an object, got ${shown}`;
  assert.throws(() => new Waiter(DEFINITION, "TableExists"), refused('a string: did you mean `{ name: "TableExists" }`?'));
  assert.throws(() => new Waiter(DEFINITION, null), refused("null"));
  assert.throws(() => waiter.start(300), refused("a number: did you mean `{ maxWaitTime: 300 }`?"));
  await assert.rejects(waiter.wait(async () => 1, 300), refused("a number: did you mean `{ maxWaitTime: 300 }`?"));
  assert.throws(() => waiter.attempts(async () => 1, 300), refused("a number: did you mean `{ maxWaitTime: 300 }`?"));
  await assert.rejects(waiter.wait(async () => 1, "300"), refused("a string"));
});
