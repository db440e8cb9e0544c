// Tests with the AWS SDK, without its own retries, and a real service behind a proxy with configurable faults.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import {
  GetItemCommand,
  ListTablesCommand,
  paginateQuery,
  paginateScan,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { Operation, Paginator, retry, StandardRetryStrategy } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

import { running } from "./services-client.mjs";

const MODEL = readFileSync(new URL("model.json", import.meta.url), "utf8");

// The SDK's paginators modify their input. Ours must not.
const SCAN = Object.freeze({ TableName: "orders" });
const QUERY = Object.freeze({
  TableName: "orders",
  KeyConditionExpression: "customer = :customer",
  ExpressionAttributeValues: { ":customer": { S: "ada" } },
});
const KEY = { name: { S: "visits" } };
const VISIT = {
  TableName: "counters",
  Key: KEY,
  UpdateExpression: "ADD visits :one",
  ExpressionAttributeValues: { ":one": { N: "1" } },
};

const WALKS = [
  { name: "Scan", input: SCAN, Command: ScanCommand, paginate: paginateScan },
  { name: "Query", input: QUERY, Command: QueryCommand, paginate: paginateQuery },
];

let services;
before(async () => {
  services = await running();
});
after(() => services.stop());

/** The strategy and the clock of a test's requests, with a record of their attempts. */
class Retrying {
  seen = [];
  clock = new FakeClock();

  constructor(options) {
    // Without a seed, a delay can be 0, and the clock records no sleep.
    this.strategy = new StandardRetryStrategy({ seed: 1, ...options });
  }

  retry(call, options) {
    const onFailure = (progress) => this.seen.push(progress);
    return retry(call, { strategy: this.strategy, clock: this.clock, onFailure, ...options });
  }

  get delays() {
    return this.clock.sleeps;
  }

  get ends() {
    return this.seen.map(({ end }) => end);
  }
}

const operation = (name) => Operation.fromModel(MODEL, name);
const repeatedAfter = (seconds, status = 429) => ({ status, headers: { "retry-after": String(seconds) } });
const listTables = (client) => () => client.send(new ListTablesCommand({}));
const visit = (client) => () => client.send(new UpdateItemCommand(VISIT));

async function visits() {
  const { Item } = await services.direct().send(new GetItemCommand({ TableName: "counters", Key: KEY, ConsistentRead: true }));
  return Number(Item.visits?.N ?? 0);
}

async function all(iterable) {
  const found = [];
  for await (const one of iterable) found.push(one);
  return found;
}

const starts = (requests) => requests.map(({ body }) => body.ExclusiveStartKey);

// Pages.

for (const { name, input, Command, paginate } of WALKS) {
  test(`a thousand items get through: ${name}`, async () => {
    const [client, retrying, paginator] = [services.faulty(), new Retrying(), Paginator.fromModel(MODEL, name)];
    const described = operation(name);
    await services.script(
      ...[503, null, repeatedAfter(7), null, "reset", null, "lost", null, "cut", null, 500, 502, 504, null],
    );
    const page = (given) =>
      retrying.retry(() => client.send(new Command(given)), {
        operation: described,
        idempotent: described.isIdempotent(given),
      });
    const pages = await all(paginator.pages(page, input, { pageSize: 90 }));
    const bySdk = await all(paginate({ client: services.direct(), pageSize: 90 }, { ...input }));
    assert.deepEqual(pages.map(content), bySdk.map(content));
    const numbers = pages.flatMap(({ Items }) => Items.map((item) => Number(item.number.N)));
    assert.deepEqual(
      numbers.sort((one, other) => one - other),
      Array.from({ length: 1000 }, (_, number) => number),
    );

    const arrived = await services.arrived();
    const answered = arrived.filter(({ fault }) => fault === null);
    assert.deepEqual([arrived.length - answered.length, answered.length], [8, pages.length]);
    assert.deepEqual(new Set(arrived.map((one) => one.operation)), new Set([name]));
    // Each failed request is repeated unchanged, and each page is requested with the token of the previous one.
    for (const [at, one] of arrived.entries()) {
      if (one.fault !== null) assert.deepEqual(arrived[at + 1].body, one.body);
    }
    assert.deepEqual(starts(answered), [undefined, ...pages.slice(0, -1).map((one) => one.LastEvaluatedKey)]);
    // The SDK itself does not retry.
    assert.deepEqual(new Set(arrived.map(({ headers }) => headers["amz-sdk-request"])), new Set(["attempt=1; max=1"]));
    assert.equal(new Set(arrived.map(({ headers }) => headers["amz-sdk-invocation-id"])).size, arrived.length);

    const bounds = [[0, 1], [7, 7], [0, 1], [0, 1], [0, 1], [0, 1], [0, 2], [0, 4]];
    assert.equal(retrying.delays.length, bounds.length);
    for (const [at, [least, most]] of bounds.entries()) {
      assert.ok(least <= retrying.delays[at] && retrying.delays[at] <= most, `${at}: ${retrying.delays[at]}`);
    }
    // A retry costs 5 tokens, or 10 after a timeout such as 504. A success returns 1.
    assert.equal(retrying.strategy.quota.available, 500 - 7 * 5 - 10 + pages.length);
  });

  test(`items and where to start: ${name}`, async () => {
    const [client, paginator] = [services.faulty(), Paginator.fromModel(MODEL, name)];
    const page = (given) => client.send(new Command(given));
    const bySdk = (await all(paginate({ client: services.direct() }, { ...input }))).flatMap(({ Items }) => Items);
    await services.script();
    assert.deepEqual(await all(paginator.items(page, input, { pageSize: 300 })), bySdk);
    assert.equal((await services.arrived()).length, 4);
    await services.script();
    assert.deepEqual(await all(paginator.items(page, input, { pageSize: 300, maxItems: 600 })), bySdk.slice(0, 600));
    assert.equal((await services.arrived()).length, 2);
    const pages = paginator.pages(page, input, { pageSize: 300 });
    await pages.next();
    assert.deepEqual(await all(paginator.items(page, input, { startToken: pages.nextToken })), bySdk.slice(300));
  });
}

const content = ({ Items, LastEvaluatedKey }) => ({ Items, LastEvaluatedKey });

test("pages with nothing in them", async () => {
  await services.script();
  const client = services.faulty();
  const few = { ...SCAN, FilterExpression: "price > :least", ExpressionAttributeValues: { ":least": { N: "2970" } } };
  const page = (given) => client.send(new ScanCommand(given));
  const pages = await all(Paginator.fromModel(MODEL, "Scan").pages(page, few, { pageSize: 100 }));
  assert.deepEqual(pages.map(({ Items }) => Items.length).slice(0, 10), [0, 0, 0, 0, 0, 0, 0, 0, 0, 9]);
  assert.equal((await services.arrived()).length, pages.length);
});

// Delays.

test("a backoff that doubles until there are no retries", async () => {
  const delays = [];
  for (const seed of [4, 5]) {
    await services.script(...Array(7).fill(503));
    const retrying = new Retrying({ seed });
    await assert.rejects(retrying.retry(listTables(services.faulty())), ({ $metadata }) => $metadata.httpStatusCode === 503);
    assert.equal((await services.arrived()).length, 6);
    assert.deepEqual(retrying.ends, [undefined, undefined, undefined, undefined, undefined, "max_retries"]);
    assert.deepEqual(retrying.seen.slice(0, 5).map(({ delay }) => delay), retrying.delays);
    for (const [at, delay] of retrying.delays.entries()) assert.ok(0 < delay && delay <= 2 ** at, `${at}: ${delay}`);
    delays.push(retrying.delays);
  }
  assert.notDeepEqual(delays[0], delays[1]);
});

test("a quota that is used up", async () => {
  await services.script(...Array(7).fill(503));
  const retrying = new Retrying({ capacity: 10 });
  const client = services.faulty();
  await assert.rejects(retrying.retry(listTables(client)));
  await assert.rejects(retrying.retry(listTables(client)));
  assert.deepEqual(retrying.ends, [undefined, undefined, "quota_exhausted", "quota_exhausted"]);
  assert.equal((await services.arrived()).length, 4);
});

const AT = Date.UTC(2026, 9, 21, 7, 28);

for (const [headers, delay] of [
  [{ "retry-after": "7" }, 7],
  [{ "retry-after": new Date(AT).toUTCString() }, 11],
  [{ "x-amz-retry-after": "2500" }, 2.5],
]) {
  test(`the service says when: ${JSON.stringify(headers)}`, async () => {
    await services.script({ status: 429, headers });
    const retrying = new Retrying();
    await retrying.retry(listTables(services.faulty()), { date: () => AT - 11_000 });
    assert.deepEqual(retrying.delays, [delay]);
    assert.equal((await services.arrived()).length, 2);
  });
}

test("longer than anybody waits", async () => {
  await services.script(repeatedAfter(7));
  const retrying = new Retrying({ maxRetryAfter: 6 });
  await assert.rejects(retrying.retry(listTables(services.faulty())));
  assert.deepEqual(retrying.ends, ["retry_after_too_long"]);
  assert.deepEqual([(await services.arrived()).length, retrying.delays], [1, []]);
});

// Requests that must not be repeated.

for (const [fault, error] of [
  ["lost", { code: "ECONNRESET" }],
  ["reset", { code: "ECONNRESET" }],
  [500, { $fault: "server" }],
]) {
  test(`an update is not repeated: ${fault}`, async () => {
    const before = await visits();
    await services.script(fault);
    const retrying = new Retrying();
    await assert.rejects(retrying.retry(visit(services.faulty()), { operation: operation("UpdateItem") }), error);
    assert.deepEqual((await services.arrived()).map((one) => one.operation), ["UpdateItem"]);
    assert.deepEqual(retrying.ends, ["not_retryable"]);
    assert.equal(await visits(), before + (fault === "lost" ? 1 : 0));
  });
}

test("an update that somebody calls idempotent is done twice", async () => {
  const before = await visits();
  await services.script("lost");
  await new Retrying().retry(visit(services.faulty()), { idempotent: true });
  assert.equal((await services.arrived()).length, 2);
  assert.equal(await visits(), before + 2);
});

const THROTTLED = { status: 400, body: { __type: "x#ProvisionedThroughputExceededException", message: "too much" } };

test("an update is repeated where the service invites to", async () => {
  const before = await visits();
  await services.script(503, 429, repeatedAfter(3, 500), THROTTLED);
  const retrying = new Retrying();
  await retrying.retry(visit(services.faulty()), { operation: operation("UpdateItem") });
  assert.equal((await services.arrived()).length, 5);
  assert.ok(retrying.delays[2] >= 3);
  assert.equal(await visits(), before + 1);
});

test("a throttle that no model calls retryable", async () => {
  // The client does not model this error. Its status means that the request was not processed, so a retry is safe.
  await services.script({ ...THROTTLED, body: { __type: "x#SlowDown", message: "too much" } });
  await new Retrying().retry(visit(services.faulty()));
  assert.equal((await services.arrived()).length, 2);
  // The model defines this error as not retryable. Only an idempotent request is retried.
  const retrying = new Retrying();
  await services.script(THROTTLED);
  await assert.rejects(retrying.retry(visit(services.faulty())), { name: "ProvisionedThroughputExceededException" });
  assert.equal((await services.arrived()).length, 1);
  assert.equal(retrying.seen.at(-1).reason, "the error is not retryable: the request is not known to be idempotent");
  await services.script(THROTTLED);
  await new Retrying().retry(visit(services.faulty()), { idempotent: true });
  assert.equal((await services.arrived()).length, 2);
});

test("a service that never answers", async () => {
  await services.script("slow");
  // The second attempt does not have a short timeout, so that a slow machine does not fail the test.
  const impatient = services.faulty({ requestHandler: { requestTimeout: 200, throwOnRequestTimeout: true } });
  const clients = [impatient, services.faulty()];
  const retrying = new Retrying();
  const found = await retrying.retry(({ number }) => listTables(clients[number - 1])(), { idempotent: true });
  assert.deepEqual(found.TableNames, ["counters", "orders"]);
  assert.equal((await services.arrived()).length, 2);
  assert.equal(retrying.seen[0].error.name, "TimeoutError");
  // A timeout costs 10 tokens.
  assert.equal(retrying.strategy.quota.available, 491);
});

// Idempotency tokens.

const BOUGHT = { TransactItems: [{ Put: { TableName: "counters", Item: { name: { S: "other" } } } }] };
const DONE = { status: 200 };
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test("the token is the same for all attempts", async () => {
  // dynalite does not support transactions, so the proxy responds to this request.
  await services.script("reset", 504, DONE, DONE);
  const [client, buy] = [services.faulty(), operation("TransactWriteItems")];
  for (let times = 0; times < 2; times++) {
    const given = buy.withToken(BOUGHT);
    const idempotent = buy.isIdempotent(given);
    await new Retrying().retry(() => client.send(new TransactWriteItemsCommand(given)), { operation: buy, idempotent });
  }
  const tokens = (await services.arrived()).map(({ body }) => body.ClientRequestToken);
  assert.deepEqual(tokens, [tokens[0], tokens[0], tokens[0], tokens[3]]);
  assert.notEqual(tokens[3], tokens[0]);
  assert.match(tokens[0], UUID);
  assert.equal(BOUGHT.ClientRequestToken, undefined);
});

test("without a token a transaction is not repeated", async () => {
  await services.script("reset", DONE);
  const [client, buy] = [services.faulty(), operation("TransactWriteItems")];
  const call = () => client.send(new TransactWriteItemsCommand(BOUGHT));
  const options = { operation: buy, idempotent: buy.isIdempotent(BOUGHT) };
  await assert.rejects(new Retrying().retry(call, options), { code: "ECONNRESET" });
  assert.equal((await services.arrived()).length, 1);
});

// Request compression.

const METRICS = Array.from({ length: 1000 }, (_, Value) => ({ MetricName: `visits of page ${Value}`, Value }));
const put = (client, MetricData) => client.send(new PutMetricDataCommand({ Namespace: "real", MetricData }));
const bytes = ({ body }) => Buffer.from(body, "base64");

/** Creates a client that compresses requests with this package before the SDK signs them. */
function compressing() {
  const client = services.metrics({ disableRequestCompression: true });
  const { compression } = operation("PutMetricData");
  const compressed = (next) => async (args) => {
    const { body, contentEncoding } = await compression.compress(args.request.body);
    args.request.body = body;
    if (contentEncoding !== undefined) args.request.headers["content-encoding"] = contentEncoding;
    return next(args);
  };
  client.middlewareStack.add(compressed, { step: "build", priority: "high" });
  return client;
}

test("a compressed body is decoded by a server", async () => {
  await put(services.metrics({ disableRequestCompression: true }), METRICS);
  await put(compressing(), METRICS);
  await put(services.metrics(), METRICS);
  const [asIs, smaller, bySdk] = await services.decoded();
  assert.equal(asIs.headers["content-encoding"], undefined);
  assert.deepEqual([smaller.headers["content-encoding"], bySdk.headers["content-encoding"]], ["gzip", "gzip"]);
  assert.ok(Number(smaller.headers["content-length"]) < asIs.headers["content-length"] / 5);
  // The bodies after express decoded them.
  assert.ok(bytes(smaller).equals(bytes(asIs)) && bytes(bySdk).equals(bytes(asIs)));
  assert.equal(bytes(smaller).length, Number(asIs.headers["content-length"]));
});

test("a small body stays as it is", async () => {
  await put(compressing(), METRICS.slice(0, 10));
  const [arrived] = await services.decoded();
  assert.equal(arrived.headers["content-encoding"], undefined);
  assert.ok(bytes(arrived).includes("visits of page 9"));
});

test("a stream is decoded by a server", async () => {
  const chunks = Array.from({ length: 1000 }, (_, number) => `visits of page ${number}\n`);
  const { body, contentEncoding } = await operation("PutMetricData").compression.compress(
    new Blob(chunks).stream(),
  );
  await services.post(body, { "content-encoding": contentEncoding });
  const [arrived] = await services.decoded();
  assert.equal(arrived.headers["transfer-encoding"], "chunked");
  assert.equal(arrived.headers["content-encoding"], "gzip");
  assert.equal(bytes(arrived).toString(), chunks.join(""));
});
