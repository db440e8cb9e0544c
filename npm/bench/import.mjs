/**
 * What an import costs: the median of fresh processes that import the package, less that of processes that import nothing.
 * One JSON object a line; times are milliseconds.
 */

import { spawnSync } from "node:child_process";

const PROCESSES = 20;

function ms(program) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - begun;
}

const median = (times) => times.sort((one, other) => one - other)[times.length / 2];

const PROGRAMS = {
  nothing: "",
  package: 'import "smithy-waiters"',
  firstVerdict:
    'import { Waiter } from "smithy-waiters"; new Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] }).evaluate({ response: 1 })',
};

const times = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, []]));
for (let turn = 0; turn < PROCESSES; turn++) {
  // In turns, so that what else the machine does concerns all of them.
  for (const [name, program] of Object.entries(PROGRAMS)) times[name].push(ms(program));
}
const nothing = median(times.nothing);
const more = (name) => Math.round((median(times[name]) - nothing) * 100) / 100;
console.log(JSON.stringify({ case: "import", ms: more("package") }));
console.log(JSON.stringify({ case: "import and a first verdict", ms: more("firstVerdict") }));
