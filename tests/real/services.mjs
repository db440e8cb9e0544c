// The services of the tests with real SDKs: a DynamoDB with a thousand items, a proxy with configurable faults, and a server
// that accepts compressed bodies. `services.mjs` prints the ports on one line, and exits when its standard input ends. Its
// argument is the number of further tables to wait for: `table-0` and so on.

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
