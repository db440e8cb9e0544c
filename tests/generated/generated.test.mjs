/**
 * Tests generated TypeScript: the waiters are those of the models, and waits with a real client end as they should.
 *
 * `cargo xtask test` generates and compiles the code first.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { DescribeTableCommand, DynamoDBClient, waitUntilTableExists as sdkWait } from "@aws-sdk/client-dynamodb";
import { GetRoleCommand, IAMClient } from "@aws-sdk/client-iam";
import { S3Client } from "@aws-sdk/client-s3";
import { Waiter, WaiterAttemptsExceeded, WaiterFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";
import * as only from "./out/only/dynamodb.js";
import * as jobs from "./out/plain/jobs.js";
import * as dynamodb from "./out/sdk/dynamodb.js";
import * as iam from "./out/sdk/iam.js";
import * as s3 from "./out/sdk/s3.js";

const folder = process.env.AWS_VERDICTS;

/** The minimum number of verdicts, which detects missing data. */
const LEAST = 20_000;

let verdicts = 0;

/** The user agents of all requests. */
const agents = [];

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json")).sort()) {
  test(`the waiters of ${file} have the expected verdicts`, async () => {
    const module = await import(`./out/plain/${file.replace(".json", ".js")}`);
    for (const { waiter, cases } of JSON.parse(readFileSync(join(folder, file), "utf8"))) {
      const own = waiterOf(module, waiter);
      for (const { input, output, error, expected } of cases) {
        verdicts += 1;
        const observation = error === undefined ? { response: output } : { error };
        const { state, acceptor } = own.evaluate(observation, { input });
        assert.deepEqual({ state, acceptor: acceptor ?? null }, expected, waiter);
      }
    }
  });
}

test("there are enough verdicts", () => assert.ok(verdicts > LEAST, `${verdicts} verdicts only`));

after(() => console.log(`generated definitions: ${verdicts} verdicts as expected`));

/** Returns the engine's waiter from a generated module. */
function waiterOf(module, name) {
  const key = Object.keys(module).find((key) => key.toLowerCase() === `${name}Waiter`.toLowerCase());
  return module[key]();
}

/** Runs `use` with a service that returns the given responses. */
async function served(answers, use) {
  const seen = [];
  const server = createServer((request, response) => {
    request.resume();
    const [status, body] = answers[Math.min(seen.length, answers.length - 1)];
    seen.push(request.url);
    agents.push(request.headers["user-agent"]);
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(text);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  try {
    await use({ endpoint, credentials, region: "us-east-1" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return seen.length;
}

const table = (TableStatus) => [200, { Table: { TableStatus } }];

test("a wait through a client ends as its definition says", async () => {
  const missing = [400, { __type: "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", message: "no" }];
  const calls = await served([missing, table("CREATING"), table("ACTIVE")], async (options) => {
    const client = new DynamoDBClient(options);
    const clock = new FakeClock();
    const outcome = await dynamodb.waitUntilTableExists({ client, maxWaitTime: 300, clock, seed: 7 }, { TableName: "t" });
    assert.equal(outcome.response.Table.TableStatus, "ACTIVE");
    assert.deepEqual([outcome.attempts, outcome.acceptor], [3, 0]);
    assert.deepEqual(outcome.history.map(({ acceptor }) => acceptor), [1, undefined, 0]);
    client.destroy();
  });
  assert.equal(calls, 3);
});

test("an outcome has the members of the SDK's own, too", async () => {
  await served([table("ACTIVE")], async (options) => {
    const client = new DynamoDBClient(options);
    const configuration = { client, maxWaitTime: 300 };
    const theirs = await sdkWait(configuration, { TableName: "t" });
    for (const wait of [dynamodb.waitUntilTableExists, only.waitUntilTableExists]) {
      const ours = await wait(configuration, { TableName: "t" });
      assert.deepEqual([ours.state, ours.reason.Table, ours.final.Table], [theirs.state, theirs.reason.Table, theirs.final.Table]);
      assert.equal(ours.final, ours.response);
    }
    client.destroy();
  });
});

test("a success by an error has it as the reason", async () => {
  const missing = [400, { __type: "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", message: "no" }];
  await served([missing], async (options) => {
    const client = new DynamoDBClient(options);
    const outcome = await dynamodb.waitUntilTableNotExists({ client, maxWaitTime: 300 }, { TableName: "t" });
    assert.deepEqual([outcome.state, outcome.reason, outcome.final], ["SUCCESS", outcome.error, outcome.error]);
    client.destroy();
  });
});

test("a wait ends with the SDK's names of errors, by a signal or by a controller", async () => {
  await served([table("CREATING")], async (options) => {
    const client = new DynamoDBClient(options);
    const [one, other] = [new AbortController(), new AbortController()];
    for (const abort of [{ abortController: one }, { abortSignal: one.signal }, { abortController: one, abortSignal: other.signal }]) {
      const wait = dynamodb.waitUntilTableExists({ client, maxWaitTime: 300, ...abort }, { TableName: "t" });
      setTimeout(() => one.abort(), 20);
      await assert.rejects(wait, { name: "AbortError" });
    }
    const wait = dynamodb.waitUntilTableExists({ client, maxWaitTime: 30, clock: new FakeClock() }, { TableName: "t" });
    await assert.rejects(wait, { name: "TimeoutError" });
    client.destroy();
  });
});

test("the requests of waits are marked in the user agent", async () => {
  await served([table("ACTIVE")], async (options) => {
    const client = new DynamoDBClient(options);
    const features = () => / m\/(\S+)/.exec(agents.at(-1))[1].split(",");
    await dynamodb.waitUntilTableExists({ client, maxWaitTime: 300 }, { TableName: "t" });
    const ours = features();
    await client.send(new DescribeTableCommand({ TableName: "t" }));
    assert.deepEqual(ours, ["B", ...features()]);
    client.destroy();
  });
});

test("a failure explains the last response", async () => {
  await served([table("CREATING")], async (options) => {
    const client = new DynamoDBClient(options);
    const settings = { client, maxWaitTime: 300, maxAttempts: 2, clock: new FakeClock() };
    const failure = await dynamodb.waitUntilTableExists(settings, { TableName: "t" }).catch((error) => error);
    assert.ok(failure instanceof WaiterAttemptsExceeded, failure);
    const seen = 'Table.TableStatus gave "CREATING", expected "ACTIVE"';
    assert.ok(failure.message.endsWith(`; last seen: ${seen}`), failure.message);
    assert.equal(failure.history[1].reasons[0].text, seen);
    client.destroy();
  });
});

test("a failure has the message that the model names", async () => {
  const call = async () => ({ jobs: [{ from: { name: "nowhere" }, old: "the disk is full" }] });
  const wait = jobs.waitUntilJobsDone({ call, maxWaitTime: 9, clock: new FakeClock() }, { names: [] });
  await assert.rejects(wait, { code: "failure_state", acceptor: 1, message: "the disk is full" });
});

test("a wait makes calls again, beside the client's own retries", async () => {
  const broken = [500, { __type: "InternalServerError", message: "no" }];
  for (const [maxAttempts, attempts] of [[1, 2], [2, 1]]) {
    const calls = await served([broken, table("ACTIVE")], async (options) => {
      const client = new DynamoDBClient({ ...options, maxAttempts });
      const settings = { client, maxWaitTime: 300, clock: new FakeClock() };
      const outcome = await dynamodb.waitUntilTableExists(settings, { TableName: "t" });
      assert.equal(outcome.attempts, attempts);
      client.destroy();
    });
    assert.equal(calls, 2);
  }
});

test("options select the end at a transient error and a pace", async () => {
  const broken = [500, { __type: "InternalServerError", message: "no" }];
  const waiting = { maxWaitTime: 300, pace: { every: 7 }, finalPoll: "late", transientErrors: "fail" };
  await served([table("CREATING"), broken], async (options) => {
    const client = new DynamoDBClient({ ...options, maxAttempts: 1 });
    const clock = new FakeClock();
    const wait = dynamodb.waitUntilTableExists({ client, clock, ...waiting }, { TableName: "t" });
    const failure = await wait.catch((error) => error);
    assert.ok(failure instanceof WaiterFailed, failure);
    assert.deepEqual([failure.code, failure.attempts, failure.history[0].delayMs], ["unmatched_error", 2, 7000]);
    client.destroy();
  });
});

test("a success may be an error", async () => {
  await served([[200], [404]], async (options) => {
    const client = new S3Client({ ...options, forcePathStyle: true });
    const clock = new FakeClock();
    const outcome = await s3.waitUntilBucketNotExists({ client, maxWaitTime: 300, clock }, { Bucket: "b" });
    assert.deepEqual([outcome.result, outcome.error.name, outcome.attempts], ["error", "NotFound", 2]);
    client.destroy();
  });
});

/** An error and a role in the query protocol. */
const noEntity = `<ErrorResponse><Error><Type>Sender</Type><Code>NoSuchEntity</Code><Message>no</Message></Error></ErrorResponse>`;
const role = `<GetRoleResponse><GetRoleResult><Role><RoleName>r</RoleName></Role></GetRoleResult></GetRoleResponse>`;

test("an error is matched by its code if the model's waiter names it", async () => {
  const names = { RoleName: "r", InstanceProfileName: "p" };
  for (const wait of [iam.waitUntilRoleExists, iam.waitUntilInstanceProfileExists]) {
    await served([[404, noEntity], [200, role]], async (options) => {
      const client = new IAMClient(options);
      const outcome = await wait({ client, maxWaitTime: 300, clock: new FakeClock() }, names);
      assert.equal(outcome.attempts, 2);
      client.destroy();
    });
  }
});

test("a waiter from the model matches the code, too", async () => {
  const model = readFileSync(join(folder, "../aws-models/iam.json"), "utf8");
  await served([[404, noEntity], [200, role]], async (options) => {
    const client = new IAMClient({ ...options, maxAttempts: 1 });
    const waiter = Waiter.fromModel(model, "RoleExists");
    const call = () => client.send(new GetRoleCommand({ RoleName: "r" }));
    assert.equal((await waiter.wait(call, { maxWaitTime: 300, clock: new FakeClock() })).attempts, 2);
    client.destroy();
  });
});

test("bytes are compared as base64", async () => {
  const signatures = ["", "hi"].map((text) => new TextEncoder().encode(text));
  const [call, clock, signature] = [async () => ({ signatures }), new FakeClock(), "aGk="];
  const { acceptor, response } = await jobs.waitUntilJobsSigned({ call, maxWaitTime: 9, clock }, { signature });
  assert.equal(acceptor, 0);
  assert.equal(jobs.jobsSignedWaiter().evaluate({ response }, { input: {} }).acceptor, undefined);
});

test("a waiter is created once", () => assert.equal(only.tableExistsWaiter(), only.tableExistsWaiter()));

test("the time is required", async () => {
  const wait = dynamodb.waitUntilTableExists({ client: new DynamoDBClient({}) }, { TableName: "t" });
  await assert.rejects(wait, { code: "missing_option", option: "maxWaitTime" });
});

test("the client or the call is required", async () => {
  const missing = (name) => ({ name: "TypeError", message: `\`${name}\` is missing` });
  await assert.rejects(dynamodb.waitUntilTableExists({ maxWaitTime: 9 }, { TableName: "t" }), missing("client"));
  assert.throws(() => dynamodb.paginateListTables({}, {}), missing("client"));
  await assert.rejects(jobs.waitUntilJobsDone({ maxWaitTime: 9 }, {}), missing("call"));
});

test("requests have the behaviour of the model", () => {
  const create = dynamodb.operation("TransactWriteItems");
  assert.equal(create.idempotencyToken, "ClientRequestToken");
  assert.deepEqual(dynamodb.operation("PutItem").error("InternalServerError"), {
    fault: "server",
    retryable: false,
    throttling: false,
  });
});
