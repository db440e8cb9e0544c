// Shared by the runners in JavaScript: the lines of JSON, and clients for an endpoint.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { join } from "node:path";

const PARALLEL = 64;

/** Imports packages from the folder of the run, in which the clients are installed. */
export const require = createRequire(join(process.cwd(), "runner.cjs"));

/** Returns the package of a service's client, or undefined if it is not installed. */
export function packageOf(service) {
  if (!service.sdkId) return undefined;
  const name = service.sdkId.toLowerCase().replaceAll(" ", "-");
  try {
    return require(`@aws-sdk/client-${name}`);
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Returns a client without retries, for a service at an endpoint. */
export function clientOf(clients, endpoint) {
  const name = Object.keys(clients).find((key) => key.endsWith("Client") && key !== "__Client");
  return new clients[name]({
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    disableHostPrefix: true,
    endpoint,
    forcePathStyle: true,
    maxAttempts: 1,
    region: "us-east-1",
    // Kinesis has HTTP/2 by default, which the player does not speak.
    requestHandler: new (require("@smithy/node-http-handler").NodeHttpHandler)(),
  });
}

/** Writes the announcement, and plays the tasks on standard input. */
export function serve(announcement, play) {
  const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
  write({ parallel: PARALLEL, ...announcement });
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const task = JSON.parse(line);
    write({ id: task.id, ...(await play(task)) });
  });
}
