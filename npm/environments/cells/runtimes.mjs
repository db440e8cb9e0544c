/** Cells for other runtimes, without a bundler. */

import { checkPrinted, findProgram, project, run } from "./project.mjs";

export async function deno(cell) {
  const program = await findProgram("@deno/linux-x64-glibc/deno");
  // Without permissions, the program can read only modules.
  checkPrinted(await run(program, ["run", "--node-modules-dir=manual", "--no-lock", "--no-prompt", "main.js"], project(cell)));
}

export async function bun(cell) {
  checkPrinted(await run(await findProgram("bun/bin/bun.exe", "@oven/bun-linux-x64/bin/bun"), ["main.js"], project(cell)));
}
