/** Paths on random values, in a response with and without an input. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Waiter } from "smithy-waiters";
import { any, array, Draws, NAMES, object, ROUNDS, SEED, TEXTS } from "./random.mjs";

/** Returns a random value that usually has the members of a path. */
function fitting(draws, steps) {
  if (draws.below(8) === 0) return any(draws, 3);
  const [step, ...rest] = steps;
  const inner = () => fitting(draws, rest);
  switch (step) {
    case undefined:
      return draws.below(3) === 0 ? array(draws, () => draws.of(TEXTS)) : draws.of(TEXTS);
    case "[]":
      return array(draws, () => (draws.below(3) === 0 ? array(draws, inner) : inner()));
    case "[*]":
      return array(draws, inner);
    case ".*":
      return object(draws, draws.list(3, () => [draws.of(NAMES), inner()]));
    default:
      return object(draws, [[draws.of(NAMES), any(draws, 1)], [step.slice(1), inner()]]);
  }
}

/** Returns the steps of a random path: `.a`, `[]`, `.b`. */
function path(draws) {
  const member = () => `.${draws.of(NAMES)}`;
  const step = () => draws.of([member, member, member, () => "[]", () => "[*]", () => ".*"])();
  return [member(), ...draws.list(4, step)];
}

function verdictOf(kind, path, comparator, expected, response) {
  const matcher = { [kind]: { path, comparator, expected } };
  const waiter = new Waiter({ acceptors: [{ state: "success", matcher }] });
  const { state, reasons } = waiter.evaluate({ response }, { input: null });
  return [state, reasons[0].code];
}

test(`${ROUNDS} random paths and values: the root makes no difference`, () => {
  const draws = new Draws(SEED);
  const met = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    const way = path(draws);
    const steps = way.join("");
    const [comparator, expected] = [draws.of(["stringEquals", "allStringEquals", "anyStringEquals"]), draws.of(TEXTS)];
    const response = fitting(draws, way);
    const walked = verdictOf("output", steps.slice(1), comparator, expected, response);
    const evaluated = verdictOf("inputOutput", `output${steps}`, comparator, expected, response);
    assert.deepEqual(walked, evaluated, `round ${round}: ${steps} ${comparator} ${expected}`);
    met.set(walked[1], (met.get(walked[1]) ?? 0) + 1);
  }
  // Each possible result occurs often.
  for (const code of ["matched", "not_equal", "null", "wrong_type", "empty"]) {
    assert.ok(met.get(code) > ROUNDS / 1000, `${code}: ${met.get(code) ?? 0} times`);
  }
});

test("numbers that JSON does not have are null", () => {
  for (const odd of [10n ** 400n, new Number(NaN), Object(10n ** 400n), NaN, Infinity]) {
    for (const [path, response] of [["a[].b", { a: [{ b: "x" }, { b: odd }] }], ["a", { a: odd }], ["a[]", { a: ["x", odd] }]]) {
      for (const comparator of ["stringEquals", "allStringEquals"]) {
        const walked = verdictOf("output", path, comparator, "x", response);
        assert.deepEqual(walked, verdictOf("inputOutput", `output.${path}`, comparator, "x", response), `${path} ${comparator}`);
      }
    }
  }
});

test("an evaluation that takes too long is given up", () => {
  const graph = { nodes: [] };
  for (let index = 0; index < 10_000; index++) graph.nodes.push({ s: "x", graph });
  const itself = [];
  for (let index = 0; index < 4_000; index++) itself.push(itself);
  const cases = [
    ["nodes[].graph.nodes[].s", graph, "limit_exceeded"],
    ["a[][].b", { a: itself }, "limit_exceeded"],
    ["a[].s", { a: Array(33_000).fill({ s: "x" }) }, "matched"],
    ["a[].s", { a: Array(34_000).fill({ s: "x" }) }, "limit_exceeded"],
  ];
  for (const [path, response, code] of cases) {
    const walked = verdictOf("output", path, "allStringEquals", "x", response);
    assert.deepEqual(walked, verdictOf("inputOutput", `output.${path}`, "allStringEquals", "x", response), path);
    assert.equal(walked[1], code, path);
  }
});
