/**
 * What an import costs: fresh processes that import the package beside fresh processes that run an empty module, in turns;
 * the median of the differences in a turn, so that what else the machine does concerns both alike.
 * One JSON object a line; times are milliseconds.
 */

import { spawnSync } from "node:child_process";

const TURNS = 20;
const EMPTY = "export {}";
const CASES = {
  import: 'import "smithy-waiters"',
  "import and a first verdict":
    'import { Waiter } from "smithy-waiters"; new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] }).evaluate({ response: 1 })',
};

function ms(program) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - begun;
}

/** What a program takes beyond the empty one; which of the two goes first changes from turn to turn. */
function more(program, turn) {
  if (turn % 2 === 0) return -ms(EMPTY) + ms(program);
  return ms(program) - ms(EMPTY);
}

function median(times) {
  const [low, high] = [(times.length - 1) >> 1, times.length >> 1];
  const sorted = times.toSorted((one, other) => one - other);
  return (sorted[low] + sorted[high]) / 2;
}

for (const [name, program] of Object.entries(CASES)) {
  // The first turn only fills the caches.
  const times = Array.from({ length: TURNS + 1 }, (_, turn) => more(program, turn)).slice(1);
  console.log(JSON.stringify({ case: name, ms: Math.round(median(times) * 100) / 100 }));
}
