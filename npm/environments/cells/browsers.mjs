/** A page in a real browser without a window: as it is, and bundled. It tells its result to the server that it is from. */

import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { viteTo, webpackTo } from "./bundlers.mjs";
import { alone, checkPrinted, esm, NotAvailable, project, write } from "./project.mjs";

export const chromiumModule = (cell) => module(cell, chromium(cell));
export const chromiumVite = (cell) => vite(cell, chromium(cell));
export const chromiumWebpack = (cell) => webpack(cell, chromium(cell));
export const chromiumServiceWorker = (cell) => serviceWorker(cell, chromium(cell));
export const chromiumRefusal = (cell) => refusal(cell, chromium(cell));
export const firefoxModule = (cell) => module(cell, firefox(cell));
export const firefoxRefusal = (cell) => refusal(cell, firefox(cell));

/** The package's files as they are. */
async function module(cell, browser) {
  const place = project(cell, () => unbundled(page()));
  write(place, "index.html", html('<script type="module" src="/main.js"></script>'));
  await visit(place, browser);
}

/** The same in a service worker, whose modules cannot have an `await` at the top. */
async function serviceWorker(cell, browser) {
  const place = project(cell, () => unbundled(page()));
  write(place, "register.js", 'navigator.serviceWorker.register("/main.js", { type: "module" });\n');
  write(place, "index.html", html('<script src="/register.js"></script>'));
  await visit(place, browser);
}

/** A policy without wasm: the error names the directive to add. */
async function refusal(cell, browser) {
  const text = `try {
  new api.Waiter({ acceptors: [{ state: "success", matcher: { success: true } }] });
  tell("compiled");
} catch (error) {
  tell(error.message);
}
`;
  const place = project(cell, () => unbundled(esm(TELL + text)));
  write(place, "index.html", html('<script type="module" src="/main.js"></script>'));
  const message = await told(place, browser, POLICY.replace(" 'wasm-unsafe-eval'", ""));
  if (!message.includes("script-src 'wasm-unsafe-eval'")) throw new Error(message);
}

/** The main module with the paths of the package's modules. */
function unbundled({ text, ...main }) {
  const paths = text.replace(/"smithy-waiters(\/testing)?"/g, (_, testing) => `"/node_modules/smithy-waiters/dist/${testing ? "testing" : "index"}.js"`);
  return { ...main, text: paths };
}

async function vite(cell, browser) {
  const place = project(cell, page);
  await viteTo(place, "dist");
  const weight = alone(join(place, "dist"), `${place}-alone`);
  await visit(`${place}-alone`, browser);
  return weight;
}

async function webpack(cell, browser) {
  const place = project(cell, page);
  await webpackTo(place, "dist");
  const weight = alone(join(place, "dist"), `${place}-alone`);
  write(`${place}-alone`, "index.html", html('<script defer src="/main.js"></script>'));
  await visit(`${place}-alone`, browser);
  return weight;
}

const html = (script) => `<!doctype html><title>smithy-waiters</title>${script}\n`;

const TELL = 'const tell = (text) => fetch("/told", { method: "POST", body: text });\n';

const page = () =>
  esm(
    `${TELL}addEventListener("securitypolicyviolation", (event) => tell("refused: " + event.violatedDirective));
     program(api, testing).then((line) => tell("smithy-waiters: " + line), (error) => tell("failed: " + error.stack));\n`,
  );

/** What a careful site sends: its own scripts, and wasm. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8" };

async function visit(folder, browser) {
  checkPrinted(await told(folder, browser, POLICY));
}

/** The text that the page sends. */
async function told(folder, browser, policy) {
  const sent = Promise.withResolvers === undefined ? resolvers() : Promise.withResolvers();
  const server = createServer((request, response) => {
    response.setHeader("content-security-policy", policy);
    answer(request, response, folder, sent.resolve);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { program, given } = browser(`http://127.0.0.1:${server.address().port}/`, join(folder, "../profile"));
  const opened = open(program, given);
  try {
    return await Promise.race([sent.promise, opened.ended, timeout(60)]);
  } finally {
    opened.close();
    await opened.ended;
    server.closeAllConnections();
    server.close();
  }
}

function answer(request, response, folder, tell) {
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

/** How Chromium is started with a page and a profile. */
function chromium({ chromium: program }) {
  if (!program) throw new NotAvailable("no Chromium on this machine");
  // It has no sandbox for root.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const given = ["--headless", ...sandbox, "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"];
  return (url, profile) => ({ program, given: [...given, `--user-data-dir=${profile}`, url] });
}

/** A new profile of Firefox asks for pages and reports of its own. */
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

/** How Firefox is. */
function firefox({ firefox: program }) {
  if (!program) throw new NotAvailable("no Firefox on this machine");
  return (url, place) => {
    const profile = `${place}-of-firefox`;
    rmSync(profile, { recursive: true, force: true });
    mkdirSync(profile, { recursive: true });
    const lines = Object.entries(QUIET).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
    writeFileSync(join(profile, "user.js"), lines.join(""));
    return { program, given: ["--headless", "--no-remote", "--profile", profile, url] };
  };
}

function open(program, given) {
  const child = spawn(program, given, { stdio: ["ignore", "ignore", "pipe"] });
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
