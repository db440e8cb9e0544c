/**
 * What an import costs: fresh processes that run a module that imports the package beside fresh processes that run an
 * empty one, in turns; the median of the differences in a turn, so that what else the machine does concerns both alike.
 * One JSON object a line; times are milliseconds.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TURNS = 20;
const PROGRAMS = {
  nothing: "",
  import: 'import "smithy-waiters";',
  "import and a first verdict": `import { Waiter } from "smithy-waiters";
    new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] }).evaluate({ response: 1 });`,
};

// Where Node finds the package as it does for this file.
const folder = mkdtempSync(join(import.meta.dirname, "import-"));
try {
  const [nothing, ...cases] = Object.entries(PROGRAMS).map(([name, text]) => ({ name, file: written(name, text) }));
  for (const { name, file } of cases) console.log(JSON.stringify({ case: name, ms: Math.round(cost(file, nothing.file) * 100) / 100 }));
} finally {
  rmSync(folder, { recursive: true });
}

function written(name, text) {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, text);
  return file;
}

function cost(file, nothing) {
  // The first turn only fills the caches.
  const turns = Array.from({ length: TURNS + 1 }, (_, turn) => more(file, nothing, turn)).slice(1);
  return median(turns);
}

/** What a module takes beyond the empty one; which of the two goes first changes from turn to turn. */
function more(file, nothing, turn) {
  if (turn % 2 === 0) return -ms(nothing) + ms(file);
  return ms(file) - ms(nothing);
}

function ms(file) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - begun;
}

function median(times) {
  const [low, high] = [(times.length - 1) >> 1, times.length >> 1];
  const sorted = times.toSorted((one, other) => one - other);
  return (sorted[low] + sorted[high]) / 2;
}
