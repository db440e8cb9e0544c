/**
 * The sizes of bundles. Checks that a page that only waits contains no code of retries, pagination and compression, and that the
 * pages of the documentation show the sizes.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { project } from "./project.mjs";

const DOCUMENTS = ["docs/web-pages.md", "npm/README.md", "README.md"].map((page) => join(import.meta.dirname, "../../..", page));

/** The programs, by their names in the table of the page. */
const PROGRAMS = {
  "`Waiter`": use("Waiter", "smithy-waiters"),
  "all exports": 'export * from "smithy-waiters";',
  "`Waiter` of `smithy-waiters/asset`, without the file": use("Waiter", "smithy-waiters/asset"),
  "`WaiterError` of `smithy-waiters/errors`": use("WaiterError", "smithy-waiters/errors"),
  "`import(\"smithy-waiters\")`, until it runs": 'export const load = () => import("smithy-waiters");',
};

/** Texts in the code of retries, pagination, compression and idempotency tokens, and of no other code. */
const OTHERS = ["acquireInitialToken", "startToken", "CompressionStream", "00000000-0000-4000-8000-000000000000"];

/** The part of a size by which a page may differ from it. */
const TOLERANCE = 0.05;

function use(name, entry) {
  return `import { ${name} } from "${entry}"; globalThis.used = ${name};`;
}

export async function sizes(cell) {
  const place = project(cell);
  const rows = [];
  for (const [name, program] of Object.entries(PROGRAMS)) rows.push(row(name, await bundle(place, program)));
  rows.push(row("the file `engine.wasm`", readFileSync(join(place, "node_modules/smithy-waiters/dist/engine.wasm"))));
  // Another compiler makes an engine of another size.
  if (cell.reproducible) checkPages(rows);
  return rows.map(({ name, sizes }) => `${name} ${sizes.join("/")}`).join(", ");
}

/** Returns the sizes in KB: uncompressed, after gzip and after brotli. */
function row(name, bytes) {
  const compressed = [bytes, gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)];
  return { name, sizes: compressed.map(({ length }) => (length < 10_000 ? Math.round(length / 100) / 10 : Math.round(length / 1000))) };
}

/** Bundles a program, and returns the file that a page loads first. */
async function bundle(place, contents) {
  const stdin = { contents, resolveDir: place, sourcefile: "main.js" };
  const target = { format: "esm", target: "es2022", splitting: true, minify: true };
  const { outputFiles } = await build({ absWorkingDir: place, stdin, bundle: true, ...target, outdir: "out", write: false, logLevel: "silent" });
  const [{ contents: code, text }] = outputFiles;
  const found = contents.includes("{ Waiter") ? OTHERS.filter((other) => text.includes(other)) : [];
  if (found.length > 0) throw new Error(`a page that only waits contains \`${found.join("`, `")}\``);
  if (contents.includes("*") && !OTHERS.every((other) => text.includes(other))) throw new Error("the texts to look for have changed");
  return code;
}

/** Checks the rows of the tables, and the sizes in sentences, which are those of `Waiter` after gzip. */
function checkPages(rows) {
  const [page, ...others] = DOCUMENTS.map((path) => readFileSync(path, "utf8"));
  for (const { name, sizes } of rows) {
    const line = page.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
    checkSizes(line.slice(name.length + 4).match(/[\d.]+/g) ?? [], sizes, name);
  }
  for (const text of [page, ...others]) {
    const shown = new Set([...text.matchAll(/(?:gzipped bundle grows by |in a web page \[)(\d+) KB/g)].map(([, size]) => size));
    checkSizes([...shown], [rows[0].sizes[1]], "the gzipped bundle");
  }
}

function checkSizes(shown, sizes, what) {
  const isNear = (size, index) => Math.abs(Number(shown[index]) - size) <= Math.max(size * TOLERANCE, size < 10 ? 0.1 : 1);
  if (shown.length !== sizes.length || !sizes.every(isNear)) throw new Error(`${what}: ${sizes.join(", ")} KB, but the page has ${shown.join(", ")}`);
}
