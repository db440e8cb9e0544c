/** Other runtimes that run the package as it is. */

import { checkPrinted, project, run, started } from "./project.mjs";

export async function deno(cell) {
  const program = await started("@deno/linux-x64-glibc/deno");
  // It may read nothing but modules.
  checkPrinted(await run(program, ["run", "--node-modules-dir=manual", "--no-lock", "--no-prompt", "main.js"], project(cell)));
}

export async function bun(cell) {
  checkPrinted(await run(await started("bun/bin/bun.exe", "@oven/bun-linux-x64/bin/bun"), ["main.js"], project(cell)));
}
