// The package may read its own files, and neither others nor the network nor the environment. See SECURITY.md.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder } from "./installed.mjs";

/** Sockets and the environment are beyond Node's permissions; these throw in their place. */
const FORBID = String.raw`
  const forbid = (what) => () => { throw new Error("the package touches " + what); };
  process.getBuiltinModule("node:net").Socket.prototype.connect = forbid("the network");
  process.getBuiltinModule("node:dns").lookup = forbid("the network");
  globalThis.fetch = forbid("the network");
  const { env } = process;
  const ofNode = () => new Error().stack.split("\n")[3].includes("node:internal");
  Object.defineProperty(process, "env", { get: () => (ofNode() ? env : forbid("the environment")()) });
`;

const USE = `
  const { Paginator, RequestCompression, retry, Waiter } = await import(${JSON.stringify(pathToFileURL(`${folder}/dist/node.js`))});
  const waiter = Waiter.until("List[].State", "ready");
  const sleep = async () => {};
  const states = ["pending", "ready"];
  const { attempts } = await waiter.wait(async () => ({ List: [{ State: states.shift() }] }), { maxWaitTime: 60, sleep });
  const fleet = waiter.fleet(async (ids) => ({ List: ids.map((Id) => ({ Id, State: "ready" })) }), { items: "List[]", key: "Id", sleep });
  const { size } = await fleet.waitEach(["a", "b"], { maxWaitTime: 60 });
  await retry(async ({ number }) => { if (number === 1) throw Object.assign(new Error("again"), { name: "ThrottlingException" }); }, { sleep });
  console.log(attempts, size);
`;

/** Runs a program that may read the package's folder and nothing else. */
function run(program) {
  const permission = Number(process.versions.node.split(".")[0]) < 24 ? "--experimental-permission" : "--permission";
  const options = ["--no-warnings", permission, `--allow-fs-read=${folder}/*`, "--input-type=module", "--eval", program];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8", cwd: folder });
  return { status, output: stdout.trim(), stderr };
}

test("the package reads its own files only, and neither the network nor the environment", () => {
  assert.deepEqual(run(FORBID + USE), { status: 0, output: "2 2", stderr: "" });
});

test("reading anything else fails", () => {
  for (const act of ["process.getBuiltinModule('node:fs').readFileSync('/etc/hosts')", "process.env.HOME", "fetch('http://localhost')"]) {
    const { status, stderr } = run(`${FORBID}${act};`);
    assert.equal(status, 1, act);
    assert.match(stderr, /Access to this API has been restricted|the package touches/, act);
  }
});
