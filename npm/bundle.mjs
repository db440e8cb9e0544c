/**
 * Makes the package's modules of what `tsc` and the engine's build left in a folder: `node bundle.mjs FOLDER`.
 *
 * Each file costs an import most of a millisecond, so all that the entries share is one module. Names stay as they were
 * written, for stack traces (source maps would weigh more than the code), and lines are short: Node prints the one that an
 * error comes from. Comments go, and what is not ASCII is escaped: one other character, and V8 holds the whole file in twice
 * the memory.
 */

import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rollup } from "@rollup/wasm-node";
import { transform } from "esbuild";

const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
const named = (pattern) => [...JSON.stringify(exports).matchAll(pattern)].map(([, name]) => name);
/** What the package exports, and what its tests look into. */
const ENTRIES = [...new Set(named(/\.\/dist\/([\w-]+)\.js/g)), "inner"];
/** The wasm's text is the index's alone: other entries have the wasm from elsewhere. */
const OWN = [...ENTRIES, "engine-bytes"];

const [folder] = process.argv.slice(2);
await bundle();
dropUnseenTypes();
addCommonJs();

async function bundle() {
  const modules = await rollup({
    input: ENTRIES.map((name) => join(folder, `${name}.js`)),
    external: (id) => id.endsWith(".wasm"),
    plugins: [{ name: "as written, less the space", renderChunk: (code, { name }) => transform(code, settings(name)) }],
    onwarn(warning) {
      throw new Error(warning.message);
    },
  });
  const made = join(folder, "bundle");
  await modules.write({ dir: made, chunkFileNames: "[name].js", manualChunks: shared, minifyInternalExports: false });
  for (const name of modulesIn(folder)) rmSync(join(folder, name));
  for (const name of modulesIn(made)) renameSync(join(made, name), join(folder, name));
  rmSync(made, { recursive: true });
}

/** Only `core` is worth it; the index is one long text, which must stay in one piece. */
function settings(chunk) {
  const target = "es2022";
  return chunk === "core" ? { target, minifyWhitespace: true, lineLimit: 100 } : { target };
}

/** The module that a source goes into, where that is not the entry's own. */
function shared(id) {
  return OWN.some((name) => id === join(folder, `${name}.js`)) ? undefined : "core";
}

function modulesIn(folder) {
  return readdirSync(folder).filter((name) => name.endsWith(".js"));
}

/** Keeps the declarations that the package exports, and those that these name. */
function dropUnseenTypes() {
  const seen = new Set(named(/\.\/dist\/([\w-]+\.d\.ts)/g));
  for (const name of seen) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, module] of text.matchAll(/(?:from |import\()"\.\/([^"]+)\.js"/g)) seen.add(`${module}.d.ts`);
  }
  for (const name of readdirSync(folder)) if (name.endsWith(".d.ts") && !seen.has(name)) rmSync(join(folder, name));
}

/** For `require`: the module itself, and the types that say so. */
function addCommonJs() {
  for (const name of new Set(named(/\.\/dist\/([\w-]+)\.cjs/g))) {
    writeFileSync(join(folder, `${name}.cjs`), `"use strict";\nmodule.exports = require("./${name}.js");\n`);
    copyFileSync(join(import.meta.dirname, `src/${name}.d.cts`), join(folder, `${name}.d.cts`));
  }
}
