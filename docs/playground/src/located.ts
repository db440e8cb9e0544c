/** Values of a JSON text with their places in it. */

import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Parts, Problem, Range } from "./protocol.js";

/** The parsed text, or the problem that keeps it from being JSON. */
export interface Parsed {
  readonly root: Node | undefined;
  readonly value: unknown;
  readonly problem: Problem | undefined;
}

/** More parts than can be highlighted quickly. */
const MOST_PARTS = 1_000;

/** Parses a text as strict JSON. */
export function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text), root: treeOf(text), problem: undefined };
  } catch (error) {
    return { value: undefined, root: undefined, problem: problemOf(text, error as Error) };
  }
}

/** Returns the depth to which objects and arrays of a text are nested. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [mark] of text.matchAll(/"(?:\\.|[^"\\])*"|[[\]{}]/g)) {
    if (mark === "[" || mark === "{") deepest = Math.max(deepest, ++depth);
    else if (mark === "]" || mark === "}") depth--;
  }
  return deepest;
}

/** Returns the tree of a valid text; `undefined` if it is nested too deeply for the parser. */
function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function problemOf(text: string, error: Error): Problem {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, { disallowComments: true });
  } catch {
    return { from: 0, to: 0, message: "nested too deeply" };
  }
  const [first] = errors;
  if (first === undefined) return { from: 0, to: 0, message: error.message };
  const name = printParseErrorCode(first.error);
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return { from: first.offset, to: first.offset + first.length, message: `not JSON: ${words}` };
}

/** The place of a node; that of a member includes its name. */
export function rangeOf(node: Node): Range {
  const whole = node.parent?.type === "property" ? node.parent : node;
  return { from: whole.offset, to: whole.offset + whole.length };
}

/** Returns the node at a path such as `acceptors[0].matcher`, or the nearest one above it. */
export function nodeAt(root: Node, path: string): Node {
  const segments = [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)];
  let node = root;
  for (const [, index, quoted, name] of segments) {
    const segment = index === undefined ? (quoted ?? name ?? "") : Number(index);
    const next = findNodeAtLocation(node, [segment]);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

/**
 * A copy of a document's value whose parts can be found in its text.
 *
 * The engine returns the values that an expression selects unchanged. So each value of the copy is an object of its own, with
 * numbers, texts and booleans in boxes, and a place. Each member that the engine reads is noted, for results that are computed.
 */
export class Located {
  readonly value: unknown;
  readonly #places = new Map<unknown, Node>();
  readonly #reads = new Set<Node>();

  constructor(root: Node | undefined) {
    this.value = root === undefined ? null : this.#copy(root);
  }

  /** Forgets the parts that were read so far. */
  reset(): void {
    this.#reads.clear();
  }

  /** Returns the parts for the result of an expression. */
  partsOf(result: unknown): Parts {
    const values: readonly unknown[] = Array.isArray(result) && !this.#places.has(result) ? result.slice(0, MOST_PARTS) : [result];
    const selected = values.map((value) => this.#places.get(value));
    if (selected.length > 0 && selected.every((node) => node !== undefined)) return { selected: selected.map(rangeOf), read: [] };
    const inner = new Set<Node>();
    for (const node of this.#reads) for (let up = containerOf(node); up; up = containerOf(up)) inner.add(up);
    return { selected: [], read: [...this.#reads].filter((node) => !inner.has(node)).slice(0, MOST_PARTS).map(rangeOf) };
  }

  #copy(node: Node): unknown {
    const copy = this.#copyOf(node);
    if (copy !== null) this.#places.set(copy, node);
    return copy;
  }

  #copyOf(node: Node): unknown {
    // `Object` puts a text, a number or a boolean in a box.
    if (node.type !== "object" && node.type !== "array") return node.value === null ? null : Object(node.value);
    const children = node.children ?? [];
    const copy: object = node.type === "array" ? [] : Object.create(null);
    const members: readonly (readonly [string, Node])[] =
      node.type === "array"
        ? children.map((child, index) => [String(index), child])
        : // Of members with the same name, JSON.parse takes the last one.
          [...new Map(children.flatMap(({ children: [name, value] = [] }) => (name && value ? [[String(name.value), value] as const] : [])))];
    const nodes = new Map(members);
    for (const [name, child] of members) Object.defineProperty(copy, name, { value: this.#copy(child), enumerable: true, configurable: true, writable: true });
    return new Proxy(copy, {
      get: (target, name) => {
        const child = typeof name === "string" ? nodes.get(name) : undefined;
        this.#reads.add(child ?? node);
        return Reflect.get(target, name) as unknown;
      },
    });
  }
}

/** Returns the object or array around a node. */
function containerOf({ parent }: Node): Node | undefined {
  return parent?.type === "property" ? parent.parent : parent;
}
