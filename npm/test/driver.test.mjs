/** The driver's use of the host: signals, timers and mocked clocks. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { retry, WaiterAttemptsExceeded, WaiterCancelled, WaiterTimeout } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { turns, VirtualClock } from "./clock.mjs";
import { ACTIVE, CREATING, rejection, tableExists } from "./definitions.mjs";

const fast = { maxWaitTime: 5, minDelay: 0.001, maxDelay: 0.002, seed: 7 };
const pause = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));

/** Runs an action with replaced global functions. */
async function replaced(globals, run) {
  const before = Object.keys(globals).map((name) => [name, globalThis[name]]);
  Object.assign(globalThis, globals);
  try {
    return await run();
  } finally {
    for (const [name, value] of before) globalThis[name] = value;
  }
}

/** Counts the abort controllers that an action creates. */
async function controllersOf(run) {
  let created = 0;
  class Counted extends AbortController {
    constructor() {
      super();
      created++;
    }
  }
  await replaced({ AbortController: Counted }, () => run(() => created));
  return created;
}

test("no signal is created for an attempt that does not read it", async () => {
  const created = await controllersOf(async () => {
    const { attempts } = await tableExists().wait(async ({ number }) => (number < 20 ? CREATING : ACTIVE), fast);
    assert.equal(attempts, 20);
    for await (const _ of tableExists().attempts(async ({ number }) => (number < 3 ? CREATING : ACTIVE), fast));
    await retry(async ({ number }) => (number < 3 ? Promise.reject({ status: 429 }) : number), { clock: new FakeClock(), seed: 7 });
    await tableExists().check(async () => ACTIVE);
  });
  assert.equal(created, 0);
});

test("an attempt's signal is created when it is first read, once", async () => {
  const signals = new Set();
  const created = await controllersOf(async (count) => {
    const call = async (attempt) => {
      const before = count();
      const { signal, ...rest } = attempt;
      assert.equal({ ...attempt }.signal, signal);
      assert.equal(attempt.signal, signal);
      assert.equal(new Proxy(attempt, {}).signal, signal);
      assert.deepEqual(Object.keys(rest), ["number", "remaining"]);
      assert.equal(count(), before + 1);
      signals.add(signal);
      return rest.number < 3 ? CREATING : ACTIVE;
    };
    await tableExists().wait(call, fast);
  });
  assert.deepEqual([created, signals.size], [3, 3]);
});

test("a signal that is first read after its attempt has the attempt's end", async () => {
  let attempt;
  const call = (one) => ((attempt = one), new Promise(() => {}));
  assert.equal((await rejection(tableExists().wait(call, { maxWaitTime: 0.02 }))).code, "timed_out");
  assert.deepEqual([attempt.signal.aborted, attempt.signal.reason.name], [true, "TimeoutError"]);
  const controller = new AbortController();
  const cancelled = tableExists().wait(call, { maxWaitTime: 5, abortSignal: controller.signal });
  controller.abort("enough");
  assert.ok((await rejection(cancelled)) instanceof WaiterCancelled);
  assert.deepEqual([attempt.signal.aborted, attempt.signal.reason], [true, "enough"]);
  const bug = new Error("no sleep");
  assert.equal(await rejection(tableExists().wait(call, { maxWaitTime: 5, sleep: () => Promise.reject(bug) })), bug);
  assert.equal(attempt.signal.reason, bug);
  await tableExists().wait((one) => ((attempt = one), ACTIVE), fast);
  controller.abort();
  assert.equal(attempt.signal.aborted, false);
});

test("timers are cleared, the caller's signal has no listener left", async () => {
  const timers = new Set();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const counting = {
    setTimeout(run, ms, ...rest) {
      const timer = start(() => (timers.delete(timer), run(...rest)), ms);
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => (timers.delete(timer), clear(timer)),
  };
  const { signal } = new AbortController();
  const call = async ({ number }) => {
    // Earlier delays and calls have no timers left. The timer of this call starts after the call returns.
    assert.equal(timers.size, 0);
    return number < 10 ? CREATING : ACTIVE;
  };
  await replaced(counting, async () => {
    await tableExists().wait(call, { ...fast, abortSignal: signal });
    assert.equal(timers.size, 0);
    await rejection(tableExists().wait(() => new Promise(() => {}), { maxWaitTime: 0.01, abortSignal: signal }));
    assert.equal(timers.size, 0);
    const controller = new AbortController();
    const wait = tableExists().wait(() => CREATING, { maxWaitTime: 50, minDelay: 5, abortSignal: controller.signal });
    await turns();
    assert.equal(timers.size, 1);
    controller.abort();
    await rejection(wait);
    assert.equal(timers.size, 0);
  });
});

test("a mocked sleep that returns at once counts as slept: one sleep for each pause, until the deadline", async () => {
  // The platform's clock stands still, too: a sleep during which the machine was busy cannot be distinguished from one that ended early.
  const performance = { now: () => 0 };
  for (const clock of [undefined, () => 0]) {
    const slept = [];
    const sleep = async (ms) => void slept.push(ms);
    const wait = () => tableExists().wait(async () => CREATING, { maxWaitTime: 3600, seed: 7, sleep, clock });
    const error = await replaced({ performance }, () => rejection(wait()));
    assert.ok(error instanceof WaiterTimeout);
    assert.ok(slept.length <= error.attempts - 1, `${slept.length} sleeps, ${error.attempts} attempts`);
    assert.ok(error.elapsed > 3590 && error.elapsed <= 3600, `${error.elapsed}`);
  }
});

test("mocks of sleep may be of any kind", async () => {
  for (const sleep of [() => {}, () => undefined, () => turns(), (ms) => pause(Math.min(ms, 0))]) {
    let calls = 0;
    const { attempts, elapsed } = await tableExists().wait(async () => (++calls < 5 ? CREATING : ACTIVE), { maxWaitTime: 300, seed: 7, sleep });
    assert.equal(attempts, 5);
    assert.ok(elapsed >= 8, `${elapsed}`);
  }
});

test("other tasks run while a mocked sleep takes no time", async () => {
  let others = 0;
  const timer = setInterval(() => others++, 0);
  const call = async () => CREATING;
  const { attempts } = await rejection(tableExists().wait(call, { maxWaitTime: 3600, minDelay: 1, maxDelay: 2, seed: 7, sleep: async () => {} }));
  clearInterval(timer);
  assert.ok(attempts > 1000 && others > 0, `${others} of ${attempts}`);
});

test("a mocked sleep leaves a call its time", async () => {
  const call = async ({ number }) => (await pause(20), number < 3 ? CREATING : ACTIVE);
  const { attempts } = await tableExists().wait(call, { maxWaitTime: 60, seed: 7, sleep: async () => {} });
  assert.equal(attempts, 3);
  const hanging = tableExists().wait(() => new Promise(() => {}), { maxWaitTime: 0.05, sleep: async () => {} });
  assert.equal((await rejection(hanging)).history[0].result, "cut");
});

test("mocked timers are followed where the clock is not mocked", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let calls = 0;
  const wait = tableExists().wait(async () => (++calls < 3 ? CREATING : ACTIVE), { maxWaitTime: 300, minDelay: 60, maxDelay: 60 });
  for (let pauses = 0; pauses < 2; pauses++) {
    await turns();
    // Independent of the time that the test takes.
    for (const until = performance.now() + 20; performance.now() < until; );
    t.mock.timers.tick(60_000);
  }
  const { attempts, elapsed } = await wait;
  assert.deepEqual([attempts, Math.floor(elapsed)], [3, 120]);
  let signal;
  const hanging = tableExists().wait((attempt) => (({ signal } = attempt), new Promise(() => {})), { maxWaitTime: 300 });
  await turns();
  t.mock.timers.tick(300_000);
  assert.ok((await rejection(hanging)) instanceof WaiterTimeout);
  assert.equal(signal.reason.name, "TimeoutError");
});

test("timers that fire at once leave a call its answer", async () => {
  for (const setTimeout of [(run) => void run(), (run) => void setImmediate(run)]) {
    await replaced({ setTimeout, clearTimeout() {} }, async () => {
      let calls = 0;
      const { attempts, elapsed } = await tableExists().wait(async () => (++calls < 5 ? CREATING : ACTIVE), { maxWaitTime: 300, seed: 7 });
      assert.equal(attempts, 5);
      assert.ok(elapsed >= 8, `${elapsed}`);
    });
  }
});

test("a clock that goes back does not hold a wait up", async () => {
  const clock = new VirtualClock();
  let back = 0;
  const call = ({ number }) => ((back = number > 1 ? 3_600_000 : 0), number < 4 ? CREATING : ACTIVE);
  const wait = tableExists().wait(call, { maxWaitTime: 60, minDelay: 2, maxDelay: 2, clock: () => clock.now - back, sleep: clock.sleep });
  const { attempts, elapsed } = await clock.run(wait);
  assert.deepEqual([attempts, elapsed, clock.now], [4, 6, 6000]);
});

test("a clock that goes back at each reading does not hold a wait up", async () => {
  for (const start of [1e6, -1e300]) {
    let readings = 0;
    const host = { clock: () => start - readings++, sleep: async () => {} };
    const failure = await tableExists().wait(() => CREATING, { maxWaitTime: 60, minDelay: 2, maxDelay: 2, ...host }).catch((error) => error);
    assert.equal(failure.code, "timed_out");
    assert.ok(readings < 1000);
  }
});

test("pauses of months take several timers", async () => {
  const asked = [];
  let now = 0;
  const setTimeout = (run, ms) => {
    asked.push(ms);
    return setImmediate(() => ((now += ms), run()));
  };
  await replaced({ setTimeout, clearTimeout: clearImmediate }, async () => {
    const options = { maxWaitTime: 86_400 * 100, initialDelay: 86_400 * 60, clock: () => now };
    const { elapsed } = await tableExists().wait(() => ACTIVE, options);
    assert.equal(elapsed, 86_400 * 60);
  });
  assert.ok(asked.every((ms) => ms <= 2 ** 31 - 1));
  assert.deepEqual(asked.slice(0, 3), [2 ** 31 - 1, 2 ** 31 - 1, 86_400_000 * 60 - 2 * (2 ** 31 - 1)]);
});

test("an attempt timeout cuts one call, and the wait goes on", async () => {
  const [clock, reasons, told] = [new FakeClock(), [], []];
  const call = ({ number, signal }) => {
    signal.addEventListener("abort", () => reasons.push(signal.reason.name));
    return number < 2 ? clock.sleep(50, signal) : ACTIVE;
  };
  const onAttempt = ({ attempt, result, state, delay, remaining }) => told.push([attempt, result, state, delay, remaining]);
  await tableExists().wait(call, { maxWaitTime: 60, attemptTimeout: 5, minDelay: 2, maxDelay: 2, clock, onAttempt });
  assert.deepEqual(reasons, ["TimeoutError"]);
  assert.deepEqual(told, [[1, "cut", "retry", 2, 55], [2, "response", "success", undefined, 53]]);
});

test("the answer of a call that blocked the thread beyond its time counts", async () => {
  const clock = new FakeClock();
  const call = async () => {
    clock.advance(6);
    for (let microtask = 0; microtask < 5; microtask++) await undefined;
    return ACTIVE;
  };
  const { history } = await tableExists().wait(call, { maxWaitTime: 60, attemptTimeout: 5, clock });
  assert.deepEqual(history.map(({ result }) => result), ["response"]);
});

test("no time remains after a call that was cut late", async () => {
  const clock = new FakeClock();
  const told = [];
  const onAttempt = ({ remaining, elapsed, result, state }) => void told.push([remaining, elapsed, result, state]);
  const wait = tableExists().wait(() => new Promise(() => {}), { maxWaitTime: 60, clock, onAttempt });
  clock.advance(61);
  assert.equal((await rejection(wait)).elapsed, 61);
  assert.deepEqual(told, [[0, 61, "cut", undefined]]);
});

test("the answer of a call that was cut is ignored while the next one is in flight", async () => {
  const clock = new FakeClock();
  const calls = [];
  const call = ({ number }) => new Promise((resolve, reject) => calls.push({ resolve, reject, number }));
  const wait = tableExists().wait(call, { maxWaitTime: 60, attemptTimeout: 5, minDelay: 2, maxDelay: 2, clock });
  clock.advance(5);
  await turns();
  clock.advance(2);
  await turns();
  clock.advance(5);
  await turns();
  await turns();
  assert.equal(calls.length, 3);
  calls[0].resolve(ACTIVE);
  calls[1].reject(new Error("late"));
  await turns();
  calls[2].resolve(CREATING);
  await turns();
  calls[3].resolve(ACTIVE);
  const { attempts, history } = await wait;
  assert.deepEqual([attempts, history.map(({ result }) => result)], [4, ["cut", "cut", "response", "response"]]);
});

test("a wait that only attempts limit has no deadline, and needs no pause", async () => {
  const [remaining, told, slept] = [[], [], []];
  const call = async (attempt) => (remaining.push(attempt.remaining), CREATING);
  const sleep = async (ms) => void slept.push(ms);
  const options = { maxAttempts: 3, minDelay: 0, maxDelay: 0, sleep, onAttempt: ({ remaining }) => void told.push(remaining) };
  const error = await rejection(tableExists().wait(call, options));
  assert.ok(error instanceof WaiterAttemptsExceeded);
  assert.deepEqual([...remaining, ...told], Array.from({ length: 6 }, () => Number.POSITIVE_INFINITY));
  // A callback can take all of the remaining time, too.
  let awaited = 0;
  const patient = async () => (await pause(5), void awaited++);
  await rejection(tableExists().wait(call, { ...options, onAttempt: patient }));
  assert.equal(awaited, 3);
  assert.deepEqual(slept, []);
});

/** Blocks the thread. */
function hold(ms) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

for (const [name, call] of [
  ["gives its response at once", () => (hold(60), ACTIVE)],
  ["is an async function", async () => (hold(60), ACTIVE)],
]) {
  test(`a call that holds the thread past the deadline and ${name} is late, not cut`, async () => {
    const error = await rejection(tableExists().wait(call, { maxWaitTime: 0.03 }));
    assert.ok(error instanceof WaiterTimeout);
    assert.deepEqual([error.history.at(-1).result, error.response], ["late", ACTIVE]);
  });
}

test("a clock that throws leaves no listener behind", async () => {
  const { signal } = new AbortController();
  const clock = () => {
    throw new Error("no clock");
  };
  await assert.rejects(tableExists().wait(async () => CREATING, { maxWaitTime: 1, abortSignal: signal, clock }), { message: "no clock" });
  assert.equal(getEventListeners(signal, "abort").length, 0);
});
