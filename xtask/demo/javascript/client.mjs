// The JavaScript client of the demo: `client.mjs about | wait <job> | replay <job>`. A job is JSON.

import { readFileSync } from "node:fs";

import { waitForStart, send } from "./control.mjs";
import { replay } from "./replay.mjs";
import { wait } from "./wait.mjs";

const verbs = {
  about: () => send({ event: "about", runtime: `Node ${process.versions.node}`, sdk: sdk() }),
  wait,
  replay,
};

const [verb, job = "null"] = process.argv.slice(2);
await verbs[verb](JSON.parse(job), waitForStart);
process.exit(0);

function sdk() {
  const name = "@aws-sdk/client-dynamodb";
  const { version } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url)));
  return `${name} ${version}`;
}
