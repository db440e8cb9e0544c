// How a program of the demo talks with its parent: JSON lines out, plain lines in. It ends when its parent does.

import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin });
lines.once("close", () => process.exit(0));

/** Writes one event. */
export function say(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** Hands each line of the parent to `handle`. */
export function listen(handle) {
  lines.on("line", handle);
}

/** Says that everything is set up, and waits for the word to begin. */
export function go() {
  say({ event: "ready" });
  return new Promise((resolve) => lines.once("line", resolve));
}
