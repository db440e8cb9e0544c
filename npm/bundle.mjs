/**
 * Makes the package's modules of what `tsc` and the engine's build left in a folder: `node bundle.mjs FOLDER`.
 *
 * Each file costs an import most of a millisecond, so all that the entries share is one module. Names and lines stay as
 * they were written, for stack traces (source maps would weigh more than the code); comments go, and what is not ASCII is
 * escaped: one other character, and V8 holds the whole file in twice the memory.
 */

import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
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

async function bundle() {
  const modules = await rollup({
    input: ENTRIES.map((name) => join(folder, `${name}.js`)),
    external: (id) => id.endsWith(".wasm"),
    plugins: [{ name: "as written, less the comments", renderChunk: (code) => transform(code, { target: "es2022" }) }],
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
