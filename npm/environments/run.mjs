/**
 * Tests the packed package in each supported environment: `node run.mjs TARBALL FOLDER [CELL…]`.
 *
 * Each cell is a separate project that depends only on the package. It runs `program.js`, and the line that the program prints is
 * checked. Prints one line for each cell and one summary. Ends with status 1 if a cell failed.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  chromiumAsset,
  chromiumModule,
  chromiumRefusal,
  chromiumServiceWorker,
  chromiumVite,
  chromiumViteAsset,
  chromiumWebpack,
  chromiumWebpackAsset,
  firefoxModule,
  firefoxRefusal,
} from "./cells/browsers.mjs";
import { esbuild, rollup, vite, webpack } from "./cells/bundlers.mjs";
import { nodeCjs, nodeEsm, workerThreads } from "./cells/node.mjs";
import { NotAvailable, run } from "./cells/project.mjs";
import { bun, deno } from "./cells/runtimes.mjs";
import { sizes } from "./cells/sizes.mjs";
import { workerd } from "./cells/workerd.mjs";

const CELLS = {
  "node-esm": nodeEsm,
  "node-cjs": nodeCjs,
  "worker-threads": workerThreads,
  sizes,
  esbuild,
  rollup,
  webpack,
  vite,
  workerd,
  "chromium-module": chromiumModule,
  "chromium-vite": chromiumVite,
  "chromium-webpack": chromiumWebpack,
  "chromium-asset": chromiumAsset,
  "chromium-vite-asset": chromiumViteAsset,
  "chromium-webpack-asset": chromiumWebpackAsset,
  "chromium-service-worker": chromiumServiceWorker,
  "chromium-refusal": chromiumRefusal,
  "firefox-module": firefoxModule,
  "firefox-refusal": firefoxRefusal,
  deno,
  bun,
};

const [tarball, place, ...names] = process.argv.slice(2);
const folder = resolve(place);
const installed = await install(resolve(tarball), folder);
const results = [];
for (const name of names.length > 0 ? names : Object.keys(CELLS)) results.push(await runCell(name));
const namesWith = (kind) => results.filter((result) => result.kind === kind).map(({ name }) => name);
const [passed, missing, failed] = ["passed", "not available", "failed"].map(namesWith);
const parts = [`${passed.length} passed: ${passed.join(", ")}`];
if (missing.length > 0) parts.push(`not available: ${missing.join(", ")}`);
if (failed.length > 0) parts.push(`FAILED: ${failed.join(", ")}`);
console.log(`environments: ${parts.join("; ")}`);
process.exit(failed.length > 0 ? 1 : 0);

/** Installs the package into an empty project, and returns the path of `node_modules`. */
async function install(tarball, folder) {
  const place = join(folder, "empty");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "empty", private: true }));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  await run(npm, ["install", "--no-audit", "--no-fund", tarball], place);
  return join(place, "node_modules");
}

async function runCell(name) {
  const start = performance.now();
  const { CHROMIUM: chromium, FIREFOX: firefox, REPRODUCIBLE: reproducible } = process.env;
  const cell = { place: join(folder, name), installed, chromium, firefox, reproducible };
  const result = await resultOf(CELLS[name], cell);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name}: ${result.kind} in ${seconds} s${result.detail === undefined ? "" : `: ${result.detail}`}`);
  return { name, ...result };
}

async function resultOf(run, cell) {
  try {
    return { kind: "passed", detail: await run(cell) };
  } catch (error) {
    if (error instanceof NotAvailable) return { kind: "not available", detail: error.message };
    return { kind: "failed", detail: error.stack };
  }
}
