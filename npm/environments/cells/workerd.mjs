/** Cloudflare's workerd: bundled as Wrangler does it, with the wasm as a module beside the bundle. */

import { join } from "node:path";
import { build } from "esbuild";
import { alone, checkPrinted, esm, project, run, started, write } from "./project.mjs";

export async function workerd(cell) {
  const [arm, x64] = ["arm64", "64"].map((kind) => `@cloudflare/workerd-linux-${kind}/bin/workerd`);
  const program = await started(arm, x64);
  const place = project(cell, worker);
  await build({
    absWorkingDir: place,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    // Wrangler's rule for such modules.
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

/** Its test handler runs with no socket open. */
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
