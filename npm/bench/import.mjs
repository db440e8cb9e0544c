/**
 * Benchmarks of the import of the package. Each turn runs one process with an empty module and one process with each measured
 * module, so that other load on the machine affects both; the result is the median of the differences. One of the modules only
 * compiles and instantiates the engine, which is the minimum cost. Prints one JSON object per line; times are in nanoseconds.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "./timing.mjs";

const TURNS = 20;

/** A program that runs `verdict`, and writes the bytes that are compiled for it to a file. */
const SAVE_ENGINE = `import { writeFileSync } from "node:fs";
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

// The folder is next to this file, so that Node resolves the package from it.
const folder = mkdtempSync(join(import.meta.dirname, "import-"));
try {
  for (const [name, text] of Object.entries({ ...PROGRAMS, save: SAVE_ENGINE })) writeFileSync(file(name), text);
  ms("save");
  const costs = measure(["import", "verdict", "bytes"]);
  console.log(JSON.stringify({ case: "import", engine: costs.import }));
  console.log(JSON.stringify({ case: "import and a first verdict", engine: costs.verdict, "its bytes alone": costs.bytes }));
} finally {
  rmSync(folder, { recursive: true });
}

function file(name) {
  return join(folder, `${name}.mjs`);
}

/** Returns the median time of each program beyond that of the empty one, in nanoseconds. The order alternates between turns. */
function measure(names) {
  const differences = Object.fromEntries(names.map((name) => [name, []]));
  // The first turn fills the caches and does not count.
  for (let turn = 0; turn <= TURNS; turn++) {
    const order = turn % 2 === 0 ? ["nothing", ...names] : [...names, "nothing"];
    const times = Object.fromEntries(order.map((name) => [name, ms(name)]));
    for (const name of turn === 0 ? [] : names) differences[name].push(times[name] - times.nothing);
  }
  return Object.fromEntries(names.map((name) => [name, median(differences[name]) * 1e6]));
}

function ms(name) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [file(name)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}
