/**
 * Whatever a host has, as data that JSON and structured clones can hold.
 *
 * @module
 */

import { ARRAY, FALSE, NUMBER, OBJECT, STRING, TRUE } from "../engine/constants.js";
import { isSet, itemsOf, kindOf, memberNames, memberOf, numberOf, textOf } from "./data-model.js";
import { messageOf, nameOf } from "./error-metadata.js";

/** What JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** How deep data goes, and how many values of it: beyond, a text stands for the rest. */
const DEEPEST = 32;
const MOST_VALUES = 100_000;
const TOO_LARGE = "<too large>";

/**
 * A value as the engine reads it: dates are epoch seconds, bytes base64, sets arrays, what is no data null. Errors have
 * their name and message, too. Never throws: a text in angle brackets stands for what goes in a circle, goes too far, or
 * cannot be read.
 */
export function plain(value: unknown): JsonValue {
  return new Copy().of(value);
}

class Copy {
  readonly #within = new Set<unknown>();
  #values = 0;

  of(value: unknown): JsonValue {
    if (this.#within.has(value)) return "<circular>";
    if (this.#within.size === DEEPEST) return "<too deep>";
    if (++this.#values > MOST_VALUES) return TOO_LARGE;
    try {
      return this.#whole(value);
    } catch (error) {
      return unreadable(error);
    }
  }

  #whole(value: unknown): JsonValue {
    switch (kindOf(value)) {
      case TRUE:
      case FALSE:
        return kindOf(value) === TRUE;
      case NUMBER:
        return finite(numberOf(value));
      case STRING:
        return textOf(value);
      case ARRAY:
        return this.#in(value, () => this.#items(itemsOf(value)));
      case OBJECT:
        return this.#in(value, () => Object.fromEntries(this.#members(value as object)));
      default:
        return null;
    }
  }

  /** Item by item: a sparse array has fewer of them than its length says, and holes are items like others here. */
  #items(items: readonly unknown[]): JsonValue[] {
    const copies: JsonValue[] = [];
    for (let index = 0; index < items.length; index++) {
      if (this.#values >= MOST_VALUES) {
        copies.push(TOO_LARGE);
        break;
      }
      copies.push(this.of(items[index]));
    }
    return copies;
  }

  *#members(object: object): Generator<[string, JsonValue]> {
    const isError = object instanceof Error;
    if (isError) {
      yield ["name", this.of(nameOf(object))];
      yield ["message", this.of(object.message)];
    }
    for (const name of memberNames(object)) {
      // Of an error, what clients keep of the connection is no fact.
      const member = isError && NO_FACTS.includes(name) ? undefined : this.#member(object, name);
      if (member !== undefined) yield [name, member];
    }
    if (isError && object.cause !== undefined) yield ["cause", this.of(object.cause)];
  }

  #member(object: object, name: string): JsonValue | undefined {
    try {
      const member = memberOf(object, name);
      return isSet(member) ? this.of(member) : undefined;
    } catch (error) {
      return unreadable(error);
    }
  }

  #in<T>(value: unknown, copy: () => T): T {
    this.#within.add(value);
    try {
      return copy();
    } finally {
      this.#within.delete(value);
    }
  }
}

const NO_FACTS: readonly string[] = ["name", "message", "stack", "cause", "$response"];

function unreadable(error: unknown): string {
  return `<unreadable: ${messageOf(error)}>`;
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
