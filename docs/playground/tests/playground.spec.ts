import AxeBuilder from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Waiter } from "smithy-waiters";
import type { AwsWaiter } from "../src/aws.js";
import { INITIAL } from "../src/state.js";
import { expect, outputIs, type Playground, test } from "./fixtures.js";

/** The limits of the page: bytes after gzip with the engine, and milliseconds on an idle machine and here, where other tests run. */
const MOST_BYTES = 600_000;
const GOAL = 1_500;
const SLOWEST = 10_000;

/** The longest time for which the page may not react, in milliseconds. */
const LONGEST_PAUSE = 5_000;

const MEGABYTE = 1_000_000;

test("the page opens with a verdict, within its budgets", async ({ open, page, site }) => {
  const playground = await open();
  await expect(playground.verdict).toHaveText("success acceptor 1 matched");
  const interactive = await page.evaluate(() => performance.getEntriesByName("interactive")[0]!.startTime);
  const bytes = site.sent.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`playground: ${bytes} bytes with gzip, interactive after ${Math.round(interactive)} ms (goal ${GOAL} ms)`);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(interactive).toBeLessThanOrEqual(SLOWEST);
  expect(site.sent.map(({ path }) => path).filter((path) => path.startsWith("/aws/"))).toEqual([]);
});

test("a pasted definition is judged acceptor by acceptor", async ({ open }) => {
  const playground = await open();
  const acceptors = [
    { state: "failure", matcher: outputIs("job.status", "FAILED") },
    { state: "success", matcher: outputIs("job.status", "DONE") },
    { state: "retry", matcher: { errorType: "JobNotFound" } },
  ];
  await playground.pasteDefinition({ acceptors });
  await playground.pasteResponse({ job: { status: "RUNNING" } });
  await expect(playground.verdict).toHaveText("retry no acceptor matches, so a wait calls again");
  await expect(playground.acceptors.nth(0)).toContainText('job.status gave "RUNNING", expected "FAILED"');
  await playground.pasteResponse({ job: { status: "FAILED" } });
  await expect(playground.verdict).toHaveText("failure acceptor 0 matched");
  await expect(playground.acceptors.nth(0)).toContainText("matched");
  await expect(playground.acceptors.nth(1)).toContainText("not reached");
});

test("the matched part of the response is highlighted", async ({ open }) => {
  const playground = await open();
  await expect.poll(async () => (await playground.parts("selected")).join("")).toBe('"TableStatus": "ACTIVE"');
  await playground.acceptors.nth(0).click();
  await expect.poll(async () => (await playground.parts("selected")).join(" ")).toBe('"ReplicaStatus": "ACTIVE" "ReplicaStatus": "CREATING"');
});

test("a filter highlights what it selects, a comparison what it reads", async ({ open }) => {
  const playground = await open();
  const conditions = [{ type: "Ready", status: "True" }, { type: "Other", status: "False" }];
  await playground.pasteDefinition({ acceptors: [{ state: "success", matcher: outputIs("conditions[?type=='Ready'].status", "True", "allStringEquals") }] });
  await playground.pasteResponse({ conditions, replicas: 3, wanted: 3, other: 1 });
  await expect.poll(async () => (await playground.parts("selected")).join("")).toBe('"status": "True"');
  await playground.pasteDefinition({ acceptors: [{ state: "success", matcher: outputIs("replicas == wanted", "true", "booleanEquals") }] });
  await expect.poll(async () => (await playground.parts("read")).join(" ")).toBe('"replicas": 3 "wanted": 3');
  expect(await playground.parts("selected")).toEqual([]);
});

test("a matcher of input and output reads both", async ({ open, page }) => {
  const playground = await open();
  await expect(playground.editor("Input of the operation")).toBeHidden();
  const path = "length(output.items) == length(input.ids)";
  await playground.pasteDefinition({ acceptors: [{ state: "success", matcher: { inputOutput: { path, expected: "true", comparator: "booleanEquals" } } }] });
  await playground.pasteResponse({ items: [1, 2] });
  await playground.paste("Input of the operation", '{"ids": ["a", "b"]}');
  await expect(playground.verdict).toHaveText("success acceptor 0 matched");
  await expect(page.locator("#input .part-read")).toContainText(['"ids"']);
});

test("an error in the definition is shown at its column", async ({ open, page }) => {
  const playground = await open();
  await playground.paste("Definition", `{"acceptors": [\n  {"state": "success", "matcher": {"output": {"path": "a[?b=='c'", "expected": "x", "comparator": "stringEquals"}}}\n]}`);
  const problem = page.locator("#definition-problems button");
  await expect(problem).toContainText("Line 2, column 65");
  await expect(problem).toContainText("expected ']'");
  await expect(playground.verdict).toHaveText("The waiter has an error.");
  await problem.click();
  await page.keyboard.type("]");
  await expect(problem).toHaveCount(0);
  await playground.paste("Definition", `{\n  "acceptors": [{"state": "success", "matchr": {"success": true}}]\n}`);
  await expect(problem).toContainText("Line 2, column 38");
  await expect(problem).toContainText("did you mean `matcher`?");
});

test("a place after characters of several bytes is the right one", async ({ open, page }) => {
  const playground = await open();
  const problem = page.locator("#definition-problems button");
  for (const [documentation, column] of [["😀😀", 26], ["éé行", 25]] as const) {
    await playground.paste("Definition", `{"documentation":"${documentation}", x}`);
    await expect(problem).toContainText(`Line 1, column ${column}`);
    await expect(problem).not.toHaveText(/column.*column/);
    await expect(page.locator("#definition .cm-lintRange-error")).toHaveText("x");
  }
});

test("while typing invalid JSON, the page names the place and recovers", async ({ open, page }) => {
  const playground = await open();
  await playground.paste("Response", '{"Table": {"TableStatus": ');
  await expect(page.locator("#response-problems")).toContainText("Line 1, column 27");
  await expect(playground.verdict).toHaveText("The response is not JSON.");
  await playground.editor("Response").pressSequentially('"ACTIVE"}}');
  await expect(playground.verdict).toHaveText("success acceptor 1 matched");
  await playground.paste("Definition", '{"acceptors": [');
  await expect(page.locator("#definition-problems")).toContainText("Line 1, column 15");
});

test("the short form gives a verdict, and an error at its column", async ({ open, page }) => {
  const playground = await open();
  await playground.button("Short form").click();
  await playground.field("Path or condition").fill("Table.Replicas[].ReplicaStatus");
  await playground.field("Expected").fill("ACTIVE");
  await expect(playground.verdict).toHaveText(/^retry/);
  await playground.field("One item of a list is enough").check();
  await expect(playground.verdict).toHaveText(/^success/);
  await playground.field("Path or condition").fill("Table.TableStatus ==");
  const problem = page.locator("#short-expression-problem");
  await expect(problem).toContainText("column 21");
  await expect(problem.locator("mark")).toHaveText("⏎");
});

test("a condition of the short form needs no expected value", async ({ open }) => {
  const playground = await open();
  await playground.button("Short form").click();
  for (const label of ["Expected", "Fails with", "May come before"]) await playground.field(label).fill("");
  await playground.field("Path or condition").fill("length(Table.Replicas) >= `2`");
  await expect(playground.verdict).toHaveText("success acceptor 0 matched");
});

test("the copied command compares numbers by their texts only if the page does", async ({ open }) => {
  const playground = await open();
  await playground.button("Short form").click();
  for (const label of ["Fails with", "May come before"]) await playground.field(label).fill("");
  await playground.field("Path or condition").fill("n");
  await playground.field("Expected").fill("3");
  await playground.pasteResponse({ n: 3 });
  await expect(playground.verdict).toHaveText(/^retry/);
  await expect(playground.code).toContainText("--waiter waiter.json");
  await playground.field("Compare numbers and booleans by their texts").check();
  await expect(playground.verdict).toHaveText(/^success/);
  await expect(playground.code).toContainText("--until n=3");
});

test("the copy notes what the command cannot do", async ({ open }) => {
  const playground = await open();
  await expect(playground.code).toContainText("smithy-waiters wait");
  await expect(playground.code).not.toContainText("can end in another way");
  await playground.field("pace").selectOption("doubling");
  await expect(playground.code).toContainText("no option for the pace `doubling`");
  await playground.paste("Response", `${"[".repeat(150)}${"]".repeat(150)}`);
  await expect(playground.code).toContainText("no option for the pace `doubling`, and uses the waiter's own; it reads JSON that is nested at most 127 levels deep.");
  await playground.field("pace").selectOption("of the waiter");
  await playground.pasteDefinition({ acceptors: [{ state: "success", matcher: { success: false } }] });
  await playground.field("Command that makes the call").fill("");
  await playground.button("Error").click();
  for (const code of ["", "A)b", `A b'c"d`]) {
    await playground.field("Code").fill(code);
    await expect(playground.verdict).toHaveText(/^success/);
    await expect(playground.code).toContainText(`it does not recognise \`${code}\` as the code of an error`);
  }
  await playground.pasteDefinition({ acceptors: [{ state: "success", matcher: { success: true } }] });
  await playground.field("Code").fill("TableNotFound");
  await expect(playground.code).toContainText("it calls again after `TableNotFound`");
  await playground.field("Code").fill("Weird");
  await expect(playground.code).not.toContainText("can end in another way");
});

test("an error of the call is judged by its code, and a transient one is named", async ({ open }) => {
  const playground = await open();
  await playground.button("Error").click();
  await expect(playground.verdict).toHaveText("retry acceptor 2 matched");
  await playground.field("Code").fill("AccessDeniedException");
  await expect(playground.verdict).toHaveText("failure no acceptor matches the error");
  await playground.field("Code").fill("InternalServerError");
  await playground.field("HTTP status").fill("500");
  await expect(playground.verdict).toContainText("the error is transient, so a wait calls again");
});

test("an HTTP status is checked", async ({ open, page }) => {
  const playground = await open();
  await playground.button("Error").click();
  for (const status of ["abc", "99999", "0", "4.5"]) {
    await playground.field("HTTP status").fill(status);
    await expect(page.locator("#error-status-problem")).toHaveText("must be a number from 100 to 599, or empty");
    await expect(playground.verdict).toHaveText("The HTTP status is not valid.");
    await expect(playground.code).toHaveText("The HTTP status is not valid.");
    await expect(page.locator("#copy")).toBeDisabled();
  }
  await playground.field("HTTP status").fill("404");
  await expect(playground.verdict).toHaveText("retry acceptor 2 matched");
  await expect(page.locator("#error-status-problem")).toBeHidden();
});

test("without a verdict there is no code, and the page says why", async ({ open, page }) => {
  const playground = await open();
  await playground.paste("Response", "{");
  await expect(playground.code).toHaveText("The response is not JSON.");
  await expect(page.locator("#copy")).toBeDisabled();
  await page.getByRole("tab", { name: "Python" }).click();
  await expect(playground.code).toHaveText("The response is not JSON.");
  await playground.pasteResponse({ Table: { TableStatus: "ACTIVE" } });
  await expect(playground.code).toContainText("TableStatus");
  await expect(page.locator("#copy")).toBeEnabled();
});

test("the command of one of AWS's waiters has the CLI's names and the input", async ({ open, page }) => {
  const playground = await open();
  for (const [words, command] of [
    ["codedeploy", "aws deploy get-deployment --deployment-id conformance"],
    ["ecs services stable", `aws ecs describe-services --services '["conformance"]'`],
    ["s3 bucket exists", "aws s3api head-bucket --bucket conformance"],
  ] as const) {
    await playground.button("AWS waiters…").click();
    await page.locator("#filter").fill(words);
    await expect(page.locator("#found")).toContainText(/^[12] waiters?,/);
    await page.keyboard.press("Enter");
    await expect(playground.field("Command that makes the call")).toHaveValue(command);
    await expect(playground.code).toContainText(`-- ${command}`);
  }
});

test.describe("without the network", () => {
  test.use({ expectedFault: /^Failed to load resource/ });

  test("the dialog says that the waiters of AWS cannot be loaded", async ({ open, page }) => {
    await page.route("**/aws/rds.json", (route) => route.abort());
    await page.route("**/aws/index.json", (route) => route.abort(), { times: 1 });
    const playground = await open();
    await playground.button("AWS waiters…").click();
    const found = page.locator("#found");
    await expect(found).toContainText("The definitions of AWS could not be loaded.");
    await page.keyboard.type("rds");
    await expect(page.locator("#filter")).toHaveValue("rds");
    await expect(found).toContainText("The definitions of AWS could not be loaded.");
    await playground.button("Close").click();
    await playground.button("AWS waiters…").click();
    await page.locator("#filter").fill("rds instance available");
    await expect(found).toContainText("1 waiter,");
    await page.keyboard.press("Enter");
    await expect(found).toContainText("The waiters of rds could not be loaded.");
    await page.unroute("**/aws/rds.json");
    await page.keyboard.press("Enter");
    await expect(playground.field("Name")).toHaveValue("DBInstanceAvailable");
  });
});

test("one of AWS's waiters is found by words and comes with examples", async ({ open, page, site }) => {
  const playground = await open();
  await playground.button("AWS waiters…").click();
  await expect(page.locator("#found")).toContainText("410 waiters");
  await page.keyboard.type("rds instance available");
  await expect(page.locator("#found")).toContainText("1 waiter,");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(playground.field("Name")).toHaveValue("DBInstanceAvailable");
  await expect(playground.verdict).toHaveText(/^success/);
  await playground.button("failed").click();
  await expect(playground.verdict).toHaveText(/^failure/);
  await playground.button("pending").click();
  await expect(playground.verdict).toHaveText(/^retry/);
  await expect(playground.code).toContainText("-- aws rds describe-db-instances");
  const requested = site.sent.map(({ path }) => path).filter((path) => path.startsWith("/aws/"));
  expect(requested).toEqual(["/aws/index.json", "/aws/rds.json"]);
});

test("all waiters of AWS are valid, and their examples lead to their states", () => {
  const folder = "dist/aws";
  const { services } = JSON.parse(readFileSync(`${folder}/index.json`, "utf8")) as { services: Record<string, string[]> };
  const states = { ready: "success", failed: "failure", pending: "retry" } as const;
  let waiters = 0;
  for (const service of Object.keys(services)) {
    for (const [name, { definition, input, examples }] of Object.entries(JSON.parse(readFileSync(`${folder}/${service}.json`, "utf8")) as Record<string, AwsWaiter>)) {
      waiters++;
      const waiter = new Waiter(JSON.stringify(definition), { name });
      for (const [role, state] of Object.entries(states)) {
        const example = examples[role];
        if (example === undefined) continue;
        const observation = "output" in example ? { response: example.output } : { error: example.error };
        expect(waiter.evaluate(observation, { input }).state, `${service} ${name} ${role}`).toBe(state);
      }
    }
  }
  expect(waiters).toBe(410);
});

test("the moment of the change is dragged, and the wait notices it", async ({ open, page }) => {
  const playground = await open();
  await expect(playground.schedule).toHaveText(/^9 calls\. Success at 2 min 33 s, 12\.6 s after the change/);
  await drag(playground, 0.5, page);
  await expect(playground.schedule).toHaveText(/^\d+ calls\. Success at [5-7] min/);
  await drag(playground, 0, page);
  await expect(playground.schedule).toHaveText(/^1 call\. Success at 0 s/);
  await playground.change.press("End");
  await expect(playground.schedule).toHaveText(/Failure at 9 min 58 s: TableActive timed out/);
  await playground.field("pace").selectOption("every 60 s");
  await expect(playground.schedule).toHaveText(/^1\d calls\. Failure/);
  await playground.field("at most").selectOption("1 h");
  await expect(playground.schedule).toHaveText(/^11 calls\. Success at 10 min, 0 s after/);
});

test("the moment of the change survives a shorter wait", async ({ open, page }) => {
  const playground = await open();
  await expect(playground.schedule).toHaveText(/Success at 2 min 33 s/);
  await playground.field("at most").selectOption("1 min");
  await expect(playground.schedule).toHaveText(/^\d+ calls\. Failure at \d\d(?:\.\d)? s: TableActive timed out/);
  await playground.field("at most").selectOption("24 h");
  await expect(page.locator("#chart text.change")).toHaveText("change at 2 min 20 s");
  await playground.field("pace").selectOption("every 15 s");
  await expect(playground.schedule).toHaveText(/^11 calls\. Success at 2 min 30 s, 10 s after the change/);
  expect(Number(await playground.change.inputValue())).toBe(140);
});

/** Drags the change to a fraction of the time line. */
async function drag({ change }: Playground, to: number, page: import("@playwright/test").Page): Promise<void> {
  const { x, y, width, height } = (await change.boundingBox())!;
  const thumb = 24;
  const now = Number(await change.inputValue()) / Number(await change.getAttribute("max"));
  const at = (part: number): number => x + thumb / 2 + part * (width - thumb);
  await page.mouse.move(at(now), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(to), y + height / 2, { steps: 5 });
  await page.mouse.up();
}

test("other delays are another wait", async ({ open, page }) => {
  const playground = await open();
  await page.getByText("Times of the calls").click();
  const calls = page.locator("#calls p");
  const before = await calls.textContent();
  await playground.button("Other delays").click();
  await expect(calls).not.toHaveText(before ?? "");
  await expect(calls).toContainText("0 s, ");
});

test("a link has the whole page, and nothing leaves the browser", async ({ open, page, site }) => {
  const playground = await open();
  await playground.button("Short form").click();
  await playground.field("Expected").fill("GONE");
  await playground.pasteResponse({ Table: { TableStatus: "GÖNE – 行" } });
  await playground.field("at most").selectOption("1 h");
  await playground.button("Copy link").click();
  await expect(page.locator("#share")).toHaveText("Copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#v1\.[\w-]+$/);
  await page.goto("about:blank");
  await page.goto(link);
  await expect(playground.field("Expected")).toHaveValue("GONE");
  await expect(playground.editor("Response")).toContainText("GÖNE – 行");
  await expect(playground.field("at most")).toHaveValue("3600");
  await expect(playground.verdict).toHaveText(/^failure/);
  expect(site.sent.some(({ path }) => path.includes("v1."))).toBe(false);
});

test("a damaged link and one of a newer version say so", async ({ open, page, site }) => {
  const playground = await open();
  await expect(playground.verdict).toHaveText(/^success/);
  await playground.button("Copy link").click();
  await expect(page.locator("#share")).toHaveText("Copied");
  const link = page.url();
  const notice = page.getByRole("alert");
  const middle = Math.floor(link.length / 2);
  const changed = link.slice(0, middle) + (link[middle] === "A" ? "B" : "A") + link.slice(middle + 1);
  for (const damaged of [link.slice(0, -20), changed, `${site.url}#v1.%%%`, `${site.url}#v1.${Buffer.from("{}").toString("base64url")}`]) {
    await page.goto("about:blank");
    await page.goto(damaged);
    await expect(notice).toContainText("This link is damaged");
    await expect(playground.verdict).toHaveText(/^success/);
  }
  await page.goto("about:blank");
  await page.goto(link.replace("#v1.", "#v2."));
  await expect(notice).toContainText("newer version of this page");
});

test("a link with a value that no field can have names it", async ({ open, page }) => {
  const { subject, timing } = INITIAL;
  const states: readonly (readonly [string, object])[] = [
    ["`maxWaitTime` is 0", { ...INITIAL, timing: { ...timing, maxWaitTime: 0 } }],
    ["`changeAt` is -5", { ...INITIAL, timing: { ...timing, changeAt: -5 } }],
    ["`seed` is 0.5", { ...INITIAL, timing: { ...timing, seed: 0.5 } }],
    ['`pace` is "bogus"', { ...INITIAL, timing: { ...timing, pace: "bogus" } }],
    ['`form` is "xyz"', { ...INITIAL, subject: { ...subject, form: "xyz" } }],
    ['`result` is "toString"', { ...INITIAL, subject: { ...subject, result: "toString" } }],
    ['`name` is "nnn', { ...INITIAL, subject: { ...subject, name: "n".repeat(20_000) } }],
    ['`fail` is "fff', { ...INITIAL, subject: { ...subject, short: { ...subject.short, fail: "f".repeat(20_000) } } }],
  ];
  for (const [sentence, state] of states) {
    await page.goto("about:blank");
    const playground = await open(linkOf(state));
    await expect(page.getByRole("alert")).toContainText(`This link has a value that this page does not accept: ${sentence}`);
    await expect(playground.verdict).toHaveText(/^success/);
    await expect(page.locator("#max-wait option")).toHaveCount(8);
  }
  for (const [sentence, fragment] of [["newer version", "#v2"], ["newer version", "#v2.%%%"], ["is damaged", "#1.abc"], ["is damaged", linkOf(INITIAL).toUpperCase()]] as const) {
    await page.goto("about:blank");
    await open(fragment);
    await expect(page.getByRole("alert")).toContainText(sentence);
  }
});

function linkOf(state: object): string {
  return `#v1.${gzipSync(JSON.stringify(state)).toString("base64url")}`;
}

test("a notice ends with its cause", async ({ open, page }) => {
  const playground = await open();
  const notice = page.getByRole("alert");
  await playground.pasteResponse({ Table: { TableStatus: "ACTIVE" }, noise: Array.from({ length: 9_000 }, (_, index) => Math.sin(index)) });
  await playground.button("Copy link").click();
  await expect(notice).toContainText("too large for a link");
  await playground.pasteResponse({ Table: { TableStatus: "ACTIVE" } });
  await playground.button("Copy link").click();
  await expect(page.locator("#share")).toHaveText("Copied");
  await expect(notice).toBeHidden();
});

test("Back from a link shows what was there before it", async ({ open, page, site }) => {
  const playground = await open();
  await playground.field("Name").fill("Mine");
  await expect(playground.verdict).toHaveText(/^success/);
  await page.goto(`${site.url}${linkOf({ ...INITIAL, subject: { ...INITIAL.subject, name: "Linked" } })}`);
  await expect(playground.field("Name")).toHaveValue("Linked");
  await page.goBack();
  await expect(playground.field("Name")).toHaveValue("Mine");
  await page.goto(`${site.url}#v1.damaged`);
  await expect(page.getByRole("alert")).toContainText("This link is damaged");
  await page.goBack();
  await expect(page.getByRole("alert")).toBeHidden();
  await expect(playground.field("Name")).toHaveValue("Mine");
});

test("the link to the verdict keeps the shared content", async ({ open, page }) => {
  const playground = await open(linkOf({ ...INITIAL, subject: { ...INITIAL.subject, name: "Linked" } }));
  await expect(playground.field("Name")).toHaveValue("Linked");
  await page.getByRole("link", { name: "Skip to the verdict" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#verdict-heading")).toBeFocused();
  await page.reload();
  await expect(playground.field("Name")).toHaveValue("Linked");
});

test("the examples of a waiter of AWS end with the waiter", async ({ open, page, site }) => {
  const playground = await open();
  await playground.button("AWS waiters…").click();
  await page.keyboard.type("rds instance available");
  await page.keyboard.press("Enter");
  await expect(playground.button("failed")).toBeVisible();
  await page.goto(`${site.url}${linkOf(INITIAL)}`);
  await expect(playground.field("Name")).toHaveValue("TableActive");
  await expect(playground.button("failed")).toBeHidden();
});

test("a field has a limit, and says so", async ({ open, page }) => {
  const playground = await open();
  await expect(playground.verdict).toHaveText(/^success/);
  await watchPauses(page);
  await playground.button("Error").click();
  for (const [id, length] of [["name", 200], ["error-code", 200], ["error-message", 2_000], ["command", 4_000]] as const) {
    const field = page.locator(`#${id}`);
    const note = page.locator(`label:has(#${id}) + .limit`);
    await field.fill("");
    await paste(field, "N".repeat(length - 1));
    await expect(note).toBeHidden();
    await paste(field, "N".repeat(100_000));
    await expect(field).toHaveValue("N".repeat(length));
    await expect(note).toHaveText(`At most ${length.toLocaleString("en")} characters.`);
    await expect(note).toBeVisible();
    await field.fill("Short");
    await expect(note).toBeHidden();
    await paste(field, "N".repeat(length));
  }
  await playground.button("Short form").click();
  await paste(playground.field("Path or condition"), "N".repeat(100_000));
  await paste(playground.field("Fails with"), "N".repeat(100_000));
  await expect(playground.verdict).toHaveText(/^failure|^retry/);
  expect(await page.evaluate(() => (globalThis as unknown as { longestPause: number }).longestPause)).toBeLessThan(LONGEST_PAUSE);
});

/** Pastes a text into a field, which limits it as it limits a user's. */
async function paste(field: import("@playwright/test").Locator, text: string): Promise<void> {
  await field.focus();
  await field.evaluate((_, pasted) => navigator.clipboard.writeText(pasted), text);
  await field.press("ControlOrMeta+V");
}

test("a browser without WebAssembly gets a sentence", async ({ open, page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
  await open();
  await expect(page.getByRole("alert")).toContainText("This page needs WebAssembly");
  await expect(page.locator("main")).toBeHidden();
});

for (const [what, name, text] of [
  ["response", "Response", () => JSON.stringify({ items: Array.from({ length: 60_000 }, (_, id) => ({ id, status: "ACTIVE", note: "n".repeat(50) })), Table: { TableStatus: "ACTIVE" } })],
  ["response on many lines", "Response", () => JSON.stringify({ items: Array.from({ length: 46_000 }, (_, id) => ({ id, status: "ACTIVE", note: "n".repeat(30) })), Table: { TableStatus: "ACTIVE" } }, null, 2)],
  ["definition", "Definition", () => JSON.stringify({ documentation: "d".repeat(4.6 * MEGABYTE), acceptors: [...Array.from({ length: 800 }, (_, id) => ({ state: "failure", matcher: outputIs("Table.TableStatus", `S${id}`) })), { state: "success", matcher: outputIs("Table.TableStatus", "ACTIVE") }] })],
] as const) {
  test(`a ${what} of 5 MB does not freeze the page`, async ({ open, page }) => {
    const content = text();
    expect(content.length).toBeGreaterThan(4.5 * MEGABYTE);
    const playground = await open();
    await expect(playground.verdict).toHaveText(/^success/);
    await watchPauses(page);
    await playground.paste(name, content);
    if (name === "Definition") await expect(playground.verdict).toHaveText("success acceptor 800 matched");
    else await expect(page.locator(".busy")).toHaveCount(0);
    await playground.editor(name).press("ControlOrMeta+End");
    await page.keyboard.type("x");
    await expect(page.locator(`#${name.toLowerCase()}-problems button`)).toBeVisible();
    await page.keyboard.press("Backspace");
    await expect(playground.verdict).toHaveText(/^success/);
    const pause = await page.evaluate(() => (globalThis as unknown as { longestPause: number }).longestPause);
    console.log(`playground: longest pause with a ${what} of 5 MB: ${Math.round(pause)} ms`);
    expect(pause).toBeLessThan(LONGEST_PAUSE);
  });
}

/** Measures the longest time between two turns of the page's event loop. */
async function watchPauses(page: import("@playwright/test").Page): Promise<void> {
  await page.evaluate(() => {
    const state = globalThis as unknown as { longestPause: number };
    state.longestPause = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      state.longestPause = Math.max(state.longestPause, now - last);
      last = now;
    }, 10);
  });
}

test("deep nesting is an error, not a crash", async ({ open }) => {
  const playground = await open();
  await playground.paste("Response", "[".repeat(200_000));
  await expect(playground.verdict).toHaveText("The response is not JSON.");
  await playground.paste("Response", "[".repeat(3_000) + "]".repeat(3_000));
  await expect(playground.verdict).not.toHaveText("The response is not JSON.");
});

test("the keyboard reaches everything and leaves the editors", async ({ open, page }) => {
  const playground = await open();
  await expect(playground.verdict).toHaveText(/^success/);
  const reached = new Set<string>();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement!.id || (document.activeElement!.getAttribute("aria-label") ?? document.activeElement!.className)));
  }
  const stops = ["choose", "share", "form-definition", "form-short", "name", "Definition", "result-response", "result-error", "Response", "acceptor", "max-wait", "pace", "seed", "change", "language-shell", "copy", "command", "code"];
  expect(stops.filter((stop) => !reached.has(stop))).toEqual([]);
  await page.locator("#language-shell").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Python" })).toBeFocused();
  await expect(playground.code).toContainText("from smithy_waiters import Waiter");
  for (const [key, name] of [["End", "Rust"], ["ArrowRight", "Shell"], ["ArrowLeft", "Rust"], ["Home", "Shell"]] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole("tab", { name })).toBeFocused();
  }
});

test("a phone shows everything in one column", async ({ open, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const playground = await open();
  await expect(playground.verdict).toHaveText(/^success/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  for (const name of ["the book", "the project"]) await expect(page.getByRole("link", { name })).toBeVisible();
  await playground.button("Short form").click();
  await playground.button("Error").click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await playground.button("AWS waiters…").click();
  await page.locator("#list button").first().click();
  await expect(playground.verdict).toHaveText(/^success/);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious in ${colorScheme} colours`, async ({ open, page }) => {
    await page.emulateMedia({ colorScheme });
    const playground = await open();
    await expect(playground.verdict).toHaveText(/^success/);
    await checkAccess(page);
    await playground.button("Short form").click();
    await playground.field("Path or condition").fill("Table.");
    await playground.paste("Response", "{");
    await expect(page.locator("#response-problems button")).toBeVisible();
    await checkAccess(page);
    await playground.button("Error").click();
    await playground.button("AWS waiters…").click();
    await expect(page.locator("#list button").first()).toBeVisible();
    await checkAccess(page);
  });
}

async function checkAccess(page: import("@playwright/test").Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`)).toEqual([]);
}
