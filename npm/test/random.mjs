/** Random host values from a fixed seed. */

/** A seeded generator of random numbers (mulberry32). */
export class Draws {
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

export const NAMES = ["a", "b", "c", "toString", "length", "size", "constructor"];
export const TEXTS = ["x", "y", "xw==", "\ufffd", ""];

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

/** Returns any value. */
export function any(draws, depth) {
  if (depth === 0 || draws.below(4) === 0) return draws.below(2) === 0 ? draws.of(TEXTS) : draws.of(SCALARS)();
  const inner = () => any(draws, depth - 1);
  if (draws.below(2) === 0) return array(draws, inner);
  return object(draws, draws.list(4, () => [draws.of(NAMES), inner()]));
}

export function array(draws, item) {
  const items = draws.list(3, item);
  return draws.below(4) === 0 ? new Set(items) : items;
}

export function object(draws, members) {
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

/** The number of rounds of a random test and the first seed, which the environment can override. */
export const ROUNDS = Number(process.env.SMITHY_WAITERS_ROUNDS ?? 20_000);
export const SEED = Number(process.env.SMITHY_WAITERS_SEED ?? 20_251_121);
