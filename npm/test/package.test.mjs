import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as imported from "smithy-waiters";
import * as testing from "smithy-waiters/testing";
import { ACTIVE, TABLE_EXISTS, tableExists } from "./definitions.mjs";
import { folder, inner } from "./installed.mjs";

const require = createRequire(import.meta.url);

test("require and import give the same classes", () => {
  assert.equal(require("smithy-waiters"), imported);
  assert.equal(require("smithy-waiters/testing"), testing);
});

test("the errors are those of the index, and the engine as a file is that of Node", async () => {
  const errors = Object.entries(await import("smithy-waiters/errors"));
  assert.deepEqual(errors.map(([name]) => name).toSorted(), Object.keys(imported).filter((name) => /^(Definition|Expression|Options|Pagination|Retry(?!Quota)|State|Token|Waiter.)/.test(name)).toSorted());
  for (const [name, value] of errors) assert.equal(value, imported[name], name);
  assert.equal(require("smithy-waiters/errors"), await import("smithy-waiters/errors"));
  assert.equal(await import("smithy-waiters/asset"), imported);
});

test("the package exports this and nothing else", () => {
  assert.deepEqual(Object.keys(imported).sort(), [
    "DefinitionError",
    "ExpressionError",
    "NoRetries",
    "Operation",
    "OptionsError",
    "PaginationError",
    "Paginator",
    "RateLimit",
    "RequestCompression",
    "RetryCancelled",
    "RetryError",
    "RetryQuota",
    "RetryRefusal",
    "RetryTimeout",
    "StandardRetryStrategy",
    "StateError",
    "TokenError",
    "Waiter",
    "WaiterAttemptsExceeded",
    "WaiterCancelled",
    "WaiterError",
    "WaiterFailed",
    "WaiterTimeout",
    "WaitersFailed",
    "classify",
    "delay",
    "every",
    "proportional",
    "retry",
    "search",
    "waitAll",
    "waitAny",
  ]);
});

test("bundlers and browsers have the engine without its file", async () => {
  const copy = mkdtempSync(join(tmpdir(), "smithy-waiters-"));
  try {
    cpSync(folder, copy, { recursive: true, dereference: true });
    rmSync(join(copy, "dist/engine.wasm"));
    const { Waiter } = await import(pathToFileURL(join(copy, "dist/index.js")).href);
    assert.equal(new Waiter(TABLE_EXISTS).evaluate({ response: ACTIVE }).state, "success");
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test("the package has these files, one of them a wasm, and no dependencies", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, path, name }) => join(parentPath ?? path, name).slice(folder.length + 1).replaceAll("\\", "/"));
  const pairs = ["aws-lambda", "dbos", "durable", "errors", "temporal", "temporal-workflow"].flatMap((name) => [`${name}.js`, `${name}.cjs`]);
  const modules = ["asset.js", "core.js", "index.js", "inner.js", "kind.js", "node.js", "stored.js", "testing.js", "workerd.js", ...pairs];
  assert.deepEqual(
    names.filter((name) => !/\.d\.c?ts$/.test(name)).sort(),
    ["LICENSE", "README.md", "THIRD-PARTY-LICENSES", "bin.cjs", ...[...modules, "index.cjs", "testing.cjs", "engine.wasm"].map((name) => `dist/${name}`), "package.json"].sort(),
  );
  // Types exist for each module that the package's types refer to.
  assert.ok(names.filter((name) => /\.d\.c?ts$/.test(name)).every((name) => name.startsWith("dist/")));
  const { dependencies, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  const exported = [...JSON.stringify(exports).matchAll(/"\.\/([^"]+\.[\w.]+)"/g)].map(([, path]) => path);
  assert.ok(exported.length > 9);
  for (const path of exported) assert.ok(names.includes(path), path);
});

test("the package has the fields that registries, editors and bundlers read", () => {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const members = ["author", "bugs", "description", "engines", "homepage", "keywords", "license", "repository", "types", "version"];
  for (const member of members) assert.ok(about[member], member);
  // These modules set the source of the engine, which is the only side effect of an import.
  assert.deepEqual(about.sideEffects, ["./dist/asset.js", "./dist/index.js", "./dist/node.js", "./dist/workerd.js"]);
  for (const path of [about.main, about.types, ...about.sideEffects]) assert.ok(existsSync(join(folder, path)), path);
});

test("the wasm imports the functions of `host-imports.ts`, and those by which its glue makes objects", () => {
  const module = new WebAssembly.Module(readFileSync(join(folder, "dist/engine.wasm")));
  const wanted = WebAssembly.Module.imports(module);
  // The glue adds text around the name of a function.
  const names = new Set(wanted.map(({ name }) => name.replace(/^__wbg_/, "").replace(/_[0-9a-f]{16}$/, "")));
  const hostImports = ["addName", "closeTable", "compareWithNames", "copyDescriptions", "describe", "entries", "hasStackSpace", "identity", "itemsAt", "length"];
  hostImports.push("memberAt", "memberNamed", "number", "openTable", "plainText", "text", "textLength", "valueAt", "warning");
  const glue = ["__wbindgen_generic", "__wbindgen_init_externref_table", "__wbindgen_string_get", "__wbindgen_throw", "Error"];
  glue.push("fromEntries", "getRandomValues", "new", "of", "push", "set");
  assert.deepEqual([...names].toSorted(), [...hostImports, ...glue].toSorted());
  assert.ok(wanted.every(({ module, kind }) => /^\.\/(engine_bg|host-imports)\.js$/.test(module) && kind === "function"));
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** Collects garbage until a condition is true. */
async function collected(holds) {
  for (let turn = 0; turn < 500 && !holds(); turn++) {
    // Objects that are read in a turn are not collected before its end.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();
  }
  return holds();
}

test("the names of waiters that are gone are given back", async () => {
  const { openTables } = await inner();
  assert.ok(await collected(() => openTables() === 0));
  (() => {
    for (const waiter of Array.from({ length: 100 }, tableExists)) {
      const wait = waiter.start({ maxWaitTime: 5 });
      wait.poll(0);
      wait.free();
    }
    assert.equal(openTables(), 100);
    imported.search("a[].b", { a: [{ b: 1 }] });
    imported.delay({ attempt: 1, remaining: 5, minDelay: 1, maxDelay: 2, random: 0 });
    assert.equal(openTables(), 100);
  })();
  assert.ok(await collected(() => openTables() === 0));
});

test("no value is held once the verdict is there", async () => {
  const { slotCount } = await inner();
  const waiter = tableExists();
  const response = (() => {
    const value = { Table: { TableStatus: "ACTIVE" } };
    waiter.evaluate({ response: value }, { input: value }).reasons;
    imported.search("Table", value);
    const wait = waiter.start({ maxWaitTime: 5 });
    wait.poll(0);
    wait.handle({ type: "response", response: value }, 0);
    assert.equal(slotCount(), 0);
    return new WeakRef(value);
  })();
  assert.ok(await collected(() => response.deref() === undefined));
});

test("a wait gives its memory back when it ends", async () => {
  const { EngineWait } = await inner();
  const { free } = EngineWait.prototype;
  let freed = 0;
  EngineWait.prototype.free = function () {
    freed++;
    return free.call(this);
  };
  try {
    await tableExists().wait(() => ACTIVE, { maxWaitTime: 5 });
    await assert.rejects(tableExists().wait(() => Promise.reject(1), { maxWaitTime: 5 }));
  } finally {
    EngineWait.prototype.free = free;
  }
  assert.equal(freed, 2);
});
