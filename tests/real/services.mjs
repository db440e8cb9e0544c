// What the tests of real use talk to: `services.mjs` says its ports in one line, and ends with its standard input.
// Its argument is the number of further tables, `table-0` and so on, that are there to be waited for.
// A DynamoDB of a thousand items, the proxy before it that fails as it is told, and a server that takes compressed bodies.

import { once } from "node:events";

import { startDecoder } from "./decoder.mjs";
import { startDynamo } from "./dynamo.mjs";
import { startProxy } from "./proxy.mjs";

process.stdin.resume().once("end", () => process.exit(0));

const service = await startDynamo(Number(process.argv[2] ?? 0));
const proxy = await startProxy(service);
const decoder = await startDecoder();
process.stdout.write(`${JSON.stringify({ service, proxy, decoder })}\n`);
await once(process.stdin, "end");
