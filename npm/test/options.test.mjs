/** Mistakes of callers in the call and the options. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { every, proportional, retry, Waiter } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { CREATING, TABLE_EXISTS, tableExists, thrownBy } from "./definitions.mjs";

const refusal = (options) => thrownBy(() => tableExists().start({ maxWaitTime: 60, ...options }));

test("messages name options as they are called here", () => {
  const tooLong = "315360000 seconds (ten years)";
  for (const [options, option, message] of [
    [{ maxWaitTime: undefined }, "maxWaitTime", `\`maxWaitTime\` is missing: it must be more than 0 and at most ${tooLong}, unless \`deadline\` or \`maxAttempts\` is set`],
    [{ maxWaitTime: 0 }, "maxWaitTime", `\`maxWaitTime\` must be more than 0 and at most ${tooLong}, got 0`],
    [{ initialDelay: 61 }, "initialDelay", "`initialDelay` must be less than `maxWaitTime` 60 s, got 61 s"],
    [{ finalPoll: "late", maxWaitTime: undefined, maxAttempts: 2 }, "finalPoll", "`finalPoll` `late` requires `maxWaitTime` or `deadline`"],
    [{ pace: every(5), minDelay: 1 }, "pace", "`pace` with a fixed delay cannot be combined with `minDelay`"],
    // The value is quoted as the caller wrote it.
    [{ finalPoll: "max wait" }, "finalPoll", "`finalPoll` must be `specification` or `late`, got `max wait`"],
  ]) {
    const refused = refusal(options);
    assert.deepEqual([refused.option, refused.message], [option, message]);
  }
});

test("a pace is plain data", () => {
  assert.deepEqual(JSON.parse(JSON.stringify([every(15), proportional(0.1)])), [{ every: 15 }, { proportional: 0.1 }]);
});

test("a call that is no function is the caller's mistake, not a failed wait", async () => {
  const promise = "a promise: pass the function itself, not its promise";
  for (const [call, got] of [[{}, "an object"], [undefined, "undefined"], ["x", "a string"], [[], "an array"], [Promise.resolve(1), promise]]) {
    await assert.rejects(tableExists().wait(call, { maxWaitTime: 1 }), { name: "TypeError", message: `the call must be a function, got ${got}` });
  }
});

test("options that are no object are refused as such", async () => {
  const [waiter, call] = [tableExists(), async () => CREATING];
  const refused = (shown) => ({ name: "OptionsError", message: `the options must be an object, got ${shown}` });
  assert.throws(() => new Waiter(TABLE_EXISTS, "TableExists"), refused('a string: did you mean `{ name: "TableExists" }`?'));
  assert.throws(() => new Waiter(TABLE_EXISTS, null), refused("null"));
  const seconds = refused("a number: did you mean `{ maxWaitTime: 300 }`?");
  assert.throws(() => waiter.start(300), seconds);
  assert.throws(() => waiter.attempts(call, 300), seconds);
  await assert.rejects(waiter.wait(call, 300), seconds);
  await assert.rejects(waiter.wait(call, "300"), refused("a string"));
});

test("a value that cannot be read is reported with its option", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const option of ["maxWaitTime", "deadline", "label", "show", "input", "pace", "abortSignal", "clock", "sleep", "onAttempt"]) {
    const refused = await tableExists().wait(() => CREATING, { maxWaitTime: 60, [option]: proxy }).catch((error) => error);
    const message = `\`${option}\` cannot be read: Cannot perform 'IsArray' on a proxy that has been revoked`;
    assert.deepEqual([refused.name, refused.code, refused.option, refused.message], ["OptionsError", "invalid_option", option, message]);
  }
});

test("options may be inherited, or be accessors of a class", async () => {
  class Given {
    maxWaitTime = 30;
    clock = new FakeClock();
    get maxAttempts() {
      return 2;
    }
  }
  const call = async () => CREATING;
  await assert.rejects(tableExists().wait(call, new Given()), { code: "too_many_attempts", attempts: 2 });
  await assert.rejects(tableExists().wait(call, Object.create({ maxWaitTime: 3, clock: new FakeClock() })), { code: "timed_out" });
  assert.equal(tableExists().start(Object.create({ maxWaitTime: 3 })).poll(0).type, "call");
});

test("a clock that tells no time is named", async () => {
  for (const clock of [() => "x", () => undefined, () => true, async () => 1, () => Number.NaN]) {
    const waiting = tableExists().wait(async () => CREATING, { maxWaitTime: 3, clock });
    await assert.rejects(waiting, { name: "OptionsError", option: "clock", message: /^`clock` must return a finite number of milliseconds, got / });
  }
  const date = { code: "invalid_option", option: "date", message: "`date` must be a function that returns milliseconds since 1970, got true" };
  await assert.rejects(retry(() => Promise.reject({ status: 503 }), { date: () => true }), date);
});
