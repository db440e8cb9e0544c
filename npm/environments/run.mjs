/**
 * The packed package in each environment that it promises to work in: `node run.mjs TARBALL FOLDER [CELL…]`.
 *
 * Each cell is a project of its own with nothing but the package in it, and runs the same program (`program.js`), whose
 * closing line is checked. One line for each cell, and one for all of them; ends with status 1 when one failed.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  chromiumModule,
  chromiumRefusal,
  chromiumServiceWorker,
  chromiumVite,
  chromiumWebpack,
  firefoxModule,
  firefoxRefusal,
} from "./cells/browsers.mjs";
import { esbuild, rollup, vite, webpack } from "./cells/bundlers.mjs";
import { nodeCjs, nodeEsm, workerThreads } from "./cells/node.mjs";
import { NotAvailable, run } from "./cells/project.mjs";
import { bun, deno } from "./cells/runtimes.mjs";
import { workerd } from "./cells/workerd.mjs";

const CELLS = {
  "node-esm": nodeEsm,
  "node-cjs": nodeCjs,
  "worker-threads": workerThreads,
  esbuild,
  rollup,
  webpack,
  vite,
  workerd,
  "chromium-module": chromiumModule,
  "chromium-vite": chromiumVite,
  "chromium-webpack": chromiumWebpack,
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
const ends = [];
for (const name of names.length > 0 ? names : Object.keys(CELLS)) ends.push(await runCell(name));
const of = (kind) => ends.filter((end) => end.kind === kind).map(({ name }) => name);
const [passed, missing, failed] = ["passed", "not available", "failed"].map(of);
const parts = [`${passed.length} passed: ${passed.join(", ")}`];
if (missing.length > 0) parts.push(`not available: ${missing.join(", ")}`);
if (failed.length > 0) parts.push(`FAILED: ${failed.join(", ")}`);
console.log(`environments: ${parts.join("; ")}`);
process.exit(failed.length > 0 ? 1 : 0);

/** The package in the `node_modules` of an empty project. */
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
  const begun = performance.now();
  const { CHROMIUM: chromium, FIREFOX: firefox } = process.env;
  const cell = { place: join(folder, name), installed, chromium, firefox };
  const end = await ended(CELLS[name], cell);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${name}: ${end.kind} in ${seconds} s${end.what === undefined ? "" : `: ${end.what}`}`);
  return { name, ...end };
}

async function ended(run, cell) {
  try {
    return { kind: "passed", what: await run(cell) };
  } catch (error) {
    if (error instanceof NotAvailable) return { kind: "not available", what: error.message };
    return { kind: "failed", what: error.stack };
  }
}
