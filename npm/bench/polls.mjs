/**
 * Benchmarks of polls: `wait` and `createWaiter` of the AWS SDK with equal calls, and the engine's part of a poll. Prints one JSON
 * object per line; times are in nanoseconds.
 */

import { createWaiter, WaiterState } from "@smithy/util-waiter";
import { Waiter } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { awaits, calls, figure, now } from "./timing.mjs";

/** The number of attempts of a wait; the last one succeeds. */
const POLLS = 200;

/** A maximum wait time that is long enough for all delays, in seconds. Beyond a day, each wait would also log a hint. */
const MAX_WAIT = 24 * 3600;

/** The longest delay between two attempts, in milliseconds. */
const LONGEST_PAUSE = 120_000;

/** The number of waits that advance between two readings of the clock, so that reading it takes no significant time. */
const WAITS = 64;

// Fake timers as in a test: a pause ends in the next turn of the event loop and advances the clock. Longer timers are those of
// deadlines and stay real, so that starting and stopping them is measured.
const { setTimeout: startTimer, setImmediate: nextTurn } = globalThis;
let soon = nextTurn;
let time = 0;
performance.now = () => time;
Date.now = () => time;
globalThis.setTimeout = (over, ms) => {
  if (ms > LONGEST_PAUSE) return startTimer(over, ms);
  time += ms;
  return soon(over);
};

/** The metadata that the SDK's clients add to every response. Without the status, `createWaiter` serializes the response. */
const METADATA = { httpStatusCode: 200, requestId: "0123456789", attempts: 1, totalRetryDelay: 0 };

const table = (status) => ({
  $metadata: METADATA,
  Table: {
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    TableName: "orders",
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    TableStatus: status,
    CreationDateTime: new Date(1_767_323_045_000),
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    TableSizeBytes: 4096,
    ItemCount: 12,
    TableArn: "arn:aws:dynamodb:eu-central-1:123456789012:table/orders",
  },
});

const instance = (state) => ({
  InstanceId: "i-0123456789",
  ImageId: "ami-0123456789",
  State: { Code: 16, Name: state },
  InstanceType: "m7g.large",
  LaunchTime: new Date(1_767_323_045_000),
});

const instances = (last) => ({
  $metadata: METADATA,
  Reservations: Array.from({ length: 500 }, (_, index) => ({
    ReservationId: `r-${index}`,
    Instances: [instance("running"), instance(index === 499 ? last : "running")],
  })),
});

/** The cases. `matches` contains the steps of the SDK's generated waiters. */
const CASES = [
  {
    size: "small",
    output: { path: "Table.TableStatus", comparator: "stringEquals", expected: "ACTIVE" },
    pending: table("CREATING"),
    ready: table("ACTIVE"),
    matches: (result) => {
      const found = () => result.Table.TableStatus;
      return found() === "ACTIVE";
    },
  },
  {
    size: "1,000 elements",
    output: { path: "Reservations[].Instances[].State.Name", comparator: "allStringEquals", expected: "running" },
    pending: instances("pending"),
    ready: instances("running"),
    matches: (result) => {
      const found = () => {
        const reservations = [].concat(...result.Reservations);
        const lists = reservations.map((reservation) => reservation.Instances);
        return [].concat(...lists).map((one) => one.State.Name);
      };
      let all = found().length > 0;
      for (const name of found()) all = all && name == "running";
      return all;
    },
  },
];

/** Returns an operation that resolves at once. The resource is ready in the last poll. */
function operation({ pending, ready }) {
  let left = POLLS;
  return async () => (--left === 0 ? ready : pending);
}

/** Returns a contestant that only makes the calls. */
const bare = (testCase) =>
  awaits(async () => {
    const call = operation(testCase);
    for (let poll = 0; poll < POLLS; poll++) await call();
  });

/** Returns a contestant that waits as the SDK's generated waiters do. */
const smithy = (testCase) =>
  awaits(async () => {
    const call = operation(testCase);
    const check = async () => {
      let reason;
      try {
        const result = await call();
        reason = result;
        try {
          if (testCase.matches(result)) return { state: WaiterState.SUCCESS, reason };
        } catch {}
      } catch (exception) {
        reason = exception;
        if (exception.name === "NotFound") return { state: WaiterState.RETRY, reason };
      }
      return { state: WaiterState.RETRY, reason };
    };
    const { state } = await createWaiter({ client: {}, maxWaitTime: MAX_WAIT }, {}, check);
    if (state !== WaiterState.SUCCESS) throw new Error(`the SDK's wait ended in ${state}`);
  });

/** Returns a contestant that uses `wait`. `options` returns the options of a wait; `useAttempt` is called with each attempt. */
const ours = (waiter, testCase, options = () => ({}), useAttempt = () => undefined) =>
  awaits(async () => {
    const call = operation(testCase);
    const outcome = await waiter.wait(
      (attempt) => {
        useAttempt(attempt);
        return call();
      },
      { maxWaitTime: MAX_WAIT, ...options() },
    );
    if (outcome.attempts !== POLLS) throw new Error(`${outcome.attempts} attempts`);
  });

/** Returns a clock that only pauses advance, and a sleep that resolves at once for a pause and never for a deadline. */
function instantly() {
  let ms = 0;
  const sleep = (duration) => {
    if (duration > LONGEST_PAUSE) return new Promise(() => undefined);
    ms += duration;
    return Promise.resolve();
  };
  return { clock: () => ms, sleep };
}

/** Returns a contestant that calls `handle` with a response, without a history. */
function handles(waiter, response) {
  const options = { maxWaitTime: 300_000_000, historyLimit: 0, seed: 1 };
  const waits = Array.from({ length: WAITS }, () => waiter.start(options));
  let at = 0;
  return (runs) => {
    const rounds = Math.ceil(runs / WAITS);
    let spent = 0;
    for (let round = 0; round < rounds; round++) {
      at += LONGEST_PAUSE;
      for (const wait of waits) wait.poll(at);
      const start = now();
      for (const wait of waits) wait.handle({ type: "response", response }, at);
      spent += now() - start;
    }
    return (spent * runs) / (rounds * WAITS);
  };
}

for (const testCase of CASES) {
  const { size, output, pending } = testCase;
  const acceptors = [
    { state: "success", matcher: { output } },
    { state: "retry", matcher: { errorType: "NotFound" } },
  ];
  const waiter = new Waiter({ acceptors }, { name: "Ready" });
  const polls = (name, engine) => figure(name, size, { bare: bare(testCase), engine, "@smithy/util-waiter": smithy(testCase) }, POLLS);
  await polls("poll, default clock", ours(waiter, testCase));
  await polls("poll, signal read", ours(waiter, testCase, undefined, (attempt) => attempt.signal));
  await polls("poll, FakeClock", ours(waiter, testCase, () => ({ clock: new FakeClock() })));
  // `createWaiter` does not accept a sleep. Its timers fire in a microtask, as the injected sleep resolves in one.
  soon = queueMicrotask;
  await polls("poll, injected clock and sleep", ours(waiter, testCase, instantly));
  soon = nextTurn;
  await figure("handle", size, {
    engine: handles(waiter, pending),
    evaluate: calls(() => waiter.evaluate({ response: pending })),
  });
}
