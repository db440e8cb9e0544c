/**
 * Tests of plain paths, as the core compiled them, made in one crossing: members and projections, and the text that is
 * wanted at their end.
 *
 * The core makes the same tests by itself, step by step; the two are held against each other by random paths and values.
 *
 * @module
 */

import { ARRAY, itemsOf, kindOf, NULL, NUMBER, numberOf, OBJECT, STRING, textOf, valuesOf, wellFormed } from "./data.js";
import { type Member, readerOf } from "./readers.js";

/** The codes of reasons, by the numbers that the core has for them. */
export const EMPTY = 0;
const EVALUATION_ERROR = 1;
export const MATCHED = 3;
export const NOT_APPLICABLE = 5;
export const NOT_EQUAL = 6;
export const IS_NULL = 7;
export const WRONG_TYPE = 8;
/** No code: there is too much to walk through, and the core must look, which counts all work. */
export const TOO_MANY = -2;

/** How many items one walk goes through, as `PathTest::MAX_ITEMS` of the core has it. */
const MOST_ITEMS = 100_000;
/** Thrown where there are more. */
const MORE_ITEMS = Symbol("more items");

/** Which part must be the expected text, by the numbers that `bindings-js/src/sheet.rs` has too. */
const ANY = 0;
const VALUE = 2;

/** The steps of a path, likewise. */
export const FLATTEN = 0;
export const ITEMS = 1;
export const MEMBER = 2;
export const VALUES = 3;

/** A projection and the members behind it; another one behind them goes through each item of theirs. */
interface Projection {
  readonly kind: number;
  readonly members: Member[];
  next: Projection | undefined;
}

/** One test of one waiter. */
export class PathTest {
  readonly #members: Member[] = [];
  readonly #wanted: number;
  readonly #expected: string;
  /** The code of an item after which no other is looked at. */
  readonly #decides: number;
  /** Whether a text that differs may still read as the expected one: by U+FFFD for a lone surrogate. */
  readonly #odd: boolean;
  #first: Projection | undefined;
  #last: Projection | undefined;
  /** How many items may still be met. */
  #left = 0;

  constructor(wanted: number, expected: string) {
    this.#wanted = wanted;
    this.#expected = expected;
    this.#decides = wanted === ANY ? MATCHED : NOT_EQUAL;
    this.#odd = expected.includes("\ufffd");
  }

  /** Adds a step to the end of the path. */
  add(kind: number, name: string | undefined): void {
    if (kind === MEMBER) {
      const member = { name: name!, read: readerOf(name!) };
      (this.#last?.members ?? this.#members).push(member);
      return;
    }
    const projection = { kind, members: [], next: undefined };
    if (this.#last === undefined) this.#first = projection;
    else this.#last.next = projection;
    this.#last = projection;
  }

  /** What the test says of a value: the code of the reason, or `TOO_MANY`. Where the host's own code threw, that is one. */
  check(root: unknown): number {
    this.#left = MOST_ITEMS;
    try {
      return this.#look(root);
    } catch (error) {
      return error === MORE_ITEMS ? TOO_MANY : EVALUATION_ERROR;
    }
  }

  #look(root: unknown): number {
    const value = through(this.#members, root);
    if (value === undefined || value === null) return IS_NULL;
    return this.#first === undefined ? this.#whole(value) : this.#projected(value, this.#first);
  }

  /** A path without a projection: the value itself is tested, or the items of the array that it is. */
  #whole(value: unknown): number {
    if (this.#wanted === VALUE) {
      if (value === this.#expected) return MATCHED;
      if (typeof value === "string" && !this.#odd) return NOT_EQUAL;
    }
    const kind = kindOfNumberToo(value);
    if (kind === NULL) return IS_NULL;
    if (this.#wanted === VALUE) return kind === STRING ? this.#equal(value) : WRONG_TYPE;
    return kind === ARRAY ? this.#items(itemsOf(value)) : WRONG_TYPE;
  }

  #projected(value: unknown, projection: Projection): number {
    const kind = kindOf(value);
    if (kind !== (projection.kind === VALUES ? OBJECT : ARRAY)) return IS_NULL;
    const items = kind === OBJECT ? valuesOf(value as object) : itemsOf(value);
    const code = this.#each(items, projection);
    // A projection gives an array, which is no text.
    return this.#wanted === VALUE ? WRONG_TYPE : code;
  }

  /** The items of the array that is tested, nulls too. */
  #items(items: readonly unknown[]): number {
    this.#meet(items);
    const decides = this.#decides;
    let code = EMPTY;
    for (let index = 0, { length } = items; index < length; index++) {
      code = this.#equal(items[index]);
      if (code === decides) break;
    }
    return code;
  }

  /** The items of a projection, in whose place stand the items of those that it flattens. */
  #each(items: readonly unknown[], projection: Projection): number {
    this.#meet(items);
    const decides = this.#decides;
    const flattens = projection.kind === FLATTEN;
    let code = EMPTY;
    for (let index = 0, { length } = items; index < length; index++) {
      const item = items[index];
      const of = flattens ? this.#flattened(item, projection) : this.#after(item, projection);
      if (of !== EMPTY) code = of;
      if (of === decides) break;
    }
    return code;
  }

  #meet(items: readonly unknown[]): void {
    this.#left -= items.length;
    if (this.#left < 0) throw MORE_ITEMS;
  }

  /** One item of a projection that flattens: itself, or its items where it is an array. */
  #flattened(item: unknown, projection: Projection): number {
    if (typeof item !== "object" || item === null) return this.#after(item, projection);
    if (Array.isArray(item)) return this.#inner(item, projection);
    // A set is one too; but what gives a member is none.
    const code = projection.members.length === 0 ? EMPTY : this.#after(item, projection);
    if (code !== EMPTY) return code;
    if (kindOf(item) === ARRAY) return this.#inner(itemsOf(item), projection);
    return projection.members.length === 0 ? this.#after(item, projection) : EMPTY;
  }

  #inner(items: readonly unknown[], projection: Projection): number {
    this.#meet(items);
    if (projection.next === undefined) return this.#leaves(items, projection.members);
    const decides = this.#decides;
    let code = EMPTY;
    for (let index = 0, { length } = items; index < length; index++) {
      const of = this.#after(items[index], projection);
      if (of !== EMPTY) code = of;
      if (of === decides) break;
    }
    return code;
  }

  /** The items of the last projection: the loops that most of the time is spent in. */
  #leaves(items: readonly unknown[], members: readonly Member[]): number {
    const [first, second] = members;
    if (members.length === 1) return this.#leavesOf(items, first!);
    if (members.length === 2) return this.#leavesOfTwo(items, first!, second!);
    const decides = this.#decides;
    let code = EMPTY;
    for (let index = 0, { length } = items; index < length; index++) {
      const of = this.#leaf(through(members, items[index]));
      if (of !== EMPTY) code = of;
      if (of === decides) break;
    }
    return code;
  }

  #leavesOf(items: readonly unknown[], { name, read }: Member): number {
    const decides = this.#decides;
    const expected = this.#expected;
    let code = EMPTY;
    for (let index = 0, { length } = items; index < length; index++) {
      const value = read(items[index], name);
      const of = value === expected ? MATCHED : this.#leaf(value);
      if (of !== EMPTY) code = of;
      if (of === decides) break;
    }
    return code;
  }

  #leavesOfTwo(items: readonly unknown[], first: Member, { name, read }: Member): number {
    const decides = this.#decides;
    const expected = this.#expected;
    const { name: firstName, read: readFirst } = first;
    let code = EMPTY;
    for (let index = 0, { length } = items; index < length; index++) {
      const value = read(readFirst(items[index], firstName), name);
      const of = value === expected ? MATCHED : this.#leaf(value);
      if (of !== EMPTY) code = of;
      if (of === decides) break;
    }
    return code;
  }

  /** What stands at the end of a projection, where it is not just the expected text. What is null is dropped. */
  #leaf(value: unknown): number {
    if (value === undefined || value === null) return EMPTY;
    return kindOfNumberToo(value) === NULL ? EMPTY : this.#equal(value);
  }

  /** One item of a projection: its members, then the next projection or the test. What is null is dropped. */
  #after(item: unknown, { members, next }: Projection): number {
    const value = through(members, item);
    if (next !== undefined) return this.#flattened(value, next);
    return value === this.#expected ? MATCHED : this.#leaf(value);
  }

  #equal(value: unknown): number {
    if (value === this.#expected) return MATCHED;
    if (typeof value === "string" ? !this.#odd : kindOf(value) !== STRING) return NOT_EQUAL;
    return wellFormed(textOf(value)) === this.#expected ? MATCHED : NOT_EQUAL;
  }
}

/** The member of the member … of a value: short paths, as most are, without a loop. */
function through(members: readonly Member[], root: unknown): unknown {
  switch (members.length) {
    case 0:
      return root;
    case 1: {
      const { name, read } = members[0]!;
      return read(root, name);
    }
    case 2: {
      const first = members[0]!;
      const second = members[1]!;
      return second.read(first.read(root, first.name), second.name);
    }
    default:
      return members.reduce((value, { name, read }) => read(value, name), root);
  }
}

/** What is no number in JSON is null. */
function kindOfNumberToo(value: unknown): number {
  const kind = kindOf(value);
  return kind === NUMBER && !Number.isFinite(numberOf(value)) ? NULL : kind;
}
