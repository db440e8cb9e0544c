/**
 * Runs all vectors of `tests/vectors` with the installed package.
 *
 * The results are written to `target/vectors/javascript.json`, and `cargo xtask parity` compares them with the other languages'.
 */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { resolve } from "./values.mjs";
import { run } from "./kinds.mjs";

// The tests run in the folder in which the package is installed, but the vectors are in the repository.
const ROOT = process.env.SMITHY_WAITERS_PROJECT ?? fileURLToPath(new URL("../..", import.meta.url));

/** The minimum number of vectors, which detects missing ones. */
const LEAST = 1_200;

/** Kinds of vectors without a runner, which `cargo xtask parity` counts. */
const PENDING = JSON.parse(readFileSync(join(ROOT, "tests", "pending.json"), "utf8")).javascript;

const results = {};
let vectors = 0;

for (const [vector, file] of all()) {
  vectors += 1;
  test(vector.id, async () => {
    const result = await run(vector, file);
    results[vector.id] = result;
    assert.deepStrictEqual(result, resolve(vector.expected));
  });
}

test("all vectors are there", () => {
  assert.ok(vectors >= LEAST, `${vectors} vectors only`);
  assert.equal(Object.keys(results).length, vectors, "an id is there twice, or a vector gave nothing");
});

after(() => {
  const folder = join(ROOT, "target", "vectors");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "javascript.json"), JSON.stringify(results));
  console.log(`javascript: ${Object.keys(results).length} vectors`);
});

/** Yields each vector with its file, which contains the definitions that vectors refer to by name. */
function* all() {
  const folder = join(ROOT, "tests", "vectors");
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".json"));
  for (const name of files.sort()) {
    const file = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const vector of file.vectors) {
      if (!PENDING.includes(vector.kind)) yield [vector, file];
    }
  }
}
