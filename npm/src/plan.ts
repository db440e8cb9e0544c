/**
 * Expressions as the core compiled them for hosts: filters, comparisons, `length()` and `contains()` over plain values.
 *
 * What is not plain here (bytes, dates, sets, instances of classes), what a function does not take, and what costs much
 * gets no answer: the core then looks by itself. So this knows nothing that the core decides otherwise;
 * random expressions and values are held against it.
 *
 * @module
 */

import { isSet } from "./data.js";
import { arrayOf, includes, isEqual, isPlainText, isText, isTruthy, settledValue, undecided } from "./plan-values.js";
import { type Member, readerOf } from "./readers.js";

/** What an expression gives for the current value. */
type Expression = (current: unknown) => unknown;

/** How many items one look may go through; the core counts what goes beyond. */
const MOST_WORK = 1_000_000;
let work = 0;

/** Instructions by the numbers that `bindings-js/src/sheet.rs` has too; each makes an expression of the stack's newest. */
const INSTRUCTIONS: readonly ((stack: Expression[], operand: number, names: readonly string[]) => Expression)[] = [
  (stack) => and(...pair(stack)),
  (_stack, operand) => constant(operand === 1),
  (stack, operand) => compare(operand, ...pair(stack)),
  (stack) => condition(...pair(stack)),
  (stack) => contains(...pair(stack)),
  () => CURRENT,
  (stack) => flatten(one(stack)),
  (stack) => length(one(stack)),
  (stack, operand) => list(stack.splice(stack.length - operand)),
  (stack, operand, names) => member(one(stack), names[operand]!),
  (stack) => not(one(stack)),
  () => constant(null),
  (stack) => or(...pair(stack)),
  (stack) => pipe(...pair(stack)),
  (stack) => project(...pair(stack)),
  (stack) => values(one(stack)),
];

/** A plan while it is made. */
export class Plan {
  readonly #stack: Expression[] = [];

  add(instruction: number, operand: number, names: readonly string[]): void {
    const make = INSTRUCTIONS[instruction] ?? (() => undecided);
    this.#stack.push(make(this.#stack, operand, names));
  }

  addConstant(value: unknown): void {
    this.#stack.push(constant(value));
  }

  /** What the whole of it gives for a value; `undefined` where the core must look. */
  finished(): (root: unknown) => unknown {
    const whole = one(this.#stack);
    return (root) => {
      work = MOST_WORK;
      try {
        return settledValue(whole(root));
      } catch {
        return undefined;
      }
    };
  }
}

function one(stack: Expression[]): Expression {
  return stack.pop() ?? undecided;
}

function pair(stack: Expression[]): [Expression, Expression] {
  const second = one(stack);
  return [one(stack), second];
}

const CURRENT: Expression = (current) => current;

/** What some expressions are made of: what is made of those in turn is faster for knowing it. */
const constants = new WeakMap<Expression, { readonly value: unknown }>();
const filters = new WeakMap<Expression, Expression>();
const lists = new WeakMap<Expression, readonly Expression[]>();
/** Members of the current value, and what is true only where there is such a member: of no value that reads as null. */
const members = new WeakSet<Expression>();
const proofs = new WeakSet<Expression>();
/** Members that the current value has itself, and the texts that they are compared with. */
const own = new WeakMap<Expression, Member>();
const texts = new WeakMap<Expression, Member & { readonly wanted: string }>();
/** How many items filters let through, without an array of them. */
const counts = new WeakMap<Expression, (current: unknown) => number>();
/** What flattens flatten. */
const flattens = new WeakMap<Expression, Expression>();
/** Whether a value is among the items, without an array of them. */
const searches = new WeakMap<Expression, (current: unknown, wanted: unknown) => boolean>();
const projectedLists = new WeakMap<Expression, readonly [Expression, readonly Expression[]]>();

function constant(value: unknown): Expression {
  const expression = (): unknown => value;
  constants.set(expression, { value });
  return expression;
}

function member(of: Expression, name: string): Expression {
  const read = readerOf(name);
  const expression: Expression =
    of === CURRENT
      ? (current) => read(current, name)
      : (current) => {
          const value = of(current);
          return value === null || value === undefined ? null : read(value, name);
        };
  if (of === CURRENT) own.set(expression, { name, read });
  if (of === CURRENT || members.has(of)) members.add(expression);
  return expression;
}

function and(left: Expression, right: Expression): Expression {
  return (current) => {
    const value = left(current);
    return isTruthy(value) ? right(current) : value;
  };
}

function or(left: Expression, right: Expression): Expression {
  return (current) => {
    const value = left(current);
    return isTruthy(value) ? value : right(current);
  };
}

function not(of: Expression): Expression {
  return (current) => !isTruthy(of(current));
}

function condition(test: Expression, then: Expression): Expression {
  const expression: Expression = (current) => (isTruthy(test(current)) ? then(current) : null);
  if (then === CURRENT) filters.set(expression, test);
  return expression;
}

function pipe(first: Expression, second: Expression): Expression {
  return (current) => second(first(current));
}

function list(of: readonly Expression[]): Expression {
  const expression: Expression = (current) =>
    settledValue(current) === null ? null : of.map((expression) => expression(current));
  lists.set(expression, of);
  return expression;
}

function flatten(of: Expression): Expression {
  const parts = projectedLists.get(of);
  if (parts !== undefined) return flattenLists(...parts);
  const expression: Expression = (current) => {
    const items = countedItems(of(current));
    if (items === null) return null;
    return hasArrays(items) ? flattened(items) : items;
  };
  flattens.set(expression, of);
  return expression;
}

function hasArrays(items: readonly unknown[]): boolean {
  let found = false;
  for (let index = 0, { length } = items; index < length; index++) {
    const item = items[index];
    if (typeof item === "object" && item !== null && arrayOf(item) !== null) found = true;
  }
  return found;
}

function flattened(items: readonly unknown[]): readonly unknown[] {
  const flat: unknown[] = [];
  for (let index = 0, { length } = items; index < length; index++) {
    const item: unknown = items[index];
    if (!Array.isArray(item)) flat.push(item);
    else for (let place = 0; place < item.length; place++) flat.push(item[place]);
  }
  spend(flat.length);
  return flat;
}

/** The items of the lists that are made of each item: `a[].[b, c][]`. */
function flattenLists(of: Expression, list: readonly Expression[]): Expression {
  const expression: Expression = (current) => {
    const items = countedItems(of(current));
    if (items === null) return null;
    const flat: unknown[] = [];
    for (let index = 0, { length } = items; index < length; index++) {
      const item = items[index];
      if (settledValue(item) === null) continue;
      for (let place = 0; place < list.length; place++) flat.push(list[place]!(item));
    }
    spend(flat.length);
    return flat;
  };
  if (list.length === 1) searches.set(expression, searchLists(of, list[0]!));
  return expression;
}

/** Whether a value is in one of the lists, without an array of them. All of them are made: one may be an error. */
function searchLists(of: Expression, made: Expression): (current: unknown, wanted: unknown) => boolean {
  const source = flattens.get(of);
  const holds = (item: unknown, wanted: unknown): boolean =>
    settledValue(item) !== null && isEqual(settledValue(made(item)), wanted);
  const anyHolds = (items: readonly unknown[], wanted: unknown): boolean => {
    spend(items.length);
    let found = false;
    for (let index = 0, { length } = items; index < length; index++) found = holds(items[index], wanted) || found;
    return found;
  };
  return (current, wanted) => {
    const items = countedItems((source ?? of)(current)) ?? undecided();
    let found = false;
    for (let index = 0, { length } = items; index < length; index++) {
      const item: unknown = items[index];
      if (source === undefined || !Array.isArray(item)) found = holds(item, wanted) || found;
      else found = anyHolds(item, wanted) || found;
    }
    return found;
  };
}

function project(of: Expression, each: Expression): Expression {
  const test = filters.get(each);
  const made = lists.get(each);
  const projected = test === undefined ? projectEach(of, each) : filter(of, test);
  if (made !== undefined) projectedLists.set(projected, [of, made]);
  return projected;
}

function projectEach(of: Expression, each: Expression): Expression {
  return (current) => {
    const items = countedItems(of(current));
    if (items === null) return null;
    const projected: unknown[] = [];
    for (let index = 0, { length } = items; index < length; index++) {
      const value = settledValue(each(items[index]));
      if (value !== null) projected.push(value);
    }
    return projected;
  };
}

function filter(of: Expression, test: Expression): Expression {
  const proven = proofs.has(test);
  const passes = (item: unknown): boolean => isTruthy(test(item)) && (proven || settledValue(item) !== null);
  const expression: Expression = (current) => {
    const items = countedItems(of(current));
    if (items === null) return null;
    const kept: unknown[] = [];
    for (let index = 0, { length } = items; index < length; index++) {
      const item = items[index];
      if (passes(item)) kept.push(item);
    }
    return kept;
  };
  const text = texts.get(test);
  counts.set(expression, text === undefined ? countThat(of, passes) : countTexts(of, text));
  return expression;
}

function countThat(of: Expression, passes: (item: unknown) => boolean): (current: unknown) => number {
  return (current) => {
    const items = countedItems(of(current)) ?? undecided();
    let count = 0;
    for (let index = 0, { length } = items; index < length; index++) if (passes(items[index])) count++;
    return count;
  };
}

/** How many items have a text as a member: the filter that there is most often, in one loop. */
function countTexts(of: Expression, { name, read, wanted }: Member & { readonly wanted: string }): (current: unknown) => number {
  return (current) => {
    const items = countedItems(of(current)) ?? undecided();
    let count = 0;
    for (let index = 0, { length } = items; index < length; index++) {
      const value = read(items[index], name);
      if (value === wanted || isText(value, wanted)) count++;
    }
    return count;
  };
}

function values(of: Expression): Expression {
  return (current) => {
    const object = settledValue(of(current));
    if (typeof object !== "object" || object === null || Array.isArray(object)) return null;
    const all = Object.values(object).filter(isSet);
    spend(all.length);
    return all;
  };
}

function length(of: Expression): Expression {
  const count = counts.get(of);
  if (count !== undefined) return count;
  return (current) => {
    const value = settledValue(of(current));
    if (Array.isArray(value)) return value.length;
    if (typeof value === "string" && isPlainText(value)) return value.length;
    return undecided();
  };
}

function contains(subject: Expression, search: Expression): Expression {
  const searched = searches.get(subject);
  if (searched !== undefined) return (current) => searched(current, settledValue(search(current)));
  return (current) => {
    const items = subject(current);
    const wanted = settledValue(search(current));
    if (typeof items === "string") return typeof wanted === "string" && includes(items, wanted);
    const array = countedItems(items) ?? undecided();
    for (let index = 0, { length } = array; index < length; index++) {
      if (isEqual(settledValue(array[index]), wanted)) return true;
    }
    return false;
  };
}

/** By the numbers that `bindings-js/src/sheet.rs` has too. Only numbers have an order; anything else compares to null. */
const COMPARISONS: readonly ((left: unknown, right: unknown) => boolean | null)[] = [
  isEqual,
  (left, right) => (typeof left === "number" && typeof right === "number" ? left > right : null),
  (left, right) => (typeof left === "number" && typeof right === "number" ? left >= right : null),
  (left, right) => (typeof left === "number" && typeof right === "number" ? left < right : null),
  (left, right) => (typeof left === "number" && typeof right === "number" ? left <= right : null),
  (left, right) => !isEqual(left, right),
];

function compare(operand: number, left: Expression, right: Expression): Expression {
  const comparison = COMPARISONS[operand] ?? undecided;
  const wanted = constants.get(right)?.value;
  if (comparison === isEqual && typeof wanted === "string") return equalTo(left, wanted);
  return (current) => comparison(settledValue(left(current)), settledValue(right(current)));
}

function equalTo(of: Expression, wanted: string): Expression {
  const expression: Expression = (current) => {
    const value = of(current);
    return value === wanted || isText(value, wanted);
  };
  const member = own.get(of);
  if (member !== undefined) texts.set(expression, { ...member, wanted });
  if (members.has(of)) proofs.add(expression);
  return expression;
}

/** The items of an array, all of which will be looked at; null of anything else. */
function countedItems(value: unknown): readonly unknown[] | null {
  const items = arrayOf(value);
  if (items !== null) spend(items.length);
  return items;
}

function spend(items: number): void {
  work -= items;
  if (work < 0) undecided();
}
