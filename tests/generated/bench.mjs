/**
 * Compares the time of a verdict with that of the AWS SDK's `checkState`, in turns, in one process, on the same responses and
 * behind the same call. Prints one JSON object per line; times are in nanoseconds.
 */

import { readFileSync } from "node:fs";
import { matchTableExists } from "./out/sdk/dynamodb.js";
import { matchServicesStable } from "./out/sdk/ecs.js";

/** The number of turns and their minimum duration in milliseconds. The fastest turn is reported. */
const TURNS = 9;
const TURN_MS = 60;

class Command {}

const service = (runningCount) => ({ status: "ACTIVE", deployments: [{ status: "PRIMARY" }], runningCount, desiredCount: 2 });
const services = (length) => ({ services: Array.from({ length }, () => service(2)), failures: [] });

const CASES = [
  {
    size: "DescribeTable",
    match: matchTableExists,
    checkState: ofSdk("dynamodb", "waitForTableExists", "DescribeTableCommand"),
    response: { Table: { TableStatus: "ACTIVE", TableName: "t", ItemCount: 3 } },
  },
  ...[1, 10, 100].map((length) => ({
    size: `${length} of DescribeServices`,
    match: matchServicesStable,
    checkState: ofSdk("ecs", "waitForServicesStable", "DescribeServicesCommand"),
    response: services(length),
  })),
];

/** The SDK's function, taken from its module because the package does not export it. */
function ofSdk(client, waiter, command) {
  const file = new URL(`./node_modules/@aws-sdk/client-${client}/dist-es/waiters/${waiter}.js`, import.meta.url);
  const [code] = readFileSync(file, "utf8").match(/const checkState = [^]*?\n};\n/);
  const states = { SUCCESS: "SUCCESS", FAILURE: "FAILURE", RETRY: "RETRY" };
  return new Function("WaiterState", command, `${code}return checkState;`)(states, Command);
}

/** The equivalent of the SDK's function with our matcher. */
function ours(match) {
  return async (client, input) => {
    const result = await client.send(new Command(input));
    return match(result);
  };
}

async function turn(check, client) {
  const start = process.hrtime.bigint();
  let [calls, spent] = [0, 0n];
  while (spent < TURN_MS * 1e6) {
    for (let i = 0; i < 200; i += 1) await check(client, undefined);
    calls += 200;
    spent = process.hrtime.bigint() - start;
  }
  return Number(spent) / calls;
}

for (const { size, match, checkState, response } of CASES) {
  const client = { send: async () => response };
  const [engine, awsSdk] = [ours(match), checkState];
  if ((await awsSdk(client)).state !== "SUCCESS" || (await engine(client)) === undefined) throw new Error(size);
  const best = { engine: Infinity, awsSdk: Infinity };
  for (let at = 0; at < TURNS; at += 1) {
    best.engine = Math.min(best.engine, await turn(engine, client));
    best.awsSdk = Math.min(best.awsSdk, await turn(awsSdk, client));
  }
  console.log(JSON.stringify({ case: "generated matcher", size, ...best }));
}
