/** The waiter and the wait of the page as a shell line and as programs. */

import { errorOf } from "./error.js";
import type { Evaluation } from "./protocol.js";
import { listOf, type State, type Subject, type Timing } from "./state.js";

export const LANGUAGES = ["shell", "python", "typescript", "rust"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A response that is longer or nested deeper is read from a file. */
const LONGEST_RESPONSE = 2_000;
const DEEPEST_LITERAL = 100;

/** The limit of `serde_json`, which the command uses too. */
const DEEPEST_JSON = 127;

/** Characters that change the direction of text, which `rustc` refuses in literals. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

interface Content extends State {
  readonly evaluation: Evaluation;
  readonly definition: unknown;
}

/**
 * Returns the code for a content with a verdict.
 *
 * @param definition the definition as JSON text.
 */
export function codeOf(language: Language, state: State, evaluation: Evaluation, definition: string): string {
  return { shell, python, typescript, rust }[language]({ ...state, evaluation, definition: JSON.parse(definition) as unknown });
}

interface Pace {
  readonly rule: string;
  readonly number: number;
}

function paceOf({ pace }: Timing): Pace | undefined {
  const [rule = "", number] = pace.split(" ");
  return rule === "default" ? undefined : { rule, number: Number(number) };
}

/** Returns the response as JSON without spaces; `undefined` if it is too large for a program. */
function shortResponse({ subject, evaluation }: Content): string | undefined {
  return subject.response.length > LONGEST_RESPONSE || evaluation.depth > DEEPEST_LITERAL ? undefined : JSON.stringify(JSON.parse(subject.response));
}

// The shell

function shell(content: Content): string {
  const { subject, timing, definition } = content;
  const pace = paceOf(timing);
  const conditions = subject.form === "short" ? goalOptions(subject) : undefined;
  const interval = pace?.rule === "every" ? [`--interval ${pace.number}s`] : [];
  const limits = commandLimits(content);
  const note = limits.length > 0 ? [`# The command can end in another way than on this page: ${limits.join("; ")}.`] : [];
  const parts = ["smithy-waiters wait", ...(conditions ?? ["--waiter waiter.json"]), ...interval, `--timeout ${timing.maxWaitTime}s`, `-- ${commandOf(content)}`];
  const line = parts.join(parts.join(" ").length > 100 ? " \\\n  " : " ");
  const file = conditions === undefined ? [`cat > waiter.json <<'END'\n${JSON.stringify(definition, null, 2)}\nEND`] : [];
  return [...note, ...file, line, ""].join("\n");
}

/** Returns what the command cannot do. */
function commandLimits({ subject, timing, command, evaluation }: Content): string[] {
  const rule = paceOf(timing)?.rule;
  const { code } = subject.error;
  const isEcho = subject.result === "error" && command.trim() === "";
  const isFatal = isEcho && evaluation.verdict?.acceptor === undefined && evaluation.verdict?.isTransient === false;
  const limits: readonly (readonly [boolean, string])[] = [
    [rule !== undefined && rule !== "every", `it has no option for the pace \`${rule}\`, and uses the waiter's own`],
    [evaluation.usesInput, "it has no option for the input of the operation, which `inputOutput` reads"],
    [evaluation.depth > DEEPEST_JSON, `it reads JSON that is nested at most ${DEEPEST_JSON} levels deep`],
    [isEcho && !/^[^)\s]+$/.test(code), `it does not recognise \`${code}\` as the code of an error`],
    [isFatal && /NotFound|DoesNotExist|NonExistent|^NoSuch|^Internal|^ServiceUnavailable|^(?:404|5\d\d)$/.test(code), `it calls again after \`${code}\`, the code of a missing resource or of an outage`],
  ];
  return limits.filter(([applies]) => applies).map(([, text]) => text);
}

/** Returns the options for the short form; `undefined` if the command reads one of its texts in another way. */
function goalOptions({ short }: Subject): string[] | undefined {
  const expected = listOf(short.expected);
  const fail = listOf(short.fail);
  const isCondition = expected.length === 0;
  const compares = /[=<>!&|]/.test(short.expression.replace(/'(?:\\.|[^'])*'|`[^`]*`|"[^"]*"|\[\?[^\]]*\]/g, ""));
  // The command always compares numbers and booleans by their texts.
  const isPlain = (value: string): boolean => !/[[\](){}=<>!~'"`\\&|]/.test(value) && (short.text || !/^(?:-?\d.*|true|false)$/.test(value));
  if (![...expected, ...fail, ...listOf(short.pending)].every(isPlain) || (!isCondition && compares) || (isCondition && (!compares || fail.length > 0))) return undefined;
  const option = (name: string, values: readonly string[]): string[] => {
    const text = values.join(",");
    return text === "" ? [] : [`--${name}${text.startsWith("-") ? "=" : " "}${quoted(text)}`];
  };
  return [
    ...option("until", [isCondition ? short.expression : `${short.expression}=${expected.join(",")}`]),
    ...option("fail", fail),
    ...option("pending", listOf(short.pending)),
    ...(short.any ? ["--any"] : []),
    ...listOf(short.retryErrors).flatMap((name) => option("retry-error", [name])),
    ...listOf(short.successErrors).flatMap((name) => option("until-error", [name])),
  ];
}

function commandOf(content: Content): string {
  const { command, subject, evaluation } = content;
  if (command.trim() !== "") return command.trim();
  if (subject.result === "response") return `echo ${quoted(shortResponse(content) ?? "")}`.replace(/^echo ''$/, "cat response.json");
  const { code, message } = subject.error;
  // The AWS CLI calls again after a transient error, and then prints this.
  const retries = evaluation.verdict?.isTransient ? " (reached max retries: 4)" : "";
  return `sh -c ${quoted(`echo ${quoted(`An error occurred (${code}) when calling the operation${retries}: ${message}`)} >&2; exit 254`)}`;
}

/** Returns a text as a word of a shell. */
export function quoted(text: string): string {
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

function typescript(content: Content): string {
  const { subject, timing, definition } = content;
  const pace = paceOf(timing);
  const needsFile = subject.result === "response" && shortResponse(content) === undefined;
  const imports = ["Waiter", ...(pace !== undefined && !Number.isNaN(pace.number) ? [pace.rule] : [])].sort((one, other) => one.localeCompare(other));
  const { first, options } = untilArguments(subject);
  const waiter =
    subject.form === "short"
      ? `Waiter.until(${[...first, ...(Object.keys(options).length > 0 ? [options] : [])].map((value) => literal(value, "typescript")).join(", ")})`
      : `new Waiter(\n  ${literal(definition, "typescript", "  ")},${subject.name === "" ? "" : `\n  { name: ${JSON.stringify(subject.name)} },`}\n)`;
  const input = inputText(content, "typescript");
  const waits = [`maxWaitTime: ${timing.maxWaitTime}`, ...(pace ? [`pace: ${paceText(pace)}`] : []), ...(pace?.rule === "proportional" ? ['finalPoll: "late"'] : []), ...(input ? [`input: ${input}`] : [])];
  return `${needsFile ? 'import { readFile } from "node:fs/promises";\n' : ""}import { ${imports.join(", ")} } from "smithy-waiters";

const waiter = ${waiter};

// Replace this function by a call of your client.
const call = async () => ${subject.result === "response" ? typescriptResponse(content) : `{\n  throw ${typescriptError(subject)};\n}`};

const outcome = await waiter.wait(call, { ${waits.join(", ")} });
console.log(\`success after \${outcome.attempts} calls and \${outcome.elapsed} s\`);
`;
}

/** Returns the input of the operation if an acceptor reads it. */
function inputText({ subject, evaluation }: Content, layout: Layout): string | undefined {
  return evaluation.usesInput ? literal(JSON.parse(subject.input), layout) : undefined;
}

function typescriptResponse(content: Content): string {
  const response = shortResponse(content);
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

function python(content: Content): string {
  const { subject, timing, definition } = content;
  const pace = paceOf(timing);
  const imports = ["Waiter", ...(pace !== undefined && !Number.isNaN(pace.number) ? [pace.rule] : [])];
  const { first, options } = untilArguments(subject);
  const keywords = Object.entries(options).map(([name, value]) => `${snake(name)}=${literal(value, "python")}`);
  const name = subject.name === "" ? "" : `\n    name=${JSON.stringify(subject.name)},`;
  const waiter =
    subject.form === "short"
      ? `Waiter.until(${[...first.map((value) => literal(value, "python")), ...keywords].join(", ")})`
      : `Waiter(\n    ${literal(definition, "python", "    ")},${name}\n)`;
  const input = inputText(content, "python");
  const waits = [`max_wait=${timing.maxWaitTime}`, ...(pace ? [`pace=${paceText(pace)}`] : []), ...(pace?.rule === "proportional" ? ['final_poll="late"'] : []), ...(input ? [`input=${input}`] : [])];
  return `${subject.result === "response" && shortResponse(content) === undefined ? "import json\nfrom pathlib import Path\n\n" : ""}from smithy_waiters import ${imports.join(", ")}

waiter = ${waiter}


def call():
    # Replace this by a call of your client.
    ${pythonBody(content)}


outcome = waiter.wait(call, ${waits.join(", ")})
print(outcome)
`;
}

function pythonBody(content: Content): string {
  const { result, error } = content.subject;
  if (result === "error") {
    const { name, message, status } = errorOf(error);
    // As the errors of botocore.
    const members = status === undefined ? {} : { response: { Error: { Code: name }, ResponseMetadata: { HTTPStatusCode: status } } };
    return `raise type(${JSON.stringify(name)}, (Exception,), ${literal(members, "python", "    ")})(${JSON.stringify(message)})`;
  }
  const response = shortResponse(content);
  return response === undefined ? 'return json.loads(Path("response.json").read_text())' : `return ${literal(JSON.parse(response), "python", "    ")}`;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function rust(content: Content): string {
  const { subject, timing, evaluation } = content;
  const pace = paceOf(timing);
  const isError = subject.result === "error";
  const hasGoal = subject.form === "short" && listOf(subject.short.expected).length > 1;
  const names = [...(evaluation.usesInput ? ["Driver"] : []), "ErrorMetadata", ...(hasGoal ? ["Goal"] : []), ...(pace ? ["Pace"] : []), "WaitOptions", "Waiter"];
  const wait = evaluation.usesInput
    ? `let input: Value = serde_json::from_str(${rustJson(JSON.parse(subject.input))})?;
    let driver = Driver::new(TokioRuntime::new()).input(&input);
    let outcome = driver.wait(&waiter, call, options).await?;`
    : "let outcome = waiter.wait(call, options).await?;";
  return `use std::time::Duration;

use serde_json::Value;
${evaluation.usesInput ? "use smithy_waiters::driver::TokioRuntime;\n" : ""}use smithy_waiters::{${names.join(", ")}};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = ${subject.form === "short" ? rustUntil(subject) : rustDefinition(content)};
${isError ? "" : rustResponse(content)}
    // Replace this closure by a call of your client.
    let call = async |_| ${isError ? `Err::<Value, _>(${rustError(subject)})` : "Ok::<_, ErrorMetadata>(response.clone())"};

    let options = WaitOptions::new(Duration::from_secs(${timing.maxWaitTime}))${pace ? `.pace(${rustPace(pace)})` : ""};
    ${wait}
    println!("{outcome}");
    Ok(())
}
`;
}

function rustError({ error }: Subject): string {
  const { name, message, status } = errorOf(error);
  return `ErrorMetadata::of_code(${rustText(name)}).message(${rustText(message)})${status === undefined ? "" : `.status(${status})`}`;
}

function rustResponse(content: Content): string {
  const response = shortResponse(content);
  const text = response === undefined ? 'include_str!("response.json")' : rustJson(JSON.parse(response));
  const note = content.evaluation.depth > DEEPEST_JSON ? `    // serde_json fails here: it reads JSON that is nested at most ${DEEPEST_JSON} levels deep.\n` : "";
  return `${note}    let response: Value = serde_json::from_str(${text})?;\n`;
}

function rustDefinition({ subject: { name }, definition }: Content): string {
  const text = rustJson(definition, 2);
  return name === "" ? `Waiter::from_json(${text})?` : `Waiter::named(${rustText(name)}, ${text})?`;
}

/** Returns JSON in a raw string. */
function rustJson(value: unknown, indent?: number): string {
  return rustRaw(JSON.stringify(value, null, indent).replace(DIRECTION, (char) => `\\u${char.charCodeAt(0).toString(16)}`).replaceAll("\n", "\n    "));
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
  if (/[\0-\x09\x0b-\x1f\x7f]/.test(text) || text.search(DIRECTION) >= 0) {
    return `"${text.replace(/["\\]/g, "\\$&").replace(/[\0-\x1f\x7f]/g, rustEscape).replace(DIRECTION, rustEscape)}"`;
  }
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
