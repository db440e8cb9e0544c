// The connection with the parent process: events as JSON lines on standard output, commands on standard input. The program
// exits when its standard input ends.

import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin });
lines.once("close", () => process.exit(0));

/** Writes an event. */
export function send(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** Calls `handle` for each line from the parent. */
export function listen(handle) {
  lines.on("line", handle);
}

/** Reports that the client is ready, and waits for the parent's line that starts it. */
export function waitForStart() {
  send({ event: "ready" });
  return new Promise((resolve) => lines.once("line", resolve));
}
