/**
 * Compares the installed package with the oracle of `tests/oracle` on random cases.
 *
 * `SMITHY_WAITERS_CASES` is the folder with the cases. `cargo xtask test` writes it, and `cargo xtask deep` writes one with more of them.
 */

import assert from "node:assert/strict";
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { run } from "./kinds.mjs";

const FOLDER = process.env.SMITHY_WAITERS_CASES;

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"))) {
  test(`${file}: the results are those of the oracle`, async () => {
    let count = 0;
    for await (const line of createInterface({ input: createReadStream(join(FOLDER, file)) })) {
      const vector = JSON.parse(line);
      const result = await run(vector, { definitions: {}, models: {} });
      const given = JSON.parse(JSON.stringify(result));
      const isRight = contains(given, vector.expected) && (!("result" in vector.expected) || contains(vector.expected, given));
      if (!isRight) assert.fail(JSON.stringify({ vector, given }));
      count += 1;
    }
    assert.ok(count > 0);
    console.log(`javascript: ${count} ${file.replace(".jsonl", "")} as in the oracle`);
  });
}

/** Whether the result has everything that the oracle decides. */
function contains(given, expected) {
  if (Array.isArray(expected)) {
    return Array.isArray(given) && given.length === expected.length && expected.every((item, index) => contains(given[index], item));
  }
  if (typeof expected === "object" && expected !== null) {
    return Object.entries(expected).every(([name, value]) => contains(given?.[name], value));
  }
  return given === expected;
}
