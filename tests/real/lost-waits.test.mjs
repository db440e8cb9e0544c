// Tests with the AWS SDK behind a proxy that fails most requests: no wait is lost, and waits that cannot succeed end early.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { DescribeTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { Waiter, WaiterFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

import { connect, running } from "./services-client.mjs";

const SEED = 7;

// The folder for reports. Without a folder, only the first scenario runs, without the SDK's own waiter.
const REPORTS = process.env.SMITHY_WAITERS_LOST_WAITS_REPORTS;

const SCENARIOS = JSON.parse(readFileSync(new URL("scenarios.json", import.meta.url), "utf8"));
const RUN = REPORTS === undefined ? SCENARIOS.slice(0, 1) : SCENARIOS;

const TABLE_EXISTS = new Waiter(
  {
    acceptors: [
      { state: "success", matcher: { output: { path: "Table.TableStatus", comparator: "stringEquals", expected: "ACTIVE" } } },
      { state: "retry", matcher: { errorType: "ResourceNotFoundException" } },
    ],
  },
  { name: "TableExists" },
);

const MAX_WAIT_TIME = 300;

// Some scenarios have requests without a response.
const TIMEOUTS = { requestHandler: { connectionTimeout: 1000, requestTimeout: 1000, throwOnRequestTimeout: true } };

// The options of the SDK's retries. They are on by default.
const RETRIES = new Map([
  [true, { maxAttempts: undefined }],
  [false, { maxAttempts: 1 }],
]);

// A host name with an invalid label, which fails without a DNS query.
const MISSPELT = `http://${"a".repeat(64)}.invalid`;

// An address at which no service listens.
const REFUSED = "http://127.0.0.1:1";

let services;
before(async () => {
  services = await running(Math.max(...RUN.map(({ waits }) => waits)));
});
after(() => services.stop());

/** Returns the delays of a scenario in seconds, for both waiters. */
function delays({ minDelay, maxDelay }) {
  return { maxWaitTime: MAX_WAIT_TIME, minDelay, maxDelay };
}

/** Runs the waits of a scenario, and returns the errors of those that fail. */
async function lost(scenario, { own, retries }, wait) {
  const { name, faults, waits, concurrent } = scenario;
  await services.seed(SEED, faults);
  const client = services.faulty({ ...RETRIES.get(retries), ...("silent" in faults ? TIMEOUTS : {}) });
  const errors = [];
  const left = Array.from({ length: waits }, (_, number) => `table-${number}`);
  const one = async () => {
    for (let table = left.shift(); table !== undefined; table = left.shift()) {
      await wait(client, { TableName: table }).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: concurrent }, one));
  client.destroy();
  if (REPORTS !== undefined) {
    const counts = { waits, lost: errors.length, calls: await services.count() };
    const report = { client: "AWS SDK for JavaScript", scenario: name, retries, own, ...counts };
    writeFileSync(join(REPORTS, `javascript-${name}-${own}-${retries}.json`), JSON.stringify(report));
  }
  return errors;
}

for (const retries of [true, false]) {
  for (const scenario of RUN) {
    test(`no wait is lost: ${scenario.name}, retries of the SDK: ${retries}`, async () => {
      const timeout = !retries && "silent" in scenario.faults ? { attemptTimeout: 0.5 } : {};
      const wait = async (client, input) => {
        const call = ({ signal }) => client.send(new DescribeTableCommand(input), { abortSignal: signal });
        const { response } = await TABLE_EXISTS.wait(call, { ...delays(scenario), ...timeout });
        assert.equal(response.Table.TableStatus, "ACTIVE");
      };
      assert.deepEqual(await lost(scenario, { own: false, retries }, wait), []);
    });
  }

  for (const scenario of RUN.slice(1)) {
    test(`waits that the SDK loses: ${scenario.name}, its retries: ${retries}`, async () => {
      await lost(scenario, { own: true, retries }, (client, input) => waitUntilTableExists({ client, ...delays(scenario) }, input));
    });
  }

  for (const [status, code] of [
    [400, "UnrecognizedClientException"],
    [403, "InvalidSignatureException"],
  ]) {
    test(`a revoked key ends a wait at once: ${code}, retries of the SDK: ${retries}`, async () => {
      const revoked = { status, body: { __type: `com.amazon.coral.service#${code}`, message: "invalid" } };
      await services.script(revoked, revoked);
      const [failure, time] = await ended(services.faulty(RETRIES.get(retries)));
      assert.deepEqual([failure.code, failure.attempts, time], ["unmatched_error", 1, 0]);
      assert.equal(await services.count(), 1);
    });
  }
}

/** Runs a wait, and returns its failure and its time. */
async function ended(client, options) {
  const clock = new FakeClock();
  const call = ({ signal }) => client.send(new DescribeTableCommand({ TableName: "orders" }), { abortSignal: signal });
  const failure = await TABLE_EXISTS.wait(call, { maxWaitTime: 3600, clock, ...options }).catch((error) => error);
  assert.ok(failure instanceof WaiterFailed, String(failure));
  return [failure, clock.now];
}

test("a service that refuses connections is given up", async () => {
  const [failure, time] = await ended(connect(REFUSED));
  assert.equal(failure.code, "unreachable");
  assert.ok(120 <= time && time <= 130, time);
});

test("a service that never answers is given up", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const endpoint = `http://127.0.0.1:${silent.address().port}`;
  const [failure, time] = await ended(connect(endpoint, { requestHandler: { requestTimeout: 100, throwOnRequestTimeout: true } }));
  const real = { clock: undefined, minDelay: 0.01, attemptTimeout: 0.1, transientWindow: 0.5 };
  const [cut] = await ended(connect(endpoint), real);
  silent.close();
  assert.equal(failure.code, "unreachable");
  assert.ok(120 <= time && time <= 130, time);
  assert.equal(cut.code, "unreachable");
});

test("a misspelt host name ends a wait at once", async () => {
  const [failure, time] = await ended(connect(MISSPELT));
  assert.deepEqual([failure.code, failure.attempts, time], ["unmatched_error", 1, 0]);
});
