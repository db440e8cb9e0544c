/**
 * Whole polls: `wait` beside `createWaiter` of the AWS SDK, both over the same calls; and the engine's share of a poll. One JSON
 * object a line; times are nanoseconds.
 */

import { createWaiter, WaiterState } from "@smithy/util-waiter";
import { Waiter } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import { awaits, calls, figure, now } from "./timing.mjs";

/** The attempts of one wait; the last one succeeds. */
const POLLS = 200;

/** Enough for that many of the longest delays, in seconds. */
const MAX_WAIT = 7 * 24 * 3600;

/** The longest delay between two attempts, in milliseconds. */
const LONGEST_PAUSE = 120_000;

/** Waits that are taken one step further in a row, so that reading the clock does not count. */
const WAITS = 64;

// As a test fakes them: a pause ends in the event loop's next turn, and moves the clock. A longer timer is that of a deadline,
// which is started and cleared as ever.
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

/** What the SDK's clients add to every response. Without the status `createWaiter` serialises the response. */
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

/** Each with the same test in the steps of the SDK's generated waiters. */
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

/** An operation that returns at once: the resource is ready in the last poll. */
function operation({ pending, ready }) {
  let left = POLLS;
  return async () => (--left === 0 ? ready : pending);
}

const bare = (given) =>
  awaits(async () => {
    const call = operation(given);
    for (let made = 0; made < POLLS; made++) await call();
  });

/** As the SDK's generated waiters do. */
const smithy = (given) =>
  awaits(async () => {
    const call = operation(given);
    const check = async () => {
      let reason;
      try {
        const result = await call();
        reason = result;
        try {
          if (given.matches(result)) return { state: WaiterState.SUCCESS, reason };
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

/** `options` makes those of one wait, `reads` is what a call does with its attempt. */
const ours = (waiter, given, options = () => ({}), reads = () => undefined) =>
  awaits(async () => {
    const call = operation(given);
    const outcome = await waiter.wait(
      (attempt) => {
        reads(attempt);
        return call();
      },
      { maxWaitTime: MAX_WAIT, ...options() },
    );
    if (outcome.attempts !== POLLS) throw new Error(`${outcome.attempts} attempts`);
  });

/** A clock that only pauses move, and a sleep that is over at once; that of a deadline is not. */
function instantly() {
  let ms = 0;
  const sleep = (duration) => {
    if (duration > LONGEST_PAUSE) return new Promise(() => undefined);
    ms += duration;
    return Promise.resolve();
  };
  return { clock: () => ms, sleep };
}

/** `handle` of a response, without a history. */
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
      const begun = now();
      for (const wait of waits) wait.handle({ type: "response", response }, at);
      spent += now() - begun;
    }
    return (spent * runs) / (rounds * WAITS);
  };
}

for (const given of CASES) {
  const { size, output, pending } = given;
  const acceptors = [
    { state: "success", matcher: { output } },
    { state: "retry", matcher: { errorType: "NotFound" } },
  ];
  const waiter = new Waiter({ acceptors }, { name: "Ready" });
  const polls = (name, engine) => figure(name, size, { bare: bare(given), engine, "@smithy/util-waiter": smithy(given) }, POLLS);
  await polls("poll, default clock", ours(waiter, given));
  await polls("poll, signal read", ours(waiter, given, undefined, (attempt) => attempt.signal));
  await polls("poll, FakeClock", ours(waiter, given, () => ({ clock: new FakeClock() })));
  // `createWaiter` takes no sleep: its timers are over as soon.
  soon = queueMicrotask;
  await polls("poll, injected clock and sleep", ours(waiter, given, instantly));
  soon = nextTurn;
  await figure("handle", size, {
    engine: handles(waiter, pending),
    evaluate: calls(() => waiter.evaluate({ response: pending })),
  });
}
