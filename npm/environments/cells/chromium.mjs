/** A page in a real browser without a window: as it is, and bundled. It tells its result to the server that it is from. */

import { spawn } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { viteTo, webpackTo } from "./bundlers.mjs";
import { alone, checkPrinted, esm, NotAvailable, project, write } from "./project.mjs";

/** The package's files as they are; the page names them by their paths. */
export async function chromiumModule(cell) {
  const place = project(cell, () => {
    const { text, ...main } = page();
    const paths = text.replace(/"smithy-waiters(\/testing)?"/g, (_, testing) => `"/node_modules/smithy-waiters/dist/${testing ? "testing" : "index"}.js"`);
    return { ...main, text: paths };
  });
  write(place, "index.html", html('<script type="module" src="/main.js"></script>'));
  await visit(place, cell.chromium);
}

export async function chromiumVite(cell) {
  const place = project(cell, page);
  await viteTo(place, "dist");
  const weight = alone(join(place, "dist"), `${place}-alone`);
  await visit(`${place}-alone`, cell.chromium);
  return weight;
}

export async function chromiumWebpack(cell) {
  const place = project(cell, page);
  await webpackTo(place, "dist");
  const weight = alone(join(place, "dist"), `${place}-alone`);
  write(`${place}-alone`, "index.html", html('<script defer src="/main.js"></script>'));
  await visit(`${place}-alone`, cell.chromium);
  return weight;
}

const html = (script) => `<!doctype html><title>smithy-waiters</title>${script}\n`;

const page = () =>
  esm(
    `const tell = (text) => fetch("/told", { method: "POST", body: text });
     addEventListener("securitypolicyviolation", (event) => tell("refused: " + event.violatedDirective));
     program(api, testing).then((line) => tell("smithy-waiters: " + line), (error) => tell("failed: " + error.stack));\n`,
  );

/** What a careful site sends: its own scripts, and wasm. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8" };

async function visit(folder, chromium) {
  if (!chromium) throw new NotAvailable("no Chromium on this machine");
  const told = Promise.withResolvers === undefined ? resolvers() : Promise.withResolvers();
  const server = createServer((request, response) => answer(request, response, folder, told.resolve));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = open(chromium, `http://127.0.0.1:${server.address().port}/`, join(folder, "../profile"));
  try {
    checkPrinted(await Promise.race([told.promise, browser.ended, timeout(60)]));
  } finally {
    browser.close();
    await browser.ended;
    server.closeAllConnections();
    server.close();
  }
}

function answer(request, response, folder, tell) {
  response.setHeader("content-security-policy", POLICY);
  if (request.method === "POST") {
    let text = "";
    request.on("data", (data) => (text += data)).on("end", () => (response.end(), tell(text)));
    return;
  }
  const { pathname } = new URL(request.url, "http://localhost");
  const file = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    if (pathname !== "/favicon.ico") tell(`no such file: ${pathname}`);
    return;
  }
  response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
  createReadStream(file).pipe(response);
}

function open(chromium, url, profile) {
  // Chromium has no sandbox for root.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const given = ["--headless", ...sandbox, "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", `--user-data-dir=${profile}`, url];
  const child = spawn(chromium, given, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(`the browser ended with ${code}\n${errors}`));
  });
  return { ended, close: () => child.kill("SIGKILL") };
}

const timeout = (seconds) =>
  new Promise((resolve) => setTimeout(() => resolve(`the page has said nothing for ${seconds} s`), seconds * 1000).unref());

function resolvers() {
  let resolve;
  const promise = new Promise((one) => (resolve = one));
  return { promise, resolve };
}
