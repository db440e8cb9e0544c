/** Cells for Node: `import`, `require` and threads. */

import { renameSync } from "node:fs";
import { join } from "node:path";
import { checkPrinted, esm, project, run } from "./project.mjs";

export async function nodeEsm(cell) {
  checkPrinted(await run("node", ["main.js"], project(cell)));
}

/** Uses `import` and `require` in one program, which must return the same classes and use one engine. */
export async function nodeCjs(cell) {
  const place = project(cell, () => ({ type: "commonjs", file: "main.js", text: CJS }));
  renameSync(join(place, "program.js"), join(place, "program.mjs"));
  checkPrinted(await run("node", ["main.js"], place));
}

const CJS = `const api = require("smithy-waiters");
const testing = require("smithy-waiters/testing");
(async () => {
  const imported = await import("smithy-waiters");
  if (!("Waiter" in imported)) throw new Error("no names");
  for (const name of Object.keys(imported)) if (imported[name] !== api[name]) throw new Error(name);
  const { program } = await import("./program.mjs");
  console.log("smithy-waiters: " + (await program(api, testing)));
})();
`;

/** Runs the program in two threads and in the main thread, each with a separate engine. */
export async function workerThreads(cell) {
  checkPrinted(await run("node", ["main.js"], project(cell, threads)), 3);
}

function threads() {
  const { text, ...main } = esm();
  const start = `import { isMainThread, Worker } from "node:worker_threads";
if (isMainThread) for (let thread = 0; thread < 2; thread++) new Worker(new URL(import.meta.url));
`;
  return { ...main, text: start + text };
}
