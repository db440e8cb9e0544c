/** Projects that depend only on the package, and the programs that run in them. */

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const TOOLS = join(import.meta.dirname, "../node_modules");

/** The line that the program must print. It contains the part on the fake clock only if the package has one. */
let expected;
const inNoTime = (has) => (has ? ", 5 attempts in no time" : "");

/** Creates a project with the installed package, the program and a main module, and returns its path. */
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

/** Returns a main module; `print` is its code after the imports, of which `entry` is the one with the engine. */
export function esm(print = PRINT, entry = "smithy-waiters") {
  const imports = `import * as api from "${entry}";
import * as testing from "smithy-waiters/testing";
import { program } from "./program.js";
`;
  return { type: "module", file: "main.js", text: imports + print };
}

/** Runs a program in a folder and returns its output. If the program fails, the error contains the output. */
export function run(command, args, cwd, seconds = 120) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(`${basename(command)} ${args.join(" ")} ended with ${code}\n${output}`));
    });
  });
}

/** Checks that an output contains the expected line `count` times. */
export function checkPrinted(output, count = 1) {
  const lines = output.split(/\r?\n/).filter((line) => line.includes("smithy-waiters: "));
  const texts = lines.map((line) => line.slice(line.indexOf("smithy-waiters: ") + "smithy-waiters: ".length).trim());
  if (texts.length !== count || texts.some((line) => line !== expected)) {
    throw new Error(`expected ${count} × \`${expected}\` in the output:\n${output}`);
  }
}

/** Copies the files of a bundle to a new folder, and returns their size. Checks that the files contain the wasm once. */
export function alone(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)));
  const copies = texts.map((bytes) => bytes.toString("latin1").match(WASM)?.length ?? 0).reduce((sum, one) => sum + one, 0);
  if (copies !== 1) throw new Error(`expected the wasm once in ${files.map(({ name }) => name)}, found it ${copies} times`);
  return kilobytes(Buffer.concat(texts));
}

/** Matches the magic number of a wasm, and a text that is long enough for the engine and has no character that ends a string. */
const WASM = /\0asm\x01\0\0\0|[^"'`\\$<>\0-\x1f\x7f-\xff]{90000,}/g;

function kilobytes(bytes) {
  const kb = (length) => Math.round(length / 1000);
  return `${kb(bytes.length)} kB, ${kb(gzipSync(bytes, { level: 9 }).length)} gzip`;
}

/** Error thrown when an environment is not available on this machine. */
export class NotAvailable extends Error {}

/**
 * Returns the first of several programs that can be started on this machine. Each is in an npm package for one platform, which npm
 * does not install on other platforms.
 */
export async function findProgram(...paths) {
  for (const path of paths) {
    const program = join(TOOLS, path);
    const starts = existsSync(program) && (await run(program, ["--version"], TOOLS).then(() => true, () => false));
    if (starts) return program;
  }
  throw new NotAvailable(`npm has no ${paths.join(" or ")} that starts here`);
}
