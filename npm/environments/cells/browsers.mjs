/**
 * Cells for headless browsers. A page loads the package, bundled or not, and sends its result to the server that it was loaded
 * from.
 */

import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { viteTo, webpackTo } from "./bundlers.mjs";
import { alone, checkPrinted, esm, NotAvailable, project, write } from "./project.mjs";

export const chromiumModule = (cell) => module(cell, chromium(cell));
export const chromiumVite = (cell) => vite(cell, chromium(cell), page);
export const chromiumWebpack = (cell) => webpack(cell, chromium(cell), page);
/** The engine as a file, which the bundlers copy. */
export const chromiumViteAsset = (cell) => vite(cell, chromium(cell), assetPage);
export const chromiumWebpackAsset = (cell) => webpack(cell, chromium(cell), assetPage);
/** The package's files with the engine as a file, without a bundler. */
export const chromiumAsset = (cell) => module(cell, chromium(cell), assetPage);
export const chromiumServiceWorker = (cell) => serviceWorker(cell, chromium(cell));
export const chromiumRefusal = (cell) => refusal(cell, chromium(cell));
export const firefoxModule = (cell) => module(cell, firefox(cell));
export const firefoxRefusal = (cell) => refusal(cell, firefox(cell));

/** Loads the package's files without a bundler. */
async function module(cell, browser, main = page) {
  const place = project(cell, () => unbundled(main()));
  write(place, "index.html", html('<script type="module" src="/main.js"></script>'));
  await visit(place, browser);
}

/** Loads the package's files in a service worker, whose modules cannot have a top-level `await`. */
async function serviceWorker(cell, browser) {
  const place = project(cell, () => unbundled(page()));
  write(place, "register.js", 'navigator.serviceWorker.register("/main.js", { type: "module" });\n');
  write(place, "index.html", html('<script src="/register.js"></script>'));
  await visit(place, browser);
}

/** Checks the error under a policy that blocks wasm: its message must contain the directive to add. */
async function refusal(cell, browser) {
  const text = `try {
  new api.Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] });
  send("compiled");
} catch (error) {
  send(error.message);
}
`;
  const place = project(cell, () => unbundled(esm(SEND + text)));
  write(place, "index.html", html('<script type="module" src="/main.js"></script>'));
  const message = await textFrom(place, browser, POLICY.replace(" 'wasm-unsafe-eval'", ""));
  if (!message.includes("script-src 'wasm-unsafe-eval'")) throw new Error(message);
}

/** Replaces the package's name in the main module by the paths of its modules. */
function unbundled({ text, ...main }) {
  const paths = text.replace(/"smithy-waiters(?:\/(\w+))?"/g, (_, entry = "index") => `"/node_modules/smithy-waiters/dist/${entry}.js"`);
  return { ...main, text: paths };
}

async function vite(cell, browser, main) {
  const place = project(cell, main);
  await viteTo(place, "dist");
  const weight = alone(join(place, "dist"), `${place}-alone`);
  await visit(`${place}-alone`, browser);
  return weight;
}

async function webpack(cell, browser, main) {
  const place = project(cell, main);
  await webpackTo(place, "dist");
  const weight = alone(join(place, "dist"), `${place}-alone`);
  write(`${place}-alone`, "index.html", html('<script defer src="/main.js"></script>'));
  await visit(`${place}-alone`, browser);
  return weight;
}

const html = (script) => `<!doctype html><title>smithy-waiters</title>${script}\n`;

const SEND = 'const send = (text) => fetch("/result", { method: "POST", body: text });\n';

const page = (entry) =>
  esm(
    `${SEND}addEventListener("securitypolicyviolation", (event) => send("blocked: " + event.violatedDirective));
     program(api, testing).then((line) => send("smithy-waiters: " + line), (error) => send("failed: " + error.stack));\n`,
    entry,
  );
const assetPage = () => page("smithy-waiters/asset");

/** A strict policy that allows only scripts of the site, and wasm. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm" };

async function visit(folder, browser) {
  checkPrinted(await textFrom(folder, browser, POLICY));
}

/** Opens a page and returns the text that it sends. */
async function textFrom(folder, browser, policy) {
  const sent = Promise.withResolvers === undefined ? resolvers() : Promise.withResolvers();
  const server = createServer((request, response) => {
    response.setHeader("content-security-policy", policy);
    answer(request, response, folder, sent.resolve);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { program, args } = browser(`http://127.0.0.1:${server.address().port}/`, join(folder, "../profile"));
  const child = open(program, args);
  try {
    return await Promise.race([sent.promise, child.end, timeout(60)]);
  } finally {
    child.close();
    await child.end;
    server.closeAllConnections();
    server.close();
  }
}

function answer(request, response, folder, onText) {
  if (request.method === "POST") {
    let text = "";
    request.on("data", (data) => (text += data)).on("end", () => (response.end(), onText(text)));
    return;
  }
  const { pathname } = new URL(request.url, "http://localhost");
  const file = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    if (pathname !== "/favicon.ico") onText(`no such file: ${pathname}`);
    return;
  }
  response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
  createReadStream(file).pipe(response);
}

/** Returns a function that returns the command line of Chromium for a page and a profile. */
function chromium({ chromium: program }) {
  if (!program) throw new NotAvailable("no Chromium on this machine");
  // Chromium does not start as root with its sandbox.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const args = ["--headless", ...sandbox, "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"];
  return (url, profile) => ({ program, args: [...args, `--user-data-dir=${profile}`, url] });
}

/** Settings that disable the pages and the reports which Firefox requests with a new profile. */
const QUIET = {
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "",
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** Returns a function that returns the command line of Firefox for a page and a profile. */
function firefox({ firefox: program }) {
  if (!program) throw new NotAvailable("no Firefox on this machine");
  return (url, place) => {
    const profile = `${place}-of-firefox`;
    rmSync(profile, { recursive: true, force: true });
    mkdirSync(profile, { recursive: true });
    const lines = Object.entries(QUIET).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
    writeFileSync(join(profile, "user.js"), lines.join(""));
    return { program, args: ["--headless", "--no-remote", "--profile", profile, url] };
  };
}

function open(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const end = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(`the browser ended with ${code}\n${errors}`));
  });
  return { end, close: () => child.kill("SIGKILL") };
}

const timeout = (seconds) =>
  new Promise((resolve) => setTimeout(() => resolve(`the page sent no result within ${seconds} s`), seconds * 1000).unref());

function resolvers() {
  let resolve;
  const promise = new Promise((one) => (resolve = one));
  return { promise, resolve };
}
