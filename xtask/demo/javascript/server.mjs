// A DynamoDB-compatible server without tables: `server.mjs <createTableMs> <deleteTableMs>`.
// Reports its port, and executes commands from standard input: `create orders`, `delete orders`.

import { CreateTableCommand, DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";

import { connect } from "./client-dynamodb.mjs";
import { listen, send } from "./control.mjs";

const [createTableMs, deleteTableMs] = process.argv.slice(2).map(Number);
const server = dynalite({ createTableMs, deleteTableMs });

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  const client = connect(`http://127.0.0.1:${port}`);
  listen((line) => execute(client, line));
  send({ event: "listening", port });
});

async function execute(client, line) {
  const [verb, table] = line.split(" ");
  await client.send(commands[verb](table));
  send({ event: "done", verb, table });
}

const commands = {
  create: (table) =>
    new CreateTableCommand({
      TableName: table,
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  delete: (table) => new DeleteTableCommand({ TableName: table }),
};
