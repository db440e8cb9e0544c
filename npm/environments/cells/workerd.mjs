/** The cell for Cloudflare's workerd. The bundle is built as by Wrangler, with the wasm as a separate module. */

import { join } from "node:path";
import { build } from "esbuild";
import { alone, checkPrinted, esm, findProgram, project, run, write } from "./project.mjs";

export async function workerd(cell) {
  const [arm, x64] = ["arm64", "64"].map((kind) => `@cloudflare/workerd-linux-${kind}/bin/workerd`);
  const program = await findProgram(arm, x64);
  const place = project(cell, worker);
  await build({
    absWorkingDir: place,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    // Wrangler uses this loader for wasm modules.
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
    outdir: "dist",
    logLevel: "silent",
  });
  const elsewhere = `${place}-alone`;
  const weight = alone(join(place, "dist"), elsewhere);
  write(elsewhere, "workerd.capnp", SETTINGS);
  checkPrinted(await run(program, ["test", "workerd.capnp"], elsewhere));
  return weight;
}

/** Returns a main module with a test handler, which runs without an open socket. */
function worker() {
  return esm('export default { async test() { console.log("smithy-waiters: " + (await program(api, testing))); } };\n');
}

const SETTINGS = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "main.js", esModule = embed "main.js"),
    (name = "engine.wasm", wasm = embed "engine.wasm"),
  ],
);
`;
