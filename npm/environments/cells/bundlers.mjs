/** Cells for bundlers with their default settings. The bundle runs in Node, in a folder without the package. */

import { join } from "node:path";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { rollup as rollupBuild } from "@rollup/wasm-node";
import { build as esbuildBuild } from "esbuild";
import { build as viteBuild } from "vite";
import webpackBuild from "webpack";
import { alone, checkPrinted, esm, project, run, write } from "./project.mjs";

/** Bundles for a page, for a classic script, and for a CommonJS server. */
export async function esbuild(cell) {
  const place = project(cell, inFunction);
  const common = { absWorkingDir: place, entryPoints: ["main.js"], bundle: true, logLevel: "silent" };
  await esbuildBuild({ ...common, format: "esm", outfile: "esm/main.mjs" });
  await esbuildBuild({ ...common, format: "iife", outfile: "iife/main.js" });
  await esbuildBuild({ ...common, platform: "node", outfile: "cjs/main.cjs" });
  const weight = await runAlone(place, "esm", "main.mjs");
  await runAlone(place, "iife", "main.js");
  await runAlone(place, "cjs", "main.cjs");
  return weight;
}

export async function rollup(cell) {
  const place = project(cell);
  const fail = (warning) => {
    throw new Error(warning.message);
  };
  const bundle = await rollupBuild({ input: join(place, "main.js"), plugins: [nodeResolve()], onwarn: fail });
  await bundle.write({ file: join(place, "dist/main.mjs"), format: "es" });
  return runAlone(place, "dist", "main.mjs");
}

export async function webpack(cell) {
  const place = project(cell);
  await webpackTo(place, "dist");
  return runAlone(place, "dist", "main.js");
}

/** Bundles the main module of a project for a page. */
export function webpackTo(place, folder) {
  const settings = { context: place, entry: "./main.js", mode: "production", performance: false, output: { path: join(place, folder) } };
  return new Promise((resolve, reject) => {
    webpackBuild(settings, (error, stats) => {
      if (error ?? stats.hasErrors() ?? false) reject(error ?? new Error(stats.toString("errors-only")));
      else if (stats.hasWarnings()) reject(new Error(stats.toString("errors-warnings")));
      else resolve();
    });
  });
}

/** Bundles for a server. */
export async function vite(cell) {
  const place = project(cell);
  await viteBuild({ root: place, logLevel: "error", configFile: false, build: { ssr: "main.js", outDir: "dist" }, ssr: { noExternal: true } });
  return runAlone(place, "dist", "main.js");
}

/** Builds a project's page with Vite. */
export async function viteTo(place, folder) {
  write(place, "index.html", '<!doctype html><script type="module" src="/main.js"></script>\n');
  await viteBuild({ root: place, logLevel: "error", configFile: false, build: { outDir: folder } });
}

async function runAlone(place, folder, file) {
  const elsewhere = `${place}-${folder}-alone`;
  const weight = alone(join(place, folder), elsewhere);
  write(elsewhere, "package.json", JSON.stringify({ private: true, type: "module" }));
  checkPrinted(await run("node", [file], elsewhere));
  return weight;
}

/** Returns a main module without a top-level `await`, which CommonJS does not support. */
function inFunction() {
  return esm('program(api, testing).then((line) => console.log("smithy-waiters: " + line));\n');
}
