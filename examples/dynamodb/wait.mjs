// Waits for a DynamoDB table with the AWS SDK for JavaScript: `node wait.mjs http://127.0.0.1:8000`.
//
// Prints each attempt to standard error, and the end of each wait as JSON to standard output.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb";
import { Waiter, WaiterError } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

const TABLE = "orders-javascript";

const SCHEMA = {
  TableName: TABLE,
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  BillingMode: "PAY_PER_REQUEST",
};

// AWS's waiters, as in its Smithy model.
const definitions = JSON.parse(readFileSync(new URL("waiters.json", import.meta.url)));
const tableExists = new Waiter(definitions.TableExists, { name: "TableExists" });
const tableNotExists = new Waiter(definitions.TableNotExists, { name: "TableNotExists" });

const observed = {
  show: ["Table.TableStatus"],
  historyLimit: 100,
  onAttempt: ({ summary }) => console.error(summary),
};

const endpoint = process.argv[2];
const client = connect(endpoint);

// Normally, another program creates and deletes the table.
const created = sleep(1500).then(() => client.send(new CreateTableCommand(SCHEMA)));
await waitFor("created", tableExists, client, 20);
await created;
const deleted = sleep(500).then(() => client.send(new DeleteTableCommand({ TableName: TABLE })));
await waitFor("deleted", tableNotExists, client, 20);
await deleted;

// Two waits that cannot succeed.
await waitFor("hanging", tableExists, connect(`${endpoint}/hang`), 3);
await waitFor("denied", tableExists, connect(`${endpoint}/deny`), 3);

// The same waiters in a test: AWS's delays of 20 to 120 seconds, without waiting.
await replay("created, replayed", tableExists, [null, "CREATING", "CREATING", "ACTIVE"]);
await replay("deleted, replayed", tableNotExists, ["ACTIVE", "DELETING", null]);

process.exit(0);

function connect(endpoint) {
  return new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "demo", secretAccessKey: "demo" },
    maxAttempts: 1, // each attempt of a wait is one request
  });
}

async function waitFor(name, waiter, client, maxWaitTime) {
  const command = new DescribeTableCommand({ TableName: TABLE });
  const describe = ({ signal }) => client.send(command, { abortSignal: signal });
  await report(name, waiter.wait(describe, { maxWaitTime, minDelay: 0.3, maxDelay: 1, ...observed }));
}

/** Waits on a fake clock. A status of `null` is a table that does not exist. */
async function replay(name, waiter, statuses) {
  const clock = new FakeClock();
  const describe = async () => {
    clock.advance(0.04);
    const TableStatus = statuses.shift();
    if (TableStatus) return { Table: { TableStatus } };
    throw new ResourceNotFoundException({ message: "the table does not exist", $metadata: {} });
  };
  await report(name, waiter.wait(describe, { maxWaitTime: 3600, seed: 2026, clock, ...observed }));
}

async function report(wait, running) {
  const { code, end } = await running.then(
    (outcome) => ({ code: "success", end: outcome }),
    (failure) => {
      if (!(failure instanceof WaiterError)) throw failure;
      return { code: failure.code, end: failure };
    },
  );
  const { acceptor, attempts, elapsed, history } = end;
  const elapsedMs = Math.round(elapsed * 1000);
  console.log(JSON.stringify({ wait, code, acceptor, attempts, elapsedMs, history: history.map(attemptOf), text: end.explain?.() }));
}

function attemptOf({ startedMs, endedMs, error, values, state, acceptor, delayMs, nextIsLast }) {
  return { startedMs, endedMs, saw: error ?? values?.[0]?.text, state, acceptor, delayMs, nextIsLast };
}
