/** The kernel's filters, comparisons and functions, held against the core's evaluator on random expressions and values. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Waiter } from "smithy-waiters";
import { any, Draws, ROUNDS, SEED } from "./random.mjs";

const folder = dirname(createRequire(import.meta.url).resolve("smithy-waiters/package.json"));
const { EngineWaiter } = await import(pathToFileURL(join(folder, "dist/inner.js")).href);

const LITERALS = ["`1`", "`2`", "`0`", "`true`", "`false`", "`null`", "'x'", "'y'", "`1.5`"];
const COMPARATORS = ["==", "!=", "<", "<=", ">", ">="];

/** Data as services have it, and now and then something else. */
function data(draws, depth) {
  if (draws.below(25) === 0) return any(draws, 2);
  const scalar = () => draws.of(["x", "y", "", 0, 1, 2, 1.5, true, false, null]);
  if (depth === 0) return scalar();
  const inner = () => data(draws, depth - 1);
  switch (draws.below(4)) {
    case 0:
      return scalar();
    case 1:
      return draws.list(4, inner);
    default:
      return Object.fromEntries(["a", "b", "c"].filter(() => draws.below(4) > 0).map((name) => [name, inner()]));
  }
}

function name(draws) {
  return draws.of(["a", "b", "c"]);
}

function list(draws, depth) {
  const inner = depth - 1;
  const forms = [
    () => `${name(draws)}[]`,
    () => `${name(draws)}[*].${name(draws)}`,
    () => `${name(draws)}.*`,
    () => `${name(draws)}[].${name(draws)}[]`,
  ];
  if (depth > 0) {
    forms.push(
      () => `${name(draws)}[?${truth(draws, inner)}]`,
      () => `${name(draws)}[?${truth(draws, inner)}].${name(draws)}`,
      () => `${list(draws, inner)} | [?${truth(draws, inner)}]`,
      () => `${name(draws)}[].[${truth(draws, inner)}][]`,
      () => `${name(draws)}[].[${truth(draws, inner)}, ${value(draws, inner)}][]`,
      () => `[${value(draws, inner)}, ${value(draws, inner)}]`,
    );
  }
  return draws.of(forms)();
}

function value(draws, depth) {
  const forms = [() => name(draws), () => `${name(draws)}.${name(draws)}`, () => "@", () => draws.of(LITERALS)];
  if (depth > 0) forms.push(() => `length(${list(draws, depth - 1)})`, () => `(${truth(draws, depth - 1)})`);
  return draws.of(forms)();
}

function truth(draws, depth) {
  const inner = depth - 1;
  const compare = () => `${value(draws, inner)} ${draws.of(COMPARATORS)} ${value(draws, inner)}`;
  if (depth <= 0) return compare();
  return draws.of([
    compare,
    compare,
    () => `length(${list(draws, inner)}) ${draws.of(COMPARATORS)} \`${draws.below(3)}\``,
    () => `contains(${list(draws, inner)}, ${draws.of(LITERALS)})`,
    () => `contains(${name(draws)}[].[${truth(draws, inner)}][], ${draws.of(["`true`", "`false`"])})`,
    () => `length(${name(draws)}[?${name(draws)} == ${draws.of(["'x'", "'y'"])}]) ${draws.of(COMPARATORS)} \`${draws.below(3)}\``,
    () => `contains(${value(draws, inner)}, ${draws.of(LITERALS)})`,
    () => `!(${truth(draws, inner)})`,
    () => `(${truth(draws, inner)}) && (${truth(draws, inner)})`,
    () => `(${truth(draws, inner)}) || ${value(draws, inner)}`,
    () => value(draws, inner),
  ])();
}

function verdictOf(kind, path, expected, response) {
  const matcher = { [kind]: { path, comparator: "booleanEquals", expected } };
  const waiter = new Waiter({ acceptors: [{ state: "failure", matcher }, { state: "success", matcher: { success: false } }] });
  const { state, reasons } = waiter.evaluate({ response }, { input: null });
  return [state, reasons.map(({ code }) => code)];
}

/** Counts how often the core looks at a response while something runs. */
function coreLooks(action) {
  const { evaluateResponse } = EngineWaiter.prototype;
  let looks = 0;
  EngineWaiter.prototype.evaluateResponse = function (...given) {
    looks++;
    return evaluateResponse.apply(this, given);
  };
  try {
    action();
  } finally {
    EngineWaiter.prototype.evaluateResponse = evaluateResponse;
  }
  return looks;
}

test(`${ROUNDS} random expressions and values: the kernel and the core say the same`, () => {
  const draws = new Draws(SEED);
  const met = new Map();
  let decided = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [path, expected] = [truth(draws, 3), draws.of(["true", "false"])];
    const response = data(draws, 4);
    let looked;
    const looks = coreLooks(() => (looked = verdictOf("output", path, expected, response)));
    // The core's evaluator, which never leaves an expression over both to the kernel.
    const evaluated = verdictOf("inputOutput", `output | ${path}`, expected, response);
    assert.deepEqual(looked, evaluated, `round ${round}: ${path} on ${JSON.stringify(response, (_, value) => (typeof value === "bigint" ? `${value}` : value))}`);
    if (looks === 0) decided++;
    const [code] = looked[1];
    met.set(code, (met.get(code) ?? 0) + 1);
  }
  for (const code of ["matched", "not_equal", "null", "wrong_type", "evaluation_error"]) {
    assert.ok(met.get(code) > ROUNDS / 200, `${code}: ${met.get(code) ?? 0} times`);
  }
  // Many of them without the core.
  assert.ok(decided > ROUNDS / 4, `${decided} decided`);
});

test("what the kernel leaves to the core", () => {
  const looks = (path, response) => coreLooks(() => verdictOf("output", path, "true", response));
  for (const [path, response] of [
    ["length(a) == `1`", {}],
    ["a == b", { a: [], b: [] }],
    ["a == `1`", { a: 1n }],
    ["length(a) == `1`", { a: "😀" }],
    ["a == 'x'", { a: new Uint8Array(1) }],
    ["length(a[?`true`]) == `0`", { a: [new Date(Number.NaN)] }],
    ["sort(a) == `1`", { a: [] }],
    ["a[0] == `1`", { a: [1] }],
  ]) {
    assert.equal(looks(path, response), 1, path);
  }
  assert.equal(looks("length(a[?b == 'x']) == `1`", { a: [{ b: "x" }] }), 0);
});
