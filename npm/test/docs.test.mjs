// The documentation comments of the package: every public item has one, and functions that can throw document their errors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { folder } from "./installed.mjs";

const types = join(folder, "dist");

const ITEM = /^(?:export |declare )*(?:abstract )?(class|interface|type|function|const) (\w+)/;
const METHOD = /^\t(?!private )(?:static )*(get )?(\w+)(?:<[^(]*>)?\(/;

/** The functions and methods that never throw for arguments of their types, and promises that never reject. */
const DO_NOT_THROW = new Set([
  "Attempts.return",
  "DefinitionError.constructor",
  "DefinitionError.toJSON",
  "DurableFleet.handle",
  "DurableWait.handle",
  "ExpressionError.constructor",
  "ExpressionError.toJSON",
  "WaitersFailed.constructor",
  "Operation.error",
  "Operation.isIdempotent",
  "OptionsError.constructor",
  "OptionsError.toJSON",
  "Pages.return",
  "PaginationError.constructor",
  "RetryError.constructor",
  "RetryRefusal.constructor",
  "StandardRetryStrategy.acquireInitialToken",
  "StateError.constructor",
  "StateError.toJSON",
  "SuccessStep.outcome",
  "TokenError.constructor",
  "WaiterError.explain",
  "WaiterError.toJSON",
  "every",
  "fleetFailure",
  "proportional",
  "waitFailure",
  "waiterError",
  "waitersFailed",
]);

/**
 * Returns the exported items and their methods, each with its comment and whether it is a function. Overloads and merged declarations
 * share the comments.
 */
function itemsOf(text) {
  const lists = [...text.matchAll(/\bexport (?:type )?\{([^}]*)\}/g)].map(([, names]) => names.match(/\w+/g));
  const exported = new Set(lists.flat());
  const lines = text.split("\n");
  const items = new Map();
  let kind, item;
  for (const [index, line] of lines.entries()) {
    const declaration = ITEM.exec(line);
    if (declaration) [, kind, item] = declaration;
    const [, getter, method] = declaration ? [] : (METHOD.exec(line) ?? []);
    if ((!declaration && method === undefined) || !exported.has(item)) continue;
    const path = declaration ? item : `${item}.${method}`;
    const isCallable = declaration ? kind === "function" : kind === "class" && getter === undefined;
    const comment = (items.get(path)?.comment ?? "") + commentBefore(lines, index);
    items.set(path, { comment, isCallable });
  }
  return items;
}

function commentBefore(lines, index) {
  if (!lines[index - 1]?.trim().endsWith("*/")) return "";
  const start = lines.findLastIndex((line, at) => at < index && line.trim().startsWith("/**"));
  return lines.slice(start, index).join("\n");
}

function undocumented(text) {
  return [...itemsOf(text)].filter(([, { comment }]) => comment === "").map(([path]) => path);
}

function withoutErrors(text) {
  const functions = [...itemsOf(text)].filter(([, { isCallable }]) => isCallable);
  return functions.filter(([, { comment }]) => !comment.includes("@throws")).map(([path]) => path);
}

const texts = new Map(["aws-lambda.d.ts", "dbos.d.ts", "index.d.ts", "temporal.d.ts", "temporal-workflow.d.ts", "testing.d.ts"].map((file) => [file, readFileSync(join(types, file), "utf8")]));

for (const [file, text] of texts) {
  test(`every public item of ${file} has a comment`, () => {
    assert.ok(text.includes("/**"));
    assert.deepEqual(undocumented(text), []);
  });
}

test("every function and method that can throw has `@throws`", () => {
  assert.deepEqual([...texts.values()].flatMap(withoutErrors).toSorted(), [...DO_NOT_THROW].toSorted());
});

test("a missing comment and a missing `@throws` are found", () => {
  const text = "/** One. */\ndeclare class One {\n\ttwo(): void;\n\t/** @throws Error */\n\tthree(): void;\n\t/** Four. */\n\tget four(): number;\n}\nexport { One };";
  assert.deepEqual(undocumented(text), ["One.two"]);
  assert.deepEqual(withoutErrors(text), ["One.two"]);
});
