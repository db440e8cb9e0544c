/** The messages for invalid options. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { delay, every, proportional, retry } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { CREATING, tableExists, thrownBy } from "./definitions.mjs";

const refusal = (options) => thrownBy(() => tableExists().start({ maxWaitTime: 60, ...options }));

test("messages name options as they are called here", () => {
  const tooLong = "315360000 seconds (ten years)";
  for (const [options, option, message] of [
    [{ maxWaitTime: undefined }, "maxWaitTime", `\`maxWaitTime\` is missing: it must be more than 0 and at most ${tooLong}, unless \`deadline\` or \`maxAttempts\` is set`],
    [{ attemptTimeout: -1 }, "attemptTimeout", `\`attemptTimeout\` must be more than 0 and at most ${tooLong}, got -1`],
    [{ minDelay: 0 }, "minDelay", `\`minDelay\` must be at least 1 ms and at most ${tooLong}, got 0: a delay of 0 needs \`maxAttempts\``],
    [{ maxWaitTime: 0 }, "maxWaitTime", `\`maxWaitTime\` must be more than 0 and at most ${tooLong}, got 0`],
    [{ minDelay: "5" }, "minDelay", "`minDelay` must be a number of seconds, got a string"],
    [{ minDelay: 21 }, "minDelay", "`minDelay` 21 s (option) is above `maxDelay` 20 s (definition)"],
    [{ maxAttempts: 0 }, "maxAttempts", "`maxAttempts` must be an integer from 1 to 2^53 - 1, got 0"],
    [{ initialDelay: 61 }, "initialDelay", "`initialDelay` must be less than `maxWaitTime` 60 s, got 61 s"],
    [{ seed: -1 }, "seed", "`seed` must be an integer from 0 to 2^53 - 1, got -1"],
    [{ historyLimit: -1 }, "historyLimit", "`historyLimit` must be an integer from 0 to 4294967295, got -1"],
    [{ finalPoll: "late", maxWaitTime: undefined, maxAttempts: 2 }, "finalPoll", "`finalPoll` `late` requires `maxWaitTime` or `deadline`"],
    [{ transientErrors: true }, "transientErrors", "`transientErrors` must be `retry` or `fail`, got a boolean"],
    [{ transientWindow: 0 }, "transientWindow", `\`transientWindow\` must be more than 0 and at most ${tooLong}, got 0`],
    [{ pace: every(5), minDelay: 1 }, "pace", "`pace` with a fixed delay cannot be combined with `minDelay`"],
    [{ label: "" }, "label", "`label` must be a string of 1 to 200 characters, got an empty string"],
    [{ label: 7 }, "label", "`label` must be a string of 1 to 200 characters, got 7"],
    [{ show: "a" }, "show", '`show` must be an array of paths, such as ["Stacks[0].StackStatusReason"], got a string'],
    [{ show: ["a", 5] }, "show", "`show[1]` must be a string, got 5"],
    [{ show: ["a["] }, "show", "`show[0]`: `a[` does not parse at column 3: expected number, ':', or '*', found the end"],
    [{ maxWait: 5 }, "maxWait", "`maxWait` is not an option, did you mean `maxWaitTime`?"],
  ]) {
    const refused = refusal(options);
    assert.deepEqual([refused.option, refused.message], [option, message]);
  }
});

test("a pace is checked by the engine", () => {
  const rule = "`pace` must be `specification`, `doubling`, `every` with more than 0 seconds, or `proportional` with more than 0 and at most 1, got ";
  for (const pace of [every(0), every(-1), every("5"), proportional(0), proportional(1.5), "often", 5, {}, { every: 1, proportional: 1 }]) {
    const refused = refusal({ pace });
    assert.equal(refused.option, "pace");
    assert.ok(refused.message.startsWith(rule), refused.message);
  }
  for (const pace of ["specification", every(5), proportional(0.1), null, undefined]) tableExists().start({ maxWaitTime: 60, pace });
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

test("the caller's options are not modified", () => {
  assert.equal(refusal({ finalPoll: "max wait" }).message, "`finalPoll` must be `specification` or `late`, got `max wait`");
});

test("so do those of the delay on its own", () => {
  const given = { attempt: 1, remaining: 5, minDelay: 1, maxDelay: 2, random: 0 };
  const refused = (other) => thrownBy(() => delay({ ...given, ...other })).message;
  assert.equal(refused({ minDelay: 3 }), "`minDelay` must be from 1 ms to `maxDelay`, got 3000 ms and 2000 ms");
  assert.equal(refused({ maxDelay: null }), "`maxDelay` is missing");
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
