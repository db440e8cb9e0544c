/** Empty projects with the package in them, and the programs that run there. */

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const TOOLS = join(import.meta.dirname, "../node_modules");

/** What the program prints; with the part on the fake clock as soon as the package has one. */
let expected;
const inNoTime = (has) => (has ? ", 5 attempts in no time" : "");

/** A project with the installed package and the program, and its main module. */
export function project({ place, installed }, main = esm) {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  cpSync(installed, join(place, "node_modules"), { recursive: true });
  const { type, file, text } = main();
  const has = existsSync(join(installed, "smithy-waiters/dist/testing.js"));
  expected = `ACTIVE after 3 attempts, failure_state, cancelled, search 1,3${inNoTime(has)}, 1 engine`;
  write(place, "package.json", JSON.stringify({ name: basename(place), private: true, type }));
  cpSync(join(import.meta.dirname, "../program.js"), join(place, "program.js"));
  write(place, file, has ? text : text.replace(/^.*[/"]smithy-waiters\/(dist\/)?testing(\.js)?".*$/m, "const testing = undefined;"));
  return place;
}

export function write(place, file, text) {
  mkdirSync(dirname(join(place, file)), { recursive: true });
  writeFileSync(join(place, file), text);
}

const PRINT = 'console.log("smithy-waiters: " + (await program(api, testing)));\n';

/** The main module, with what does the printing. */
export function esm(print = PRINT) {
  const imports = `import * as api from "smithy-waiters";
import * as testing from "smithy-waiters/testing";
import { program } from "./program.js";
`;
  return { type: "module", file: "main.js", text: imports + print };
}

/** Runs a program in a folder; gives its output, or throws with it. */
export function run(command, given, cwd, seconds = 120) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(`${basename(command)} ${given.join(" ")} ended with ${code}\n${output}`));
    });
  });
}

/** Checks the lines that programs have printed, of which there are so many. */
export function checkPrinted(output, count = 1) {
  const lines = output.split(/\r?\n/).filter((line) => line.includes("smithy-waiters: "));
  const said = lines.map((line) => line.slice(line.indexOf("smithy-waiters: ") + "smithy-waiters: ".length).trim());
  if (said.length !== count || said.some((line) => line !== expected)) {
    throw new Error(`it has to print ${count} × \`${expected}\`, and printed\n${output}`);
  }
}

/** Moves a bundle's files to a folder with nothing else in it, and says what they weigh; the wasm is in them once. */
export function alone(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)));
  const copies = texts.map((bytes) => bytes.toString("latin1").match(WASM)?.length ?? 0).reduce((sum, one) => sum + one, 0);
  if (copies !== 1) throw new Error(`the wasm is ${copies} times in ${files.map(({ name }) => name)}`);
  return kilobytes(Buffer.concat(texts));
}

/** How every wasm begins, and a text in base64 that is as long as ours. */
const WASM = /\0asm\x01\0\0\0|[\w+/]{90000,}/g;

function kilobytes(bytes) {
  const kb = (length) => Math.round(length / 1000);
  return `${kb(bytes.length)} kB, ${kb(gzipSync(bytes, { level: 9 }).length)} gzip`;
}

/** An error that says that an environment is not there. */
export class NotAvailable extends Error {}

/**
 * The first of these programs that starts. They come in packages for one kind of machine each, which npm leaves out on
 * others.
 */
export async function started(...paths) {
  for (const path of paths) {
    const program = join(TOOLS, path);
    const starts = existsSync(program) && (await run(program, ["--version"], TOOLS).then(() => true, () => false));
    if (starts) return program;
  }
  throw new NotAvailable(`npm has no ${paths.join(" or ")} that starts here`);
}
