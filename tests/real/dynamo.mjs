// dynalite with the table `orders`, which contains a thousand items of one customer, the table `counters` with one item, and
// empty tables.

import { BatchWriteItemCommand, CreateTableCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";

import { listen } from "./listen.mjs";

const ITEMS = 1000;

/** The maximum number of items in a request. */
const BATCH = 25;

/** Starts the service with a number of empty tables, and returns its address. */
export async function startDynamo(tables) {
  const endpoint = await listen(dynalite({ createTableMs: 0 }));
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "none", secretAccessKey: "none" },
  });
  await create(client, "orders", { customer: "S", number: "N" });
  await create(client, "counters", { name: "S" });
  for (let number = 0; number < tables; number += 1) await create(client, `table-${number}`, { name: "S" });
  for (let first = 0; first < ITEMS; first += BATCH) {
    await client.send(new BatchWriteItemCommand({ RequestItems: { orders: batch(first) } }));
  }
  await client.send(new PutItemCommand({ TableName: "counters", Item: { name: { S: "visits" }, count: { N: "0" } } }));
  return endpoint;
}

async function create(client, name, key) {
  const names = Object.keys(key);
  await client.send(
    new CreateTableCommand({
      TableName: name,
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: key[AttributeName] })),
      KeySchema: names.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? "HASH" : "RANGE" })),
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
}

function batch(first) {
  const numbers = Array.from({ length: BATCH }, (_, at) => first + at);
  return numbers.map((number) => ({
    PutRequest: { Item: { customer: { S: "ada" }, number: { N: String(number) }, price: { N: String(number * 3) } } },
  }));
}
