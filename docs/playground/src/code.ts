/** The waiter and the wait of the page as a shell line and as programs. */

import { errorOf } from "./error.js";
import { listOf, type State, type Subject, type Timing } from "./state.js";

export const LANGUAGES = ["shell", "python", "typescript", "rust"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A longer response is read from a file. */
const LONGEST_RESPONSE = 2_000;

/**
 * Returns the code for a valid waiter.
 *
 * @param definition the definition as JSON text.
 */
export function codeOf(language: Language, state: State, definition: string): string {
  return { shell, python, typescript, rust }[language](state, JSON.parse(definition) as unknown);
}

interface Pace {
  readonly rule: string;
  readonly number: number;
}

function paceOf({ pace }: Timing): Pace | undefined {
  const [rule = "", number] = pace.split(" ");
  return rule === "default" ? undefined : { rule, number: Number(number) };
}

/** Returns the response as JSON without spaces; `undefined` if it is too long for a program. */
function shortResponse({ response }: Subject): string | undefined {
  if (response.length > LONGEST_RESPONSE) return undefined;
  try {
    return JSON.stringify(JSON.parse(response));
  } catch {
    return "null";
  }
}

// The shell

function shell(state: State, definition: unknown): string {
  const { timing } = state;
  const pace = paceOf(timing);
  const conditions = state.subject.form === "short" ? goalOptions(state.subject) : undefined;
  const interval = pace?.rule === "every" ? [`--interval ${pace.number}s`] : [];
  const note = pace !== undefined && interval.length === 0 ? [`# The command has no option for the pace \`${pace.rule}\`; it uses the waiter's own.`] : [];
  const parts = ["smithy-waiters wait", ...(conditions ?? ["--waiter waiter.json"]), ...interval, `--timeout ${timing.maxWaitTime}s`, `-- ${commandOf(state)}`];
  const line = parts.join(parts.join(" ").length > 100 ? " \\\n  " : " ");
  const file = conditions === undefined ? [`cat > waiter.json <<'END'\n${JSON.stringify(definition, null, 2)}\nEND`] : [];
  return [...note, ...file, line, ""].join("\n");
}

/** Returns the options for the short form; `undefined` if the command reads one of its texts in another way. */
function goalOptions({ short }: Subject): string[] | undefined {
  const expected = listOf(short.expected);
  const fail = listOf(short.fail);
  const isCondition = expected.length === 0;
  const compares = /[=<>!&|]/.test(short.expression.replace(/'(?:\\.|[^'])*'|`[^`]*`|"[^"]*"|\[\?[^\]]*\]/g, ""));
  const isPlain = (value: string): boolean => !/[[\](){}=<>!~'"`\\&|]/.test(value);
  if (![...expected, ...fail, ...listOf(short.pending)].every(isPlain) || (!isCondition && compares) || (isCondition && (!compares || fail.length > 0))) return undefined;
  const option = (name: string, values: readonly string[]): string[] => (values.length === 0 ? [] : [`--${name} ${quoted(values.join(","))}`]);
  return [
    `--until ${quoted(isCondition ? short.expression : `${short.expression}=${expected.join(",")}`)}`,
    ...option("fail", fail),
    ...option("pending", listOf(short.pending)),
    ...(short.any ? ["--any"] : []),
    ...listOf(short.retryErrors).map((name) => `--retry-error ${quoted(name)}`),
    ...listOf(short.successErrors).map((name) => `--until-error ${quoted(name)}`),
  ];
}

function commandOf({ command, subject }: State): string {
  if (command.trim() !== "") return command.trim();
  if (subject.result === "response") return `echo ${quoted(shortResponse(subject) ?? "")}`.replace(/^echo ''$/, "cat response.json");
  const { code, message } = subject.error;
  return `sh -c ${quoted(`echo ${quoted(`An error occurred (${code}) when calling the operation: ${message}`)} >&2; exit 254`)}`;
}

function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

// Programs

type Layout = "python" | "typescript";

const WORDS = { python: { true: "True", false: "False", null: "None" }, typescript: { true: "true", false: "false", null: "null" } };

/** Returns a value as a literal, on one line if it is short. */
function literal(value: unknown, layout: Layout, indent = ""): string {
  const inline = inlineOf(value, layout);
  if (inline.length + indent.length <= 90 || typeof value !== "object" || value === null) return inline;
  const inner = `${indent}${layout === "python" ? "    " : "  "}`;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, layout, inner))
    : Object.entries(value).map(([name, member]) => `${keyOf(name, layout)}: ${literal(member, layout, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
}

function inlineOf(value: unknown, layout: Layout): string {
  if (Array.isArray(value)) return `[${value.map((item) => inlineOf(item, layout)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${keyOf(name, layout)}: ${inlineOf(member, layout)}`);
    if (members.length === 0) return "{}";
    return layout === "python" ? `{${members.join(", ")}}` : `{ ${members.join(", ")} }`;
  }
  const text = JSON.stringify(value);
  return typeof value === "string" ? text : (WORDS[layout][text as "true"] ?? text);
}

function keyOf(name: string, layout: Layout): string {
  const isBare = layout === "typescript" && /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__";
  return isBare ? name : layout === "typescript" && name === "__proto__" ? '["__proto__"]' : JSON.stringify(name);
}

/** Returns the short form's arguments: the path with the expected values, and the options that are not at their defaults. */
function untilArguments({ short, name }: Subject): { readonly first: readonly unknown[]; readonly options: Readonly<Record<string, unknown>> } {
  const expected = listOf(short.expected);
  const lists = { fail: listOf(short.fail), pending: expected.length === 0 ? [] : listOf(short.pending), retryErrors: listOf(short.retryErrors), successErrors: listOf(short.successErrors) };
  const set = Object.entries(lists).filter(([, values]) => values.length > 0);
  const flags = [...(short.any && expected.length > 0 ? [["any", true] as const] : []), ...(short.text ? [["text", true] as const] : []), ...(name === "" ? [] : [["name", name] as const])];
  const value = expected.length === 1 ? expected[0] : expected;
  return { first: expected.length === 0 ? [short.expression] : [short.expression, value], options: Object.fromEntries([...set, ...flags]) };
}

function typescript({ subject, timing }: State, definition: unknown): string {
  const pace = paceOf(timing);
  const needsFile = subject.result === "response" && shortResponse(subject) === undefined;
  const imports = ["Waiter", ...(pace !== undefined && !Number.isNaN(pace.number) ? [pace.rule] : [])].sort((one, other) => one.localeCompare(other));
  const { first, options } = untilArguments(subject);
  const waiter =
    subject.form === "short"
      ? `Waiter.until(${[...first, ...(Object.keys(options).length > 0 ? [options] : [])].map((value) => literal(value, "typescript")).join(", ")})`
      : `new Waiter(\n  ${literal(definition, "typescript", "  ")},${subject.name === "" ? "" : `\n  { name: ${JSON.stringify(subject.name)} },`}\n)`;
  const waits = [`maxWaitTime: ${timing.maxWaitTime}`, ...(pace ? [`pace: ${paceText(pace)}`] : []), ...(pace?.rule === "proportional" ? ['finalPoll: "late"'] : [])];
  return `${needsFile ? 'import { readFile } from "node:fs/promises";\n' : ""}import { ${imports.join(", ")} } from "smithy-waiters";

const waiter = ${waiter};

// Replace this function by a call of your client.
const call = async () => ${subject.result === "response" ? typescriptResponse(subject) : `{\n  throw ${typescriptError(subject)};\n}`};

const outcome = await waiter.wait(call, { ${waits.join(", ")} });
console.log(\`success after \${outcome.attempts} calls and \${outcome.elapsed} s\`);
`;
}

function typescriptResponse(subject: Subject): string {
  const response = shortResponse(subject);
  if (response === undefined) return 'JSON.parse(await readFile("response.json", "utf8"))';
  const text = literal(JSON.parse(response), "typescript");
  return text.startsWith("{") ? `(${text})` : text;
}

function typescriptError({ error }: Subject): string {
  const { name, message, fault, status } = errorOf(error);
  const members = { name, $fault: fault, ...(status === undefined ? {} : { $metadata: { httpStatusCode: status } }) };
  return `Object.assign(new Error(${JSON.stringify(message)}), ${literal(members, "typescript", "  ")})`;
}

function paceText({ rule, number }: Pace): string {
  return Number.isNaN(number) ? JSON.stringify(rule) : `${rule}(${number})`;
}

function python({ subject, timing }: State, definition: unknown): string {
  const pace = paceOf(timing);
  const imports = ["Waiter", ...(pace !== undefined && !Number.isNaN(pace.number) ? [pace.rule] : [])];
  const { first, options } = untilArguments(subject);
  const keywords = Object.entries(options).map(([name, value]) => `${snake(name)}=${literal(value, "python")}`);
  const name = subject.name === "" ? "" : `\n    name=${JSON.stringify(subject.name)},`;
  const waiter =
    subject.form === "short"
      ? `Waiter.until(${[...first.map((value) => literal(value, "python")), ...keywords].join(", ")})`
      : `Waiter(\n    ${literal(definition, "python", "    ")},${name}\n)`;
  const waits = [`max_wait=${timing.maxWaitTime}`, ...(pace ? [`pace=${paceText(pace)}`] : []), ...(pace?.rule === "proportional" ? ['final_poll="late"'] : [])];
  return `${subject.result === "response" && shortResponse(subject) === undefined ? "import json\nfrom pathlib import Path\n\n" : ""}from smithy_waiters import ${imports.join(", ")}

waiter = ${waiter}


def call():
    # Replace this by a call of your client.
    ${pythonBody(subject)}


outcome = waiter.wait(call, ${waits.join(", ")})
print(outcome)
`;
}

function pythonBody(subject: Subject): string {
  if (subject.result === "error") {
    const { code, message } = subject.error;
    return `raise type(${JSON.stringify(code)}, (Exception,), {})(${JSON.stringify(message)})`;
  }
  const response = shortResponse(subject);
  return response === undefined ? 'return json.loads(Path("response.json").read_text())' : `return ${literal(JSON.parse(response), "python", "    ")}`;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function rust({ subject, timing }: State, definition: unknown): string {
  const pace = paceOf(timing);
  const goal = subject.form === "short" && listOf(subject.short.expected).length > 1 ? "Goal, " : "";
  const call =
    subject.result === "error"
      ? `Err::<Value, _>(ErrorMetadata::of_code(${rustText(subject.error.code)}).message(${rustText(subject.error.message)}))`
      : `Ok::<Value, ErrorMetadata>(${rustResponse(subject)})`;
  return `use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, ${goal}${pace ? "Pace, " : ""}WaitOptions, Waiter};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = ${subject.form === "short" ? rustUntil(subject) : rustDefinition(subject, definition)};

    // Replace this closure by a call of your client.
    let call = async |_| ${call};

    let options = WaitOptions::new(Duration::from_secs(${timing.maxWaitTime}))${pace ? `.pace(${rustPace(pace)})` : ""};
    let outcome = waiter.wait(call, options).await?;
    println!("{outcome}");
    Ok(())
}
`;
}

function rustResponse(subject: Subject): string {
  const response = shortResponse(subject);
  if (response === undefined) return 'serde_json::from_str(include_str!("response.json")).expect("JSON")';
  return `serde_json::json!(${response})`;
}

function rustDefinition({ name }: Subject, definition: unknown): string {
  const text = rustRaw(JSON.stringify(definition, null, 2).replaceAll("\n", "\n    "));
  return name === "" ? `Waiter::from_json(${text})?` : `Waiter::named(${rustText(name)}, ${text})?`;
}

function rustUntil(subject: Subject): string {
  const { first, options } = untilArguments(subject);
  const [expression, expected] = first;
  const path = rustText(String(expression));
  const values = (value: unknown): string => `[${(value as string[]).map(rustText).join(", ")}]`;
  const start = expected === undefined ? `until_true(${path})` : Array.isArray(expected) ? `until_all([Goal::equals(${path}, ${values(expected)})])` : `until(${path}, ${rustText(String(expected))})`;
  const methods = Object.entries(options).map(([name, value]) => {
    const argument = value === true ? "" : typeof value === "string" ? rustText(value) : values(value);
    return `        .${snake(name)}(${argument})\n`;
  });
  return `Waiter::${start}\n${methods.join("")}        .build()?`;
}

function rustPace({ rule, number }: Pace): string {
  if (rule === "every") return `Pace::Every(Duration::from_secs(${number}))`;
  return rule === "proportional" ? `Pace::Proportional(${number})` : `Pace::${rule.replace(/^./, (letter) => letter.toUpperCase())}`;
}

function rustText(text: string): string {
  // A raw string cannot contain a carriage return.
  if (/[\0-\x09\x0b-\x1f\x7f]/.test(text)) return `"${text.replace(/["\\]/g, "\\$&").replace(/[\0-\x1f\x7f]/g, rustEscape)}"`;
  return /["\\\n]/.test(text) ? rustRaw(text) : `"${text}"`;
}

function rustEscape(char: string): string {
  return `\\u{${char.charCodeAt(0).toString(16)}}`;
}

function rustRaw(text: string): string {
  let hashes = "#";
  while (text.includes(`"${hashes}`)) hashes += "#";
  return `r${hashes}"${text}"${hashes}`;
}
