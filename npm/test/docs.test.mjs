// Every public item of the package has a documentation comment.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import test from "node:test";

const types = join(dirname(createRequire(import.meta.url).resolve("smithy-waiters/package.json")), "dist");

const ITEM = /^(?:export |declare )*(?:abstract )?(?:class|interface|type|function|const) (\w+)/;
const METHOD = /^\t(?!private )(?:static |get )*(\w+)(?:<[^(]*>)?\(/;

/** Returns the exported items and their methods without a comment. Overloads and merged declarations share one. */
function undocumented(text) {
  const lists = [...text.matchAll(/\bexport (?:type )?\{([^}]*)\}/g)].map(([, names]) => names.match(/\w+/g));
  const exported = new Set(lists.flat());
  const lines = text.split("\n");
  const documented = new Map();
  let item;
  for (const [index, line] of lines.entries()) {
    const declared = ITEM.exec(line)?.[1];
    item = declared ?? item;
    const name = declared ?? METHOD.exec(line)?.[1];
    if (name === undefined || !exported.has(item)) continue;
    const path = declared ?? `${item}.${name}`;
    documented.set(path, documented.get(path) || lines[index - 1].trim().endsWith("*/"));
  }
  return [...documented].filter(([, has]) => !has).map(([path]) => path);
}

for (const file of ["index.d.ts", "testing.d.ts"]) {
  test(`every public item of ${file} has a comment`, () => {
    const text = readFileSync(join(types, file), "utf8");
    assert.ok(text.includes("/**"));
    assert.deepEqual(undocumented(text), []);
  });
}

test("a missing comment is found", () => {
  assert.deepEqual(undocumented("/** One. */\ndeclare class One {\n\ttwo(): void;\n}\nexport { One };"), ["One.two"]);
});
