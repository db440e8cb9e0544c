/**
 * Runs all cases of the official JMESPath compliance suite with `search` on native values.
 *
 * `cargo xtask test` passes the path of the suite. Benchmarks run, but do not count as cases.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { ExpressionError, search } from "smithy-waiters";

const { SMITHY_WAITERS_PROJECT: project, JMESPATH_COMPLIANCE: folder, JMESPATH_COMPLIANCE_NAME: suite } = process.env;
const { cannotHold } = read(join(project, "tests", "compliance.json"));

/** The minimum number of cases, which detects an incomplete suite. */
const LEAST = 800;

const tally = { cases: 0, held: 0, excused: [] };

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json")).sort()) {
  test(file, () => {
    const differences = read(join(folder, file)).flatMap(({ given, cases }) => cases.map((one) => checked(file, one, given)));
    assert.deepEqual(differences.filter(Boolean), []);
  });
}

test("the suite is whole", () => assert.ok(tally.cases >= LEAST, `${tally.cases} cases only`));

after(() => {
  console.log(`jmespath compliance: ${tally.held} of ${tally.cases} (${suite})`);
  for (const line of tally.excused) console.log(`  cannot hold: ${line}`);
});

/** Describes a wrong result, or returns undefined. */
function checked(file, { expression, bench, ...expected }, given) {
  const difference = differenceOf(expression, expected, given);
  if (bench === undefined) {
    tally.cases += 1;
    tally.held += difference === undefined ? 1 : 0;
  }
  const excuse = cannotHold.find((one) => one.file === file && one.expression === expression);
  if (excuse === undefined) return difference && `${expression}: ${difference}`;
  if (difference === undefined) return `${expression}: holds after all`;
  tally.excused.push(`${file}: \`${expression}\`: ${excuse.reason}`);
}

function differenceOf(expression, expected, given) {
  let found;
  try {
    found = search(expression, given);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return expected.error === undefined ? `fails: ${error.message}` : undefined;
  }
  if (expected.error !== undefined) return `gives ${JSON.stringify(found)}, not an error`;
  // A benchmark does not have an expected result.
  if (!("result" in expected) || isDeepStrictEqual(found, expected.result)) return undefined;
  return `gives ${JSON.stringify(found)}, not ${JSON.stringify(expected.result)}`;
}

function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
