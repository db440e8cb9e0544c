/**
 * Makes the package's modules of what `tsc` and the engine's build left in a folder: `node bundle.mjs FOLDER`.
 *
 * Each file costs an import most of a millisecond, so all that the entries share is one module. Names stay as they were
 * written where a stack trace or an inspector shows them, those of functions and classes (source maps would weigh more than
 * the code), and lines are short: Node prints the one that an error comes from. Comments go, and what is not ASCII is escaped:
 * one other character, and V8 holds the whole file in twice the memory.
 */

import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { minify } from "terser";

const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
const pathNames = (pattern) => [...JSON.stringify(exports).matchAll(pattern)].map(([, name]) => name);
/** The modules that the package exports, and the one for its tests. */
const ENTRIES = [...new Set(pathNames(/\.\/dist\/([\w-]+)\.js/g)), "inner"];
/** Only the index needs the wasm's text, so it is not in the shared module. */
const OWN = [...ENTRIES, "engine/text"];
/** The modules that `require` loads, if it is not the one of the same name. */
const REQUIRED = { index: "node" };

const [folder] = process.argv.slice(2);
await bundle();
await bundleTypes();
removeFolders();
addCommonJs();

async function bundle() {
  const modules = await rollup({
    input: ENTRIES.map((name) => join(folder, `${name}.js`)),
    external: (id) => id.endsWith(".wasm") || id.startsWith("node:"),
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

/** The index is one long text, which must stay in one piece. */
function settings(chunk) {
  const names = { keep_classnames: true, keep_fnames: true };
  const format = { ascii_only: true, max_line_len: chunk === "index" ? false : 400 };
  return { module: true, ecma: 2022, compress: { ...names, passes: 3 }, mangle: names, format };
}

/** The module that a source goes into, where that is not the entry's own. */
function shared(id) {
  return OWN.some((name) => id === join(folder, `${name}.js`)) ? undefined : "core";
}

function modulesIn(folder) {
  return readdirSync(folder).filter((name) => name.endsWith(".js"));
}

/** One file of declarations for each that the package exports: what these do not name, nobody sees. */
async function bundleTypes() {
  const input = Object.fromEntries(typeNames().map((name) => [name, join(folder, `${name}.d.ts`)]));
  const types = await rollup({ input, plugins: [dts(), { name: "smaller", renderChunk: smaller }] });
  const output = join(folder, "bundle");
  await types.write({ dir: output, entryFileNames: "[name].d.ts", banner: '/// <reference lib="esnext.disposable" />' });
  for (const name of readdirSync(folder)) if (name.endsWith(".d.ts")) rmSync(join(folder, name));
  for (const name of readdirSync(output)) renameSync(join(output, name), join(folder, name));
  rmSync(output, { recursive: true });
}

/** One byte for each level, and nothing said of modules that are one now. */
function smaller(code) {
  const types = code.replace(/^\/\*\*\n(?: \*.*\n)*? \* @module\n \*\/\n/gm, "");
  return types.replace(/^(?: {4})+/gm, (blank) => "\t".repeat(blank.length / 4));
}

function typeNames() {
  return [...new Set(pathNames(/\.\/dist\/([\w-]+)\.d\.ts/g))];
}

/** What came of the sources' own folders is in the bundles. */
function removeFolders() {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) rmSync(join(folder, entry.name), { recursive: true });
}

/** For `require`: the module itself, and the types that say so. */
function addCommonJs() {
  for (const name of new Set(pathNames(/\.\/dist\/([\w-]+)\.cjs/g))) {
    writeFileSync(join(folder, `${name}.cjs`), `"use strict";\nmodule.exports = require("./${REQUIRED[name] ?? name}.js");\n`);
    copyFileSync(join(import.meta.dirname, `src/${name}.d.cts`), join(folder, `${name}.d.cts`));
  }
}
