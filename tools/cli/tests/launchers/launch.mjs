// Tests `npx smithy-waiters` in an empty project, `without` and `with` the command installed.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "project.cjs"));
const ENGINE = join(process.cwd(), "node_modules/smithy-waiters/bin.cjs");
const MODEL = `$version: "2"
namespace example
use smithy.waiters#waitable
@waitable(Ready: { acceptors: [{ state: "success", matcher: { output: {
    path: "State", comparator: "stringEquals", expected: "READY"
} } }] })
operation Get { output := { state: String } }
`;

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { input: MODEL, encoding: "utf8" });
  return { status, stdout, stderr };
}

function npx(...args) {
  return spawnSync("npx", ["--no", "--", ...args], { input: MODEL, encoding: "utf8", shell: process.platform === "win32" });
}

function without() {
  const { status, stdout, stderr } = npx("smithy-waiters", "lint", "-");
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /npm install --save-dev smithy-waiters-cli/);
  return "without the command, JavaScript names the package to install";
}

async function launched() {
  const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  const platform = `smithy-waiters-cli-${process.platform}-${process.arch}${musl ? "-musl" : ""}`;
  const program = require.resolve(`${platform}/smithy-waiters${process.platform === "win32" ? ".exe" : ""}`);
  for (const args of [["lint", "-"], ["lint", "-", "--format", "json"], ["explain"], ["lint", "missing.smithy"], []]) {
    assert.deepEqual(run(process.execPath, ENGINE, ...args), run(program, ...args));
  }
  for (const name of ["smithy-waiters", "smithy-waiters-cli"]) {
    const { status, stdout } = npx(name, "lint", "-");
    assert.equal(status, 1);
    assert.equal(stdout, run(program, "lint", "-").stdout);
  }
  if (process.platform !== "win32") {
    // The command blocks on its input.
    const waiting = spawn(process.execPath, [ENGINE, "lint", "-"], { stdio: ["pipe", "inherit", "inherit"] });
    waiting.kill("SIGTERM");
    assert.deepEqual(await once(waiting, "exit"), [null, "SIGTERM"]);
  }
  return "in JavaScript, output, exit codes and signals equal those of the command";
}

console.log("launchers:", process.argv[2] === "without" ? without() : await launched());
