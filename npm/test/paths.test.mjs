/** The kernel's walks along paths, held against the core's evaluator on random paths and values. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Waiter } from "smithy-waiters";

const ROUNDS = Number(process.env.SMITHY_WAITERS_ROUNDS ?? 20_000);
const SEED = Number(process.env.SMITHY_WAITERS_SEED ?? 20_251_121);

/** Draws that are the same in every run (mulberry32). */
class Draws {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let word = this.#state;
    word = Math.imul(word ^ (word >>> 15), word | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) % limit;
  }

  of(list) {
    return list[this.below(list.length)];
  }

  list(longest, item) {
    return Array.from({ length: this.below(longest + 1) }, item);
  }
}

const NAMES = ["a", "b", "c", "toString", "length", "size", "constructor"];
const TEXTS = ["x", "y", "xw==", "\ufffd", ""];

class Shape {
  constructor(members) {
    Object.assign(this, members);
  }

  get c() {
    return "x";
  }

  b() {
    return "x";
  }
}

const SCALARS = [
  () => null,
  () => undefined,
  () => true,
  () => false,
  () => 0,
  () => 1,
  () => Number.NaN,
  () => Infinity,
  () => 5n,
  () => () => "x",
  () => Symbol("x"),
  () => new Date(1500),
  () => new Date(Number.NaN),
  () => new Uint8Array([199]),
  () => new String("x"),
  () => new Boolean(true),
  () => new Boolean(false),
  () => new Number(1),
  () => "\ud800",
];

/** Any value at all. */
function any(draws, depth) {
  if (depth === 0 || draws.below(4) === 0) return draws.below(2) === 0 ? draws.of(TEXTS) : draws.of(SCALARS)();
  const inner = () => any(draws, depth - 1);
  if (draws.below(2) === 0) return array(draws, inner);
  return object(draws, draws.list(4, () => [draws.of(NAMES), inner()]));
}

function array(draws, item) {
  const items = draws.list(3, item);
  return draws.below(4) === 0 ? new Set(items) : items;
}

function object(draws, members) {
  switch (draws.below(6)) {
    case 0:
      return new Map(draws.below(3) === 0 ? [[5, "x"], ...members] : members);
    case 1:
      return new Shape(Object.fromEntries(members.filter(([name]) => name === "a" || name === "size")));
    case 2:
      return Object.assign(Object.create(null), Object.fromEntries(members));
    default:
      return Object.fromEntries(members);
  }
}

/** A value that has what the steps of a path look for, more often than not. */
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

/** The steps of a path: `.a`, `[]`, `.b`. */
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

test(`${ROUNDS} random paths and values: the kernel and the core say the same`, () => {
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
  // Every answer there is was among them, and often.
  for (const code of ["matched", "not_equal", "null", "wrong_type", "empty"]) {
    assert.ok(met.get(code) > ROUNDS / 1000, `${code}: ${met.get(code) ?? 0} times`);
  }
});
