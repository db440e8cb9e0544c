/** Evaluates the content of the page. All decisions are those of the package. */

import { type AcceptorDefinition, DefinitionError, type Reason, search, Waiter, type WaiterDefinition } from "smithy-waiters/asset";
import { errorOf, isStatus } from "./error.js";
import { depthOf, Located, nodeAt, parse, rangeOf } from "./located.js";
import type { AcceptorView, Evaluation, FieldProblem, Parts, Problem, VerdictView } from "./protocol.js";
import { type ErrorFields, listOf, type Subject } from "./state.js";

/** A valid waiter with a result of its call: what a wait on the time line needs. */
export interface Prepared {
  readonly waiter: Waiter;
  readonly observation: { readonly response: unknown } | { readonly error: unknown };
  readonly input: unknown;
}

/** More acceptors than people read. The one that matches is shown in any case. */
const MOST_ACCEPTORS = 200;

const STATUS_PROBLEM: FieldProblem = { field: "error-status", column: undefined, message: "must be a number from 100 to 599, or empty" };

const NOTHING: Parts = { selected: [], read: [] };
const NO_PARTS: readonly [Parts, Parts] = [NOTHING, NOTHING];

export function evaluate(subject: Subject): { readonly evaluation: Evaluation; readonly prepared: Prepared | undefined } {
  const { waiter, ...problems } = waiterOf(subject);
  const definition = waiter?.definition;
  const usesInput = definition?.acceptors.some(({ matcher }) => "inputOutput" in matcher) ?? false;
  const response = subject.result === "response" ? parse(subject.response) : undefined;
  const input = usesInput ? parse(subject.input) : undefined;
  const fieldProblems = subject.result === "response" || isStatus(subject.error.status) ? problems.fieldProblems : [...problems.fieldProblems, STATUS_PROBLEM];
  const shared = {
    ...problems,
    fieldProblems,
    usesInput,
    depth: response === undefined ? 0 : depthOf(subject.response),
    count: definition?.acceptors.length ?? 0,
    responseProblems: response?.problem ? [response.problem] : [],
    inputProblems: input?.problem ? [input.problem] : [],
    // A definition keeps the order of its members.
    definition: definition && (subject.form === "definition" ? subject.definition : JSON.stringify(definition)),
  };
  if (waiter === undefined || definition === undefined || fieldProblems.length + shared.responseProblems.length + shared.inputProblems.length > 0) {
    return { evaluation: { ...shared, acceptors: [], verdict: undefined }, prepared: undefined };
  }
  const observation = response ? { response: response.value } : { error: thrown(subject.error) };
  const prepared = { waiter, observation, input: input?.value };
  const verdict = waiter.evaluate(observation, { input: input?.value });
  const place = new Places(new Located(response?.root), new Located(input?.root), subject);
  const reasons = new Map(verdict.reasons.map((reason) => [reason.acceptor, reason]));
  const acceptors = definition.acceptors.flatMap((acceptor, index) => {
    if (index >= MOST_ACCEPTORS && index !== verdict.acceptor) return [];
    const reason = reasons.get(index);
    const parts = reason && response ? place.partsOf(acceptor) : NO_PARTS;
    return [viewOf(index, acceptor, reason, parts, place.definitionOf(index))];
  });
  const view: VerdictView = { state: verdict.state, acceptor: verdict.acceptor, isTransient: isTransient(prepared) };
  return { evaluation: { ...shared, acceptors, verdict: view }, prepared };
}

/** Returns the error of the fields in the form in which the AWS SDK throws it. */
function thrown(fields: ErrorFields): Error {
  const { name, message, fault, status } = errorOf(fields);
  return Object.assign(new Error(message), { name, $fault: fault, $metadata: { httpStatusCode: status } });
}

/** Returns `true` if no acceptor matches the error and a wait still makes another call. */
function isTransient({ waiter, observation, input }: Prepared): boolean {
  if (!("error" in observation)) return false;
  const wait = waiter.start({ maxWaitTime: 86_400, input });
  try {
    wait.poll(0);
    const isFailure = waiter.evaluate(observation, { input }).state === "failure";
    return isFailure && wait.handle({ type: "error", error: observation.error }, 0).type !== "done";
  } finally {
    wait.free();
  }
}

interface WaiterOrProblems {
  readonly waiter: Waiter | undefined;
  readonly definitionProblems: readonly Problem[];
  readonly fieldProblems: readonly FieldProblem[];
}

function waiterOf(subject: Subject): WaiterOrProblems {
  const valid = { definitionProblems: [], fieldProblems: [] };
  const name = subject.name === "" ? undefined : subject.name;
  try {
    const waiter = subject.form === "short" ? untilOf(subject, name) : new Waiter(subject.definition, { name });
    return { ...valid, waiter };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    if (error.code === "invalid_name" || error.path === "name") {
      return { ...valid, waiter: undefined, fieldProblems: [{ field: "name", column: undefined, message: error.message }] };
    }
    if (subject.form === "short") return { ...valid, waiter: undefined, fieldProblems: [fieldProblem(error)] };
    return { ...valid, waiter: undefined, definitionProblems: [definitionProblem(subject.definition, error)] };
  }
}

function untilOf({ short }: Subject, name: string | undefined): Waiter {
  const expected = listOf(short.expected);
  const fail = listOf(short.fail);
  const shared = { name, text: short.text, retryErrors: listOf(short.retryErrors), successErrors: listOf(short.successErrors) };
  // Without an expected value, the expression is a condition, to which neither values to compare nor `any` apply.
  if (expected.length === 0) return Waiter.until(short.expression, { ...shared, ...(fail.length > 0 ? { fail } : {}) } as object);
  const [only] = expected;
  return Waiter.until(short.expression, expected.length === 1 && only !== undefined ? only : expected, {
    ...shared,
    fail,
    pending: listOf(short.pending),
    any: short.any,
  });
}

/** The path of an error in the short form begins with the member, as in `fail[0]`. */
function fieldProblem({ path, column, message }: DefinitionError): FieldProblem {
  const member = /^\w+/.exec(path)?.[0].replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { field: member ?? "expression", column, message };
}

function definitionProblem(text: string, error: DefinitionError): Problem {
  const { message, column, path } = error;
  if (error.code === "invalid_json") {
    const place = /line (\d+) column (\d+)/.exec(message);
    const at = offsetOf(text, Number(place?.[1] ?? 1), Number(place?.[2] ?? 1));
    // The page names the place in its own units.
    return { from: at, to: Math.min(at + 1, text.length), message: message.replace(/ at line \d+ column \d+/, "") };
  }
  const { root } = parse(text);
  if (root === undefined) return { from: 0, to: 0, message };
  const node = nodeAt(root, path);
  if (column === undefined || node.type !== "string") return { ...rangeOf(node), message };
  const at = node.offset + offsetInString(text.slice(node.offset, node.offset + node.length), column);
  return { from: at, to: Math.min(at + 1, node.offset + node.length), message };
}

/** Returns the offset of a place whose column counts bytes. */
function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let number = 1; number < line; number++) start = text.indexOf("\n", start) + 1;
  const before = new TextEncoder().encode(text.slice(start, start + column)).subarray(0, Math.max(column - 1, 0));
  return Math.min(start + new TextDecoder().decode(before).length, text.length);
}

/** Returns the offset in a JSON string of a column of its value. A column counts characters; an escape is one of them. */
function offsetInString(literal: string, column: number): number {
  const characters = literal.slice(1, -1).match(/\\u[\da-fA-F]{4}|\\.|[^]/gu) ?? [];
  return 1 + characters.slice(0, column - 1).join("").length;
}

/** Finds the parts of the documents that belong to an acceptor. */
class Places {
  readonly #response: Located;
  readonly #input: Located;
  readonly #definition: ReturnType<typeof parse>["root"];

  constructor(response: Located, input: Located, subject: Subject) {
    this.#response = response;
    this.#input = input;
    this.#definition = subject.form === "definition" ? parse(subject.definition).root : undefined;
  }

  /** Returns the parts of the response and of the input. */
  partsOf({ matcher }: AcceptorDefinition): readonly [Parts, Parts] {
    const path = (matcher.output ?? matcher.inputOutput)?.path;
    if (path === undefined) return NO_PARTS;
    this.#response.reset();
    this.#input.reset();
    const both = { input: this.#input.value, output: this.#response.value };
    const result = resultOf(path, matcher.output === undefined ? both : this.#response.value);
    return [this.#response.partsOf(result), this.#input.partsOf(result)];
  }

  definitionOf(index: number): ReturnType<typeof rangeOf> | undefined {
    return this.#definition && rangeOf(nodeAt(this.#definition, `acceptors[${index}]`));
  }
}

function resultOf(path: string, value: unknown): unknown {
  try {
    return search(path, value);
  } catch {
    // The verdict has the reason of an expression that cannot be evaluated.
    return undefined;
  }
}

function viewOf(
  index: number,
  acceptor: AcceptorDefinition,
  reason: Reason | undefined,
  [response, input]: readonly [Parts, Parts],
  definition: AcceptorView["definition"],
): AcceptorView {
  const outcome = reason === undefined ? "not reached" : reason.matched ? "matched" : "not matched";
  return { index, state: acceptor.state, matcher: wordsOf(acceptor.matcher), outcome, reason: reason?.text ?? "", response, input, definition };
}

const COMPARATORS = { stringEquals: "is", booleanEquals: "is", allStringEquals: "are all", anyStringEquals: "has" } as const;

function wordsOf(matcher: WaiterDefinition["acceptors"][number]["matcher"]): string {
  if (matcher.errorType !== undefined) return `error ${matcher.errorType}`;
  if (matcher.success !== undefined) return matcher.success ? "any response" : "any error";
  const { path, comparator, expected } = (matcher.output ?? matcher.inputOutput)!;
  return `${path} ${COMPARATORS[comparator]} ${expected}`;
}
