import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { WaitersFailed, RateLimit, Waiter, WaiterCancelled, WaiterFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { turns, VirtualClock } from "./clock.mjs";
import { ServiceError, thrownBy } from "./definitions.mjs";

const matcher = (expected, comparator) => ({ output: { path: "Volumes[].State", comparator, expected } });
const volumes = new Waiter(
  {
    minDelay: 10,
    maxDelay: 10,
    acceptors: [
      { state: "success", matcher: matcher("available", "allStringEquals") },
      { state: "failure", matcher: matcher("error", "anyStringEquals") },
    ],
  },
  { name: "VolumeAvailable" },
);
const SHAPE = { items: "Volumes[]", key: "VolumeId" };
const names = (count) => Array.from({ length: count }, (_, index) => `vol-${String(index).padStart(4, "0")}`);

/** A service whose volumes have a state, which can be a function of the time in seconds. It fails for unknown identifiers. */
class Service {
  calls = [];
  clock = new FakeClock();

  constructor(states) {
    this.states = states;
  }

  call = async (ids) => {
    this.calls.push([this.clock.now, ids]);
    return { Volumes: ids.map((id) => this.volume(id)) };
  };

  volume(id) {
    const state = this.states(id, this.clock.now);
    if (state === undefined) throw new ServiceError("InvalidVolume.NotFound", `The volume '${id}' does not exist.`);
    return { VolumeId: id, State: state };
  }

  fleet(options = {}) {
    return volumes.fleet(this.call, { ...SHAPE, batch: 200, clock: this.clock, ...options });
  }
}

const states = { a: "available", b: "creating" };
const afterAMinute = (_, now) => (now < 60 ? "creating" : "available");
const always = (state) => () => state;

test("a thousand resources share their calls", async () => {
  const service = new Service(afterAMinute);
  const ids = names(1000);
  const outcomes = await service.fleet().waitEach(ids, { maxWaitTime: 600 });
  assert.deepEqual([...outcomes.keys()], ids);
  const { response, history } = outcomes.get("vol-0617");
  assert.deepEqual([response, history.length], [{ VolumeId: "vol-0617", State: "available" }, 1]);
  // Five calls for each of the seven rounds; alone, they would be 7,000.
  assert.ok(service.calls.length <= 40, `${service.calls.length} calls`);
  assert.ok(service.clock.now <= 72, `${service.clock.now} s`);
});

test("an unknown identifier is found, and the others are not affected", async () => {
  const service = new Service((id) => (id === "vol-0033" ? undefined : "available"));
  const options = { maxWaitTime: 600, notFoundFor: 100 };
  const error = await service.fleet({ rate: 100 }).waitEach(names(100), options).catch((error) => error);
  assert.ok(error instanceof WaitersFailed && error instanceof AggregateError);
  assert.equal(error.name, "WaitersFailed");
  assert.deepEqual([...error.failures.keys()], ["vol-0033"]);
  assert.equal(error.outcomes.size, 99);
  const [failure] = error.errors;
  assert.ok(failure instanceof WaiterFailed);
  assert.deepEqual([failure.code, failure.error.name], ["never_found", "InvalidVolume.NotFound"]);
  assert.match(error.message, /^1 of 100 waits failed:\n {2}vol-0033: VolumeAvailable failed /);
  assert.ok(service.calls.filter(([at]) => at < 5).length <= 10);
});

test("a failure has its resource, and its stack the caller", async () => {
  const service = new Service(always("error"));
  async function caller() {
    await service.fleet().wait("vol-1", { maxWaitTime: 60 });
  }
  const error = await caller().catch((error) => error);
  assert.ok(error instanceof WaiterFailed);
  assert.deepEqual([error.code, error.response], ["failure_state", { VolumeId: "vol-1", State: "error" }]);
  assert.match(error.stack, /caller/);
});

test("an answer that lacks a resource twice is an error", async () => {
  const clock = new FakeClock();
  const deleted = new Waiter({ acceptors: [{ state: "success", matcher: { errorType: "InvalidVolume.NotFound" } }] });
  const outcome = await deleted.fleet(async () => ({ Volumes: [] }), { ...SHAPE, clock }).wait("vol-1", { maxWaitTime: 60 });
  assert.deepEqual([outcome.result, outcome.error.message], ["error", "the answers of two calls do not have it"]);
});

test("a transient error is retried, and is the cause of a timeout", async () => {
  const clock = new FakeClock();
  const busy = new ServiceError("ThrottlingException");
  const fleet = volumes.fleet(() => Promise.reject(busy), { ...SHAPE, clock });
  const error = await fleet.wait("vol-1", { maxWaitTime: 60 }).catch((error) => error);
  assert.deepEqual([error.code, error.error, error.cause], ["timed_out", busy, busy]);
  assert.ok(error.attempts > 1);
});

test("a deadline passes while a call hangs, which is then aborted", async () => {
  const clock = new VirtualClock();
  const signals = [];
  const call = (_, { signal }) => new Promise(() => signals.push(signal));
  const fleet = volumes.fleet(call, { ...SHAPE, clock: clock.clock, sleep: clock.sleep });
  const waits = [fleet.wait("vol-1", { maxWaitTime: 30 }), fleet.wait("vol-2", { maxWaitTime: 60 })];
  const ends = await clock.run(Promise.allSettled(waits));
  assert.deepEqual(ends.map(({ reason }) => [reason.code, reason.elapsed, reason.history[0].result]), [["timed_out", 30, "cut"], ["timed_out", 60, "cut"]]);
  assert.ok(signals.every(({ aborted, reason }) => aborted && reason.name === "AbortError"));
  assert.equal(clock.pending, 0);
});

test("a signal that is aborted already makes no call", async () => {
  const service = new Service(always("available"));
  const reason = new Error("enough");
  const each = service.fleet().waitEach(["a", "b"], { maxWaitTime: 60, abortSignal: AbortSignal.abort(reason) });
  const { errors } = await each.catch((error) => error);
  assert.ok(errors.length === 2 && errors.every((error) => error instanceof WaiterCancelled && error.cause === reason));
  assert.equal(service.calls.length, 0);
});

test("failFast ends the others, and progress counts", async () => {
  const service = new Service((id, now) => (id === "bad" && now > 20 ? "error" : id === "good" ? "available" : "creating"));
  const progress = [];
  const options = { failFast: true, maxWaitTime: 600, onProgress: (counts) => void progress.push(counts) };
  const error = await service.fleet().waitEach(["good", "bad", "slow"], options).catch((error) => error);
  assert.deepEqual([...error.failures.keys()], ["bad", "slow"]);
  assert.deepEqual(progress, [{ waiting: 2, succeeded: 1, failed: 0 }, { waiting: 1, succeeded: 1, failed: 1 }]);
  assert.equal(error.failures.get("slow").code, "cancelled");
});

test("an error of onProgress ends the waits", async () => {
  const problem = new Error("a bug");
  for (const onProgress of [() => assert.fail(problem), async () => Promise.reject(problem)]) {
    const service = new Service((id) => (id === "a" ? "available" : "creating"));
    const each = service.fleet().waitEach(["a", "b"], { maxWaitTime: 600, onProgress });
    await assert.rejects(each, (error) => error === problem);
    assert.ok(service.calls.length <= 2);
  }
});

/** States that end some of the waits at once and others later, in success and in failure. */
const mixed = (id, now) => {
  const late = now < 45 ? "creating" : "available";
  return { 0: "available", 1: "error", 2: late === "available" ? "error" : late }[id.at(-1)] ?? late;
};

test("another process continues from a state", async () => {
  const service = new Service(mixed);
  const states = [];
  const onState = (state) => states.push(state);
  const whole = await service.fleet().waitEach(names(20), { maxWaitTime: 600, onState }).catch((error) => error);
  // At the start, and after each call but the last one.
  assert.equal(states.length, 6);
  assert.equal(service.calls.length, 6);
  for (const [index, state] of states.entries()) {
    // Not by the clock of the new fleet, by which the service would go backwards.
    const again = new Service((id) => mixed(id, 60)).fleet();
    const progress = [];
    const onProgress = (counts) => progress.push(counts);
    const error = await again.resumeEach(JSON.parse(state), { onProgress }).catch((error) => error);
    assert.ok(error instanceof WaitersFailed);
    assert.deepEqual([...error.failures.keys()], [...whole.failures.keys()]);
    assert.deepEqual([...error.outcomes.keys()], [...whole.outcomes.keys()]);
    assert.deepEqual(progress.at(-1), { waiting: 0, succeeded: 16, failed: 4 });
    if (index === 0) continue;
    const first = error.outcomes.get("vol-0000");
    assert.deepEqual([first.result, first.response, first.attempts, first.history], ["response", undefined, 1, []]);
    const failure = error.failures.get("vol-0001");
    assert.equal(failure.message, whole.failures.get("vol-0001").message);
    assert.deepEqual([failure.code, failure.cause], ["failure_state", undefined]);
  }
});

test("a cancellation ends the waits, and not the state from before", async () => {
  const controller = new AbortController();
  const states = [];
  const onState = (state) => {
    if (states.push(state) === 2) controller.abort();
  };
  const options = { maxWaitTime: 600, onState, abortSignal: controller.signal };
  const error = await new Service(always("creating")).fleet().waitEach(names(3), options).catch((error) => error);
  assert.equal(error.failures.size, 3);
  const outcomes = await new Service(always("available")).fleet().resumeEach(states.at(-1), { elapsedMs: 20_000 });
  assert.deepEqual([...outcomes.values()].map(({ attempts, elapsed }) => [attempts, elapsed]), Array(3).fill([2, 20]));
});

test("states that cannot be resumed", async () => {
  const states = [];
  const service = new Service(afterAMinute);
  await service.fleet().waitEach(names(3), { maxWaitTime: 600, onState: (state) => states.push(state) });
  const [state] = states;
  const cyclic = {};
  cyclic.self = cyclic;
  const other = Waiter.until("Volumes[].State", "available").fleet(service.call, SHAPE);
  const cases = [
    [service.fleet(), state.slice(0, -1), "damaged_state"],
    [service.fleet(), {}, "damaged_state"],
    [service.fleet(), cyclic, "damaged_state"],
    [other, state, "other_definition"],
    [service.fleet({ key: "Id" }), state, "other_definition"],
  ];
  for (const [fleet, saved, code] of cases) await assert.rejects(fleet.resumeEach(saved), { name: "StateError", code });
  const fleet = service.fleet();
  await assert.rejects(fleet.resumeEach(state, { quorum: 4 }), { option: "quorum" });
  await assert.rejects(fleet.resumeEach(state, { onState: 1 }), { option: "onState" });
  await assert.rejects(fleet.resumeEach(state, { maxWaitTime: 1 }), { code: "unknown_option" });
  await assert.rejects(fleet.resumeEach(state, { elapsedMs: -1 }), { code: "invalid_time" });
  assert.equal((await fleet.resumeEach(state)).size, 3);
});

test("a slow onState does not hold back onProgress", async () => {
  const service = new Service((id, now) => (now < Number(id) ? "creating" : "available"));
  const counts = [];
  const onState = () => service.clock.sleep(15);
  const onProgress = ({ succeeded }) => counts.push(succeeded);
  await service.fleet().waitEach(["0", "20", "40", "100"], { maxWaitTime: 600, onState, onProgress });
  assert.ok(counts.length > 2, counts);
  assert.equal(counts.at(-1), 4);
});

test("an error of onState ends the waits", async () => {
  const service = new Service(always("creating"));
  const fails = (onState) => service.fleet().waitEach(names(3), { maxWaitTime: 600, onState });
  await assert.rejects(fails(() => assert.fail("the caller's")), { message: "the caller's" });
  await assert.rejects(fails(() => Promise.reject(new Error("later"))), { message: "later" });
});

test("a rejection of the last onProgress is not lost", async () => {
  const problem = new Error("a bug");
  const onProgress = async ({ waiting }) => {
    await new Promise((resolve) => void setImmediate(resolve));
    if (waiting === 0) throw problem;
  };
  const each = new Service(always("available")).fleet().waitEach(["a", "b"], { maxWaitTime: 600, onProgress });
  await assert.rejects(each, (error) => error === problem);
});

test("a promise of the last onProgress that never settles ends with the signal", async () => {
  const controller = new AbortController();
  const onProgress = () => (setImmediate(() => controller.abort()), new Promise(() => {}));
  const options = { maxWaitTime: 600, onProgress, abortSignal: controller.signal };
  assert.equal((await new Service(always("available")).fleet().waitEach(["a"], options)).size, 1);
});

/** Checks that a promise settles after a duration that the clock does not advance by itself. */
async function endsAfter(promise, seconds, clock) {
  let isOver = false;
  const end = () => (isOver = true);
  promise.then(end, end);
  for (const [duration, expected] of [[seconds - 1, false], [1, true]]) {
    await turns();
    clock.advance(duration);
    await turns();
    assert.equal(isOver, expected);
  }
}

test("a promise of onState or onProgress that never settles ends with the deadline", async () => {
  for (const callback of ["onState", "onProgress"]) {
    const service = new Service(always("available"));
    const each = service.fleet().waitEach(["a"], { maxWaitTime: 60, [callback]: () => new Promise(() => {}) });
    await endsAfter(each, 59.9, service.clock);
    assert.equal((await each).size, 1, callback);
  }
});

test("the deadline of resumed waits is that of the start", async () => {
  const states = [];
  await new Service(always("available")).fleet().waitEach(["a"], { maxWaitTime: 60, onState: (state) => states.push(state) });
  const service = new Service(always("available"));
  const each = service.fleet().resumeEach(states[0], { elapsedMs: 20_000, onProgress: () => new Promise(() => {}) });
  await endsAfter(each, 40, service.clock);
  assert.equal((await each).size, 1);
});

test("a state is stored after the one before, and the newest one is not skipped", async () => {
  const service = new Service((id, now) => (id === "a" || now > 95 ? "available" : "creating"));
  const log = [];
  const store = async (kind, value, seconds) => {
    log.push(`${kind} ${value}`);
    await service.clock.sleep(seconds);
    log.push(`end of ${kind} ${value}`);
  };
  const onState = (state) => store("state", JSON.parse(state).waits[1][0] ?? 0, log.length === 0 ? 35 : 1);
  const onProgress = ({ waiting }) => store("progress", waiting, 1);
  await service.fleet().waitEach(["a", "b"], { maxWaitTime: 600, onState, onProgress });
  const begun = log.filter((entry) => !entry.startsWith("end"));
  // One at a time, in order. The states of the first 35 s are superseded, and their progress is shown after the state.
  assert.deepEqual(log, begun.flatMap((entry) => [entry, `end of ${entry}`]));
  assert.deepEqual(begun, ["state 0", "state 4", "progress 1", ...[5, 6, 7, 8, 9, 10].map((attempts) => `state ${attempts}`), "progress 0"]);
});

test("onState is called before onProgress, and neither after an error", async () => {
  const service = new Service((id, now) => (id === "a" || now > 5 ? "available" : "creating"));
  const log = [];
  const options = { maxWaitTime: 600, onState: () => log.push("state"), onProgress: ({ waiting }) => log.push(waiting) };
  await service.fleet().waitEach(["a", "b"], options);
  assert.deepEqual(log, ["state", "state", 1, 0]);
  log.length = 0;
  await new Service((id) => states[id]).fleet().waitEach(["a", "b"], { ...options, quorum: 1 });
  // Before the end of the wait that the quorum does not need.
  assert.deepEqual(log, ["state", "state", 1]);
  log.length = 0;
  const onState = () => assert.ok(log.push("state") < 2, "a bug");
  await assert.rejects(new Service((id) => states[id]).fleet().waitEach(["a", "b"], { ...options, onState }), { message: "a bug" });
  assert.deepEqual(log, ["state", "state"]);
});

test("no function is called after the end", async () => {
  const service = new Service(always("creating"));
  const controller = new AbortController();
  const stored = [];
  let end;
  const onState = (state) => {
    stored.push(state);
    return new Promise((resolve) => (end = resolve));
  };
  const each = service.fleet().waitEach(["a"], { maxWaitTime: 600, onState, abortSignal: controller.signal });
  setImmediate(() => controller.abort());
  await assert.rejects(each, WaitersFailed);
  end();
  await turns();
  assert.equal(stored.length, 1);
});

test("no identifiers succeed at once", async () => {
  const service = new Service(always("available"));
  assert.equal((await service.fleet().waitEach([], { maxWaitTime: 60 })).size, 0);
  assert.equal(service.calls.length, 0);
});

test("an answer has several pages", async () => {
  const service = new Service(always("available"));
  async function* pages(ids) {
    for (const id of ids) yield { Volumes: [service.volume(id)] };
  }
  for (const call of [pages, async (ids) => pages(ids)]) {
    const fleet = volumes.fleet(call, { ...SHAPE, clock: service.clock });
    assert.equal((await fleet.waitEach(names(3), { maxWaitTime: 60 })).size, 3);
  }
});

test("pages that never end are read until the deadline", async () => {
  async function* pages() {
    for (;;) yield { Volumes: [] };
  }
  const fleet = volumes.fleet(pages, SHAPE);
  await assert.rejects(fleet.wait("a", { maxWaitTime: 0.05 }), { code: "timed_out" });
});

test("the paths of `show` are those of each caller", async () => {
  const service = new Service(afterAMinute);
  const fleet = service.fleet();
  const wait = (show) => fleet.wait("vol-1", { maxWaitTime: 600, show });
  const outcomes = await Promise.all([wait(["Volumes[0].VolumeId"]), wait(["Volumes[?State == 'creating'].State", "Volumes[].None"]), wait([])]);
  assert.deepEqual(outcomes.map(({ history }) => history[0].values.map(({ text }) => text)), [['"vol-1"'], ["[]", "[]"], []]);
});

test("resources that cannot be told apart reject all callers", async () => {
  for (const [key, part] of [["Nothing", "has no text `Nothing`"], ["State", "have the same `State`"]]) {
    const service = new Service(always("vol-1"));
    const fleet = service.fleet({ key });
    const waits = [fleet.wait("vol-1", { maxWaitTime: 60 }), fleet.waitEach(["vol-2"], { maxWaitTime: 60 })];
    for (const { reason } of await Promise.allSettled(waits)) {
      assert.deepEqual([reason?.name, reason?.code], ["StateError", "invalid_answer"]);
      assert.ok(reason.message.includes(part), reason.message);
    }
    assert.equal(service.calls.length, 1);
  }
});

test("an error of `errorNames` or of the clock rejects all callers", async () => {
  const problem = new TypeError("a bug");
  const throws = () => {
    throw problem;
  };
  const named = new Waiter(volumes.definition, { errorNames: throws });
  const fleet = named.fleet(() => Promise.reject(new Error("no")), { ...SHAPE, clock: new FakeClock() });
  await assert.rejects(fleet.wait("vol-1", { maxWaitTime: 60 }), (error) => error === problem);
  let now = 0;
  const broken = volumes.fleet(async () => ({}), { ...SHAPE, clock: () => (now++ > 2 ? throws() : now) });
  await assert.rejects(broken.wait("vol-1", { maxWaitTime: 60 }), (error) => error === problem);
});

test("a getter of an answer can join and cancel", async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const joined = [];
  const call = async (ids) => ({
    get Volumes() {
      controller.abort();
      joined.push(fleet.wait("other", { maxWaitTime: 60 }).catch(({ code }) => code));
      return ids.map((VolumeId) => ({ VolumeId, State: "creating" }));
    },
  });
  const fleet = volumes.fleet(call, { ...SHAPE, clock });
  await assert.rejects(fleet.wait("vol-1", { maxWaitTime: 60, abortSignal: controller.signal }), WaiterCancelled);
  assert.equal(await joined[0], "busy");
});

test("fleets share a limit, and a throttled call lowers the rate", async () => {
  const service = new Service(always("available"));
  const rate = new RateLimit(1);
  const fleets = [service.fleet({ rate }), service.fleet({ rate })];
  assert.equal(fleets[0].rate, rate);
  await Promise.all(fleets.map((fleet) => fleet.wait("vol-1", { maxWaitTime: 60 })));
  assert.deepEqual(service.calls.map(([at]) => at), [0.1, 1.1]);
  const limit = new RateLimit(5);
  assert.deepEqual([limit.reserve(0), limit.reserve(0)], [0, 200]);
  limit.throttle(200);
  assert.ok(limit.reserve(200) > 400);
  assert.equal(service.fleet().rate.rate, 5);
});

test("bad input", async () => {
  const make = (options) => () => volumes.fleet(async () => ({}), options);
  const code = (action) => thrownBy(action).code;
  assert.equal(thrownBy(() => volumes.fleet(undefined, SHAPE)).name, "TypeError");
  for (const options of [{ also: { x: "a" } }, { batch: () => 1 }, { rate: () => 1 }, { clock: 1 }]) {
    const error = thrownBy(make({ ...SHAPE, ...options }));
    assert.deepEqual([error.code, error.option], ["invalid_option", Object.keys(options)[0]], error.message);
  }
  assert.equal(code(make({ ...SHAPE, size: 1 })), "unknown_option");
  assert.equal(code(() => Waiter.until(() => true).fleet(async () => ({}), SHAPE)), "invalid_option");
  assert.equal(code(() => new RateLimit(1).reserve("0")), "invalid_time");
});

test("bad input of waits", async () => {
  const service = new Service(always("available"));
  const fleet = service.fleet();
  const limits = { maxWaitTime: 60 };
  for (const ids of ["vol-1", undefined]) await assert.rejects(fleet.waitEach(ids, limits), { code: "invalid_option", option: "ids" });
  for (const quorum of ["1", () => 1]) await assert.rejects(fleet.waitEach(["a", "b"], { ...limits, quorum }), { option: "quorum" });
  await assert.rejects(fleet.waitEach(["a"], { ...limits, onProgress: 1 }), { option: "onProgress" });
  await assert.rejects(fleet.wait("a", { ...limits, abortSignal: 1 }), { option: "abortSignal" });
  await assert.rejects(fleet.wait("a", { ...limits, quorum: 1 }), { code: "unknown_option", option: "quorum" });
  await assert.rejects(fleet.wait("a", { ...limits, input: {} }), { code: "unknown_option", option: "input" });
  await assert.rejects(fleet.wait("a"), { code: "missing_option" });
  await assert.rejects(fleet.wait("a", 60), { message: /did you mean `\{ maxWaitTime: 60 \}`/ });
  assert.equal(service.calls.length, 0);
});

test("the message lists at most ten failures", async () => {
  const service = new Service(always("error"));
  const error = await service.fleet().waitEach(names(25), { maxWaitTime: 60 }).catch((error) => error);
  const lines = error.message.split("\n");
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [12, "25 of 25 waits failed:", "  … and 15 more"]);
  assert.equal(error.errors.length, 25);
});

test("nothing keeps the process alive after the last caller", () => {
  const program = `
    import { Waiter } from "smithy-waiters";
    const done = Waiter.until("Jobs[].State", "done");
    const hang = (_, { signal }) => new Promise((resolve) => {
      const timer = setTimeout(resolve, 60_000);
      signal.addEventListener("abort", () => clearTimeout(timer));
    });
    const fleet = done.fleet(hang, { items: "Jobs[]", key: "Id" });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await fleet.wait("1", { maxWaitTime: 600, abortSignal: controller.signal }).catch(({ code }) => console.log(code));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: import.meta.dirname, encoding: "utf8", timeout: 20_000 });
  assert.deepEqual([stdout, stderr], ["cancelled\n", ""]);
});
