/**
 * Compares verdicts on responses and errors of real models with those of the reference implementation of JMESPath.
 *
 * `cargo xtask test` passes their path.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { Waiter } from "smithy-waiters";

const folders = process.env.AWS_VERDICTS.split(delimiter);

/** The minimum number of cases, which detects missing data. */
const LEAST = 1_000;

let right = 0;
let cases = 0;

for (const folder of folders) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json")).sort()) {
    test(file, () => {
      const waiters = JSON.parse(readFileSync(join(folder, file), "utf8"));
      assert.deepEqual(waiters.flatMap(wrong), []);
    });
  }
}

test("all verdicts are there", () => assert.ok(cases > LEAST, `${cases} verdicts only`));

after(() => console.log(`aws verdicts: ${right} of ${cases} right`));

/** Returns the cases of a waiter with an unexpected verdict. */
function wrong({ waiter: name, definition, cases: given }) {
  const waiter = new Waiter(definition, { name });
  const differing = given.filter((one) => !isRight(waiter, one));
  cases += given.length;
  right += given.length - differing.length;
  return differing.map((one) => ({ name, ...one }));
}

function isRight(waiter, { input, output, error, expected }) {
  const seen = error === undefined ? { response: output } : { error };
  const { state, acceptor } = waiter.evaluate(seen, { input });
  return state === expected.state && (acceptor ?? null) === expected.acceptor;
}
