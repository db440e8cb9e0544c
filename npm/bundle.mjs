/**
 * Bundles the output of `tsc` and of the engine's build into the modules of the package: `node bundle.mjs FOLDER`.
 *
 * - All code that the entries share becomes one module, because each imported file costs almost a millisecond.
 * - The names of functions and classes are preserved for stack traces and inspectors. Source maps would be larger than the code.
 * - Lines are short, because Node prints the line that an error was thrown from.
 * - Comments are removed, except the annotations by which bundlers remove unused code.
 * - Non-ASCII characters are escaped. With one such character, V8 stores the whole file as UTF-16, in twice the memory.
 */

import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { minify } from "terser";

const { exports, peerDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
const pathNames = (pattern) => [...JSON.stringify(exports).matchAll(pattern)].map(([, name]) => name);
/** The modules that the package exports, and the module for the tests. */
const ENTRIES = [...new Set(pathNames(/\.\/dist\/([\w-]+)\.js/g)), "inner"];
/** The modules that are not part of the shared module. Only the index uses the text of the wasm. */
const UNSHARED = [...ENTRIES, "engine/text", "durable/fingerprint", "durable/kind", "durable/stored", "durable/stored-end", "durable/stored-fleet"];
/** The modules whose types are in files of their own. They import all other types from the index. */
const APART = [
  ...["aws-lambda", "dbos", "durable", "errors", "temporal", "temporal-workflow"],
  ...["durable/kind", "durable/stored", "durable/stored-end", "durable/stored-fleet"],
];
/** The modules that `require` loads instead of the module with the same name. */
const REQUIRED = { index: "node" };

const [folder] = process.argv.slice(2);
await bundle();
await bundleTypes();
removeFolders();
addCommonJs();

async function bundle() {
  const modules = await rollup({
    input: ENTRIES.map((name) => join(folder, `${name}.js`)),
    external: (id) => id.endsWith(".wasm") || id.startsWith("node:") || id in peerDependencies,
    plugins: [{ name: "smaller", renderChunk: (code, { name }) => minify(code, settings(name)) }],
    onwarn(warning) {
      throw new Error(warning.message);
    },
  });
  const output = join(folder, "bundle");
  await modules.write({ dir: output, chunkFileNames: "[name].js", manualChunks: shared, minifyInternalExports: false });
  for (const name of modulesIn(folder)) rmSync(join(folder, name));
  for (const name of modulesIn(output)) renameSync(join(output, name), join(folder, name));
  rmSync(output, { recursive: true });
}

function settings(chunk) {
  const names = { keep_classnames: true, keep_fnames: true };
  // The index is one long string, which cannot be split into lines.
  const format = { ascii_only: true, max_line_len: chunk === "index" ? false : 400, preserve_annotations: true };
  return { module: true, ecma: 2022, compress: { ...names, passes: 3 }, mangle: names, format };
}

/** Returns the name of the module for a source; `undefined` if the source belongs to an entry. */
function shared(id) {
  return UNSHARED.some((name) => id === join(folder, `${name}.js`)) ? undefined : "core";
}

function modulesIn(folder) {
  return readdirSync(folder).filter((name) => name.endsWith(".js"));
}

/** Bundles the declarations into one file for each export, which contains only the declarations that users can refer to. */
async function bundleTypes() {
  const output = join(folder, "bundle");
  const isApart = (name) => APART.includes(name);
  const plugins = [dts(), { name: "smaller", renderChunk: smaller }];
  const groups = [typeNames().filter((name) => !isApart(name)), ...typeNames().filter(isApart).map((name) => [name])];
  for (const names of groups) {
    const input = Object.fromEntries(names.map((name) => [name, join(folder, `${name}.d.ts`)]));
    const own = names.some(isApart) ? [{ name: "index", resolveId: typesOfIndex }] : [];
    const types = await rollup({ input, plugins: [...own, ...plugins] });
    await types.write({ dir: output, entryFileNames: "[name].d.ts", banner: '/// <reference lib="esnext.disposable" />' });
  }
  for (const name of readdirSync(folder)) if (name.endsWith(".d.ts")) rmSync(join(folder, name));
  for (const name of readdirSync(output)) renameSync(join(output, name), join(folder, name));
  rmSync(output, { recursive: true });
}

function typesOfIndex(source, importer) {
  if (importer === undefined || !source.startsWith(".")) return null;
  const path = resolve(dirname(importer), source);
  return APART.some((name) => path === join(folder, `${name}.js`)) ? null : { id: "./index.js", external: true };
}

/** Indents with tabs, and removes the comments of the modules that were merged. */
function smaller(code) {
  const types = code.replace(/^\/\*\*\n(?: \*.*\n)*? \* @module\n \*\/\n/gm, "");
  return types.replace(/^(?: {4})+/gm, (blank) => "\t".repeat(blank.length / 4));
}

function typeNames() {
  return [...new Set(pathNames(/\.\/dist\/([\w-]+)\.d\.ts/g))];
}

/** Removes the output of the source folders, which the bundles contain. */
function removeFolders() {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) rmSync(join(folder, entry.name), { recursive: true });
}

/** Adds the modules for `require`, which load the ES modules, and their declarations. */
function addCommonJs() {
  for (const name of new Set(pathNames(/\.\/dist\/([\w-]+)\.cjs/g))) {
    writeFileSync(join(folder, `${name}.cjs`), `"use strict";\nmodule.exports = require("./${REQUIRED[name] ?? name}.js");\n`);
    copyFileSync(join(import.meta.dirname, `src/${name}.d.cts`), join(folder, `${name}.d.cts`));
  }
}
