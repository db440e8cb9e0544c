/**
 * What an import costs: fresh processes that run a module that imports the package beside fresh processes that run an
 * empty one, in turns; the median of the differences in a turn, so that what else the machine does concerns both alike.
 * And what compiling and instantiating the engine's bytes costs, which no package can do without. One JSON object a line; times
 * are nanoseconds.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "./timing.mjs";

const TURNS = 20;

/** Runs a module's first verdict, and keeps the bytes that it compiles for it. */
const KEEP = `import { writeFileSync } from "node:fs";
  const { Module } = WebAssembly;
  WebAssembly.Module = function (bytes) {
    writeFileSync(new URL("engine.wasm", import.meta.url), new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset, bytes.byteLength));
    return new Module(bytes);
  };
  WebAssembly.Module.prototype = Module.prototype;
  await import("./verdict.mjs");`;

const PROGRAMS = {
  nothing: "",
  import: 'import "smithy-waiters";',
  verdict: `import { Waiter } from "smithy-waiters";
    new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] }).evaluate({ response: 1 });`,
  bytes: `import { readFileSync } from "node:fs";
    const module = new WebAssembly.Module(readFileSync(new URL("engine.wasm", import.meta.url)));
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => undefined;
    new WebAssembly.Instance(module, imports);`,
};

// Where Node finds the package as it does for this file.
const folder = mkdtempSync(join(import.meta.dirname, "import-"));
try {
  for (const [name, text] of Object.entries({ ...PROGRAMS, keep: KEEP })) writeFileSync(file(name), text);
  ms("keep");
  const costs = measured(["import", "verdict", "bytes"]);
  console.log(JSON.stringify({ case: "import", engine: costs.import }));
  console.log(JSON.stringify({ case: "import and a first verdict", engine: costs.verdict, "its bytes alone": costs.bytes }));
} finally {
  rmSync(folder, { recursive: true });
}

function file(name) {
  return join(folder, `${name}.mjs`);
}

/** What each program takes beyond the empty one; which of them goes first changes from turn to turn. */
function measured(names) {
  const more = Object.fromEntries(names.map((name) => [name, []]));
  // The first turn only fills the caches.
  for (let turn = 0; turn <= TURNS; turn++) {
    const order = turn % 2 === 0 ? ["nothing", ...names] : [...names, "nothing"];
    const times = Object.fromEntries(order.map((name) => [name, ms(name)]));
    for (const name of turn === 0 ? [] : names) more[name].push(times[name] - times.nothing);
  }
  return Object.fromEntries(names.map((name) => [name, median(more[name]) * 1e6]));
}

function ms(name) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [file(name)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - begun;
}
