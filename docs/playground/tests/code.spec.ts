/** The copied code runs. */

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Language } from "../src/code.js";
import { expect, outputIs, type Playground, test } from "./fixtures.js";

const run = promisify(execFile);

/** The programs for the languages; a language without one is skipped. */
const COMMAND = process.env["SMITHY_WAITERS_COMMAND"];
const PYTHON = process.env["SMITHY_WAITERS_PYTHON"];

const RESULTS = join(import.meta.dirname, "../test-results");

const ENDINGS = { shell: "sh", python: "py", typescript: "ts" } as const;

const TABS = { shell: "Shell", python: "Python", typescript: "TypeScript", rust: "Rust" } as const;

interface Case {
  readonly name: string;
  readonly arrange: (playground: Playground) => Promise<void>;
  /** What each program prints or reports. */
  readonly expected: RegExp;
  readonly succeeds: boolean;
  /** The note of the shell program about its limits. With one, it is not run. */
  readonly limit?: RegExp;
}

const CASES: readonly Case[] = [
  { name: "the first page", arrange: async () => {}, expected: /success|already|reached/, succeeds: true },
  {
    name: "the short form with all its options",
    arrange: async (playground) => {
      await playground.button("Short form").click();
      await playground.field("Errors that are a success").fill("Gone");
      await playground.field("Path or condition").fill("Table.Replicas[].ReplicaStatus");
      await playground.field("One item of a list is enough").check();
      await playground.pasteResponse({ Table: { Replicas: [{ ReplicaStatus: "CREATING" }, { ReplicaStatus: "ACTIVE" }], "it's": `"quoted" \\ and 'quoted'`, none: null, yes: true } });
    },
    expected: /success|already|reached/,
    succeeds: true,
  },
  {
    name: "a condition with quotes",
    arrange: async (playground) => {
      await playground.button("Short form").click();
      for (const label of ["Expected", "Fails with", "May come before"]) await playground.field(label).fill("");
      await playground.field("Path or condition").fill("Table.TableStatus == 'ACTIVE' && length(Table.Replicas) >= `2`");
    },
    expected: /success|already|reached/,
    succeeds: true,
  },
  {
    name: "several values and a pace",
    arrange: async (playground) => {
      await playground.button("Short form").click();
      await playground.field("Expected").fill("ACTIVE, READY");
      await playground.field("May come before").fill("");
      await playground.field("pace").selectOption("every 5 s");
    },
    expected: /success|already|reached/,
    succeeds: true,
  },
  {
    name: "a failure",
    arrange: async (playground) => {
      await playground.pasteDefinition({ acceptors: [{ state: "failure", matcher: outputIs("a.\"b c\"", "it's \\ over") }, { state: "success", matcher: { success: true } }] });
      await playground.pasteResponse({ a: { "b c": "it's \\ over" } });
      await playground.field("pace").selectOption("a tenth of the time so far");
    },
    expected: /it's \\/,
    succeeds: false,
  },
  {
    name: "an error that no acceptor matches",
    arrange: async (playground) => {
      await playground.button("Error").click();
      await playground.field("Code").fill("ValidationException");
      await playground.field("Message").fill("it's \"wrong\"");
    },
    expected: /ValidationException/,
    succeeds: false,
  },
  {
    name: "large numbers, control characters and a list",
    arrange: async (playground) => {
      await playground.pasteDefinition({ acceptors: [{ state: "success", matcher: outputIs("a", "\u001b\b\u202e") }] });
      await playground.pasteResponse({ a: "\u001b\b\u202e", t: 1_700_000_000_000, list: Array.from({ length: 150 }, (_, id) => id) });
    },
    expected: /success|already|reached/,
    succeeds: true,
  },
  {
    name: "a matcher of input and output",
    arrange: async (playground) => {
      const path = "length(output.items) == length(input.ids)";
      await playground.pasteDefinition({ acceptors: [{ state: "success", matcher: { inputOutput: { path, expected: "true", comparator: "booleanEquals" } } }] });
      await playground.pasteResponse({ items: [1, 2] });
      await playground.paste("Input of the operation", '{"ids": ["a", "b"]}');
    },
    expected: /success|already|reached/,
    succeeds: true,
    limit: /no option for the input of the operation/,
  },
  {
    name: "an error with a status",
    arrange: async (playground) => {
      await playground.pasteDefinition({ acceptors: [{ state: "failure", matcher: { errorType: "Weird" } }, { state: "success", matcher: { success: true } }] });
      await playground.button("Error").click();
      await playground.field("Code").fill("Weird");
      await playground.field("HTTP status").fill("503");
    },
    expected: /Weird/,
    succeeds: false,
  },
  {
    name: "values that begin with a dash, and numbers by their texts",
    arrange: async (playground) => {
      await playground.button("Short form").click();
      await playground.field("Path or condition").fill("n");
      await playground.field("Expected").fill("3");
      await playground.field("Fails with").fill("-1, --help");
      await playground.field("May come before").fill("");
      await playground.field("Compare numbers and booleans by their texts").check();
      await playground.pasteResponse({ n: 3 });
    },
    expected: /success|already|reached/,
    succeeds: true,
  },
];

test("the copied code runs", async ({ open, page }) => {
  test.setTimeout(240_000);
  mkdirSync(RESULTS, { recursive: true });
  const folder = mkdtempSync(join(RESULTS, "code-"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  for (const [index, { arrange, succeeds }] of CASES.entries()) {
    const playground = await open();
    await expect(playground.verdict).toHaveText(/^success/);
    await arrange(playground);
    await playground.field("Command that makes the call").fill("");
    await expect(playground.code).toContainText(/-- (?:echo|sh -c) '/);
    await expect(playground.verdict).toHaveText(succeeds ? /^success/ : /^failure/);
    for (const [language, ending] of Object.entries(ENDINGS)) {
      await page.getByRole("tab", { name: TABS[language as Language] }).click();
      await page.locator("#copy").click();
      const shown = (await playground.code.textContent()) ?? "";
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
      writeFileSync(join(folder, `case${index}.${ending}`), shown);
    }
    await page.getByRole("tab", { name: TABS.rust }).click();
    // The crate's test `playground` compiles and runs these files.
    expect(await playground.code.textContent()).toMatchSnapshot(`case${index}.rs`);
    await page.goto("about:blank");
  }
  const files = CASES.map((_, index) => `case${index}.ts`);
  const tsc = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
  const checked = await runProgram("node", [tsc, "--ignoreConfig", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", ...files], folder);
  expect(checked.output).toBe("");
  for (const [index, { name, expected, succeeds, limit }] of CASES.entries()) {
    if (limit !== undefined) expect(readFileSync(join(folder, `case${index}.sh`), "utf8"), name).toMatch(limit);
    for (const program of programs(`case${index}`, limit === undefined)) {
      const { output, status } = await runProgram(program[0]!, program.slice(1), folder);
      expect(output, `${name}: ${program.join(" ")}`).toMatch(expected);
      expect(status === 0, `${name}: ${program.join(" ")}\n${output}`).toBe(succeeds);
    }
  }
  rmSync(folder, { recursive: true });
});

test("a transient error does not end the copied programs", async ({ open, page }) => {
  mkdirSync(RESULTS, { recursive: true });
  const folder = mkdtempSync(join(RESULTS, "transient-"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const playground = await open();
  await playground.button("Error").click();
  await playground.field("Code").fill("Weird");
  await playground.field("HTTP status").fill("503");
  await playground.field("at most").selectOption("1 min");
  await playground.field("Command that makes the call").fill("");
  await expect(playground.verdict).toContainText("the error is transient, so a wait calls again");
  await expect(playground.code).toContainText("(reached max retries: 4)");
  for (const [language, ending] of [["shell", "sh"], ["python", "py"], ["typescript", "js"]] as const) {
    await page.getByRole("tab", { name: TABS[language] }).click();
    const shown = (await playground.code.textContent()) ?? "";
    // No second call fits into this time, so the programs end at once.
    const short = shown.replace(/(--timeout |max_wait=|maxWaitTime: )60/, "$10.5");
    expect(short).not.toBe(shown);
    writeFileSync(join(folder, `transient.${ending}`), short);
  }
  for (const program of programs("transient")) {
    const { output, status } = await runProgram(program[0]!, program.slice(1), folder);
    expect(output, program.join(" ")).toMatch(/timed out/);
    expect(status).not.toBe(0);
  }
  await page.getByRole("tab", { name: TABS.rust }).click();
  await expect(playground.code).toContainText(".status(503)");
  rmSync(folder, { recursive: true });
});

/** Returns the programs of a case for the languages that are there. */
function programs(file: string, withShell = true): string[][] {
  return [
    ["node", `${file}.js`],
    ...(COMMAND === undefined || !withShell ? [] : [["bash", "-euc", `smithy-waiters() { "$COMMAND" "$@"; }\n. ./${file}.sh`]]),
    ...(PYTHON === undefined ? [] : [[PYTHON, `${file}.py`]]),
  ];
}

async function runProgram(program: string, options: readonly string[], cwd: string): Promise<{ output: string; status: number }> {
  try {
    const { stdout, stderr } = await run(program, options, { cwd, timeout: 60_000, env: { ...process.env, COMMAND } });
    return { output: stdout + stderr, status: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    return { output: stdout + stderr, status: code };
  }
}
