/**
 * The conversion of JavaScript values to plain data, for JSON and structured clones.
 *
 * @module
 */

import { ARRAY, CIRCULAR, DEEPEST, FALSE, MOST_VALUES, NUMBER, OBJECT, STRING, TOO_DEEP, TOO_LARGE, TRUE } from "../constants.js";
import { isPlain, isSet, itemsOf, kindOf, memberNames, memberOf, numberOf, textOf } from "./data-model.js";
import { messageOf, nameOf } from "./error-metadata.js";

/** A value that JSON can represent. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * Converts a value to plain data, as the engine reads it: dates are epoch seconds, bytes are base64, sets are arrays, and functions
 * in arrays and plain objects are null. The data of an error also contains its name and message. Never throws: a text in angle
 * brackets replaces a circular reference, a value that is too deep or too large, and a value that cannot be read. See
 * docs/rules.md#json-of-reports.
 */
export function plain(value: unknown): JsonValue {
  return new Copy().copy(value);
}

class Copy {
  readonly #within = new Set<unknown>();
  #values = 0;

  copy(value: unknown): JsonValue {
    if (this.#within.has(value)) return CIRCULAR;
    if (this.#within.size === DEEPEST) return TOO_DEEP;
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
        return wellFormed(textOf(value));
      case ARRAY:
        return this.#in(value, () => this.#items(itemsOf(value)));
      case OBJECT:
        return this.#in(value, () => Object.fromEntries(this.#members(value as object)));
      default:
        return null;
    }
  }

  #items(items: readonly unknown[]): JsonValue[] {
    const copies: JsonValue[] = [];
    // Unlike `map`, a loop over the indices converts the holes of a sparse array, and stops at the limit.
    for (let index = 0; index < items.length; index++) {
      if (this.#values >= MOST_VALUES) {
        copies.push(TOO_LARGE);
        break;
      }
      copies.push(this.copy(items[index]));
    }
    return copies;
  }

  *#members(object: object): Generator<[string, JsonValue]> {
    const isError = object instanceof Error;
    if (isError) {
      yield ["name", this.copy(nameOf(object))];
      yield ["message", this.copy(object.message)];
    }
    for (const name of memberNames(object)) {
      const isFull = this.#values >= MOST_VALUES;
      const member = isError && OMITTED_OF_ERRORS.includes(name) ? undefined : this.#member(object, name);
      if (member !== undefined) yield [wellFormed(name), member];
      // A single text replaces the remaining members.
      if (isFull) break;
    }
    if (isError && object.cause !== undefined) yield ["cause", this.copy(object.cause)];
  }

  #member(object: object, name: string): JsonValue | undefined {
    try {
      const member = memberOf(object, name);
      if (isSet(member)) return this.copy(member);
      // The methods of other objects are not data.
      return typeof member === "function" && isPlain(object) ? null : undefined;
    } catch (error) {
      return unreadable(error);
    }
  }

  #in<T>(value: unknown, run: () => T): T {
    this.#within.add(value);
    try {
      return run();
    } finally {
      this.#within.delete(value);
    }
  }
}

/** The members of errors that are omitted: those that are copied separately, the stack, and the client's connection. */
const OMITTED_OF_ERRORS: readonly string[] = ["name", "message", "stack", "cause", "$response"];

/** Replaces lone surrogates, which UTF-8 cannot express, by U+FFFD, as the engine reads them. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

function unreadable(error: unknown): string {
  return `<unreadable: ${messageOf(error)}>`;
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
