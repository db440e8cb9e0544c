/** Compares the codes in the types with those in the vectors. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder } from "./installed.mjs";

const project = process.env.SMITHY_WAITERS_PROJECT;
const types = readFileSync(join(folder, "dist/index.d.ts"), "utf8");

/** Returns the codes of a type, including those of types that it refers to. */
function listed(name) {
  const [, union] = new RegExp(`type ${name} = ([^;]+);`).exec(types);
  const own = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code);
  return union.includes("ParseCode") ? [...own, ...listed("ParseCode")] : own;
}

const KINDS = ["DefinitionError", "ExpressionError", "OptionsError", "StateError"];
const codes = Object.fromEntries(KINDS.map((kind) => [kind, listed(`${kind}Code`)]));

function textsOf(place, ending) {
  const names = readdirSync(join(project, place), { recursive: true }).filter((name) => name.endsWith(ending));
  return names.map((name) => readFileSync(join(project, place, name), "utf8"));
}

/** Yields every error that a vector expects. */
function* errorsIn(value) {
  if (typeof value !== "object" || value === null) return;
  if (KINDS.includes(value.class) && "code" in value) yield [value.class, value.code];
  for (const member of Object.values(value)) yield* errorsIn(member);
}

test("every code that a vector expects is in the types", () => {
  let seen = 0;
  for (const text of textsOf("tests/vectors", ".json")) {
    for (const [kind, code] of errorsIn(JSON.parse(text))) {
      seen++;
      assert.ok(codes[kind].includes(code), `${kind}: ${code}`);
    }
  }
  assert.ok(seen > 100, `${seen} errors only`);
});

test("every code of the types is one that the engine or the package gives", () => {
  const sources = [...textsOf("core/src", ".rs"), ...textsOf("npm/src", ".ts").filter((text) => !text.includes("ParseCode"))];
  for (const code of Object.values(codes).flat()) {
    assert.ok(sources.some((source) => source.includes(`"${code}"`)), code);
  }
});
