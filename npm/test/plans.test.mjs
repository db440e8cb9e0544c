/** Random expressions with filters, comparisons and functions on random values, in a response with and without an input. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Waiter } from "smithy-waiters";
import { any, Draws, ROUNDS, SEED } from "./random.mjs";

const LITERALS = ["`1`", "`2`", "`0`", "`true`", "`false`", "`null`", "'x'", "'y'", "`1.5`"];
const COMPARATORS = ["==", "!=", "<", "<=", ">", ">="];

/** Returns random data like that of services, and occasionally other values. */
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

test(`${ROUNDS} random expressions and values: the root makes no difference`, () => {
  const draws = new Draws(SEED);
  const met = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    const [path, expected] = [truth(draws, 3), draws.of(["true", "false"])];
    const response = data(draws, 4);
    const alone = verdictOf("output", path, expected, response);
    const beside = verdictOf("inputOutput", `output | ${path}`, expected, response);
    assert.deepEqual(alone, beside, `round ${round}: ${path} on ${JSON.stringify(response, (_, value) => (typeof value === "bigint" ? `${value}` : value))}`);
    const [code] = alone[1];
    met.set(code, (met.get(code) ?? 0) + 1);
  }
  for (const code of ["matched", "not_equal", "null", "wrong_type", "evaluation_error"]) {
    assert.ok(met.get(code) > ROUNDS / 200, `${code}: ${met.get(code) ?? 0} times`);
  }
});
