/**
 * What a definition was meant to be: its members that are misspelt, and other things that were given in its place. The same as
 * in `core/src/definition/hints.rs`, which the wasm has not.
 *
 * For definitions that people write. Those of models may be of a later version of the specification, which knows more.
 *
 * @module
 */

import { DefinitionError } from "./errors.js";
import { nearest } from "./hint.js";

/** Makes a waiter of a definition's text; an error says what may have been meant. */
export function written<T>(text: string, make: () => T): T {
  const given = parsed(text);
  refuseMisspelt(given);
  return hinted(make, () => instead(given));
}

/** Makes something of a model's text; an error says where that may be its path. */
export function ofModel<T>(text: string, make: () => T): T {
  return hinted(make, ({ code }) => (code === "invalid_json" && /^[^{]*\w[^{]*$/.test(text) ? "a text is the model itself, not its path" : undefined));
}

function hinted<T>(make: () => T, hint: (error: DefinitionError) => string | undefined): T {
  try {
    return make();
  } catch (error) {
    const more = error instanceof DefinitionError ? hint(error) : undefined;
    if (more === undefined) throw error;
    const { code, message, path } = error as DefinitionError;
    throw new DefinitionError({ code, message: `${message}; ${more}`, path });
  }
}

const WAITER = ["acceptors", "deprecated", "documentation", "maxDelay", "minDelay", "redact", "tags"];
const ACCEPTOR = ["matcher", "message", "state"];
const PATH_MATCHER = ["comparator", "expected", "path"];

const BOTOCORES = "this is botocore's form of a waiter, which is another than Smithy's";

/** How many waiters of a map are listed. */
const LISTED = 5;

type Members = { readonly [name: string]: unknown };

/** What is no JSON is the engine's to refuse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// SPEC: D9. Unknown members are ignored; but for those that look like a known one that is not there.
function refuseMisspelt(definition: unknown): void {
  refuseMisspeltIn(definition, "", "a waiter", WAITER);
  const { acceptors } = membersOf(definition);
  if (!Array.isArray(acceptors)) return;
  acceptors.forEach((acceptor: unknown, index) => {
    const at = `acceptors[${index}].`;
    refuseMisspeltIn(acceptor, at, "an acceptor", ACCEPTOR);
    const matcher = membersOf(membersOf(acceptor)["matcher"]);
    for (const name of ["inputOutput", "output"]) refuseMisspeltIn(matcher[name], `${at}matcher.${name}.`, "a path matcher", PATH_MATCHER);
  });
}

function refuseMisspeltIn(value: unknown, at: string, what: string, known: readonly string[]): void {
  const members = membersOf(value);
  for (const name of Object.keys(members).sort()) {
    // Whatever the style it is written in.
    const letters = name.replace(/[_\- ]/g, "").toLowerCase();
    // Short names have many alike.
    const meant = known.includes(name) ? undefined : nearest(letters, known, ({ length }) => (length > 5 ? 2 : 1));
    if (meant === undefined || (Object.hasOwn(members, meant) && meant.toLowerCase() !== letters)) continue;
    throw unknown(`${at}${name}`, `${what} has no such member, did you mean \`${meant}\`?`);
  }
}

/** What was given, where it is no waiter, but something else that is known. */
function instead(given: unknown): string | undefined {
  const members = membersOf(given);
  if ("acceptors" in members) return isBotocores(members["acceptors"]) ? BOTOCORES : undefined;
  if ("shapes" in members) return "this is a model: take a waiter of it by its name";
  if ("waiters" in members) return BOTOCORES;
  const names = namesOfWaiters(membersOf(members["smithy.waiters#waitable"] ?? members));
  return names && `this is a map of waiters (${names}): give one of them`;
}

/** Whether the matchers of acceptors are words, as botocore has them. */
function isBotocores(acceptors: unknown): boolean {
  return Array.isArray(acceptors) && typeof membersOf(acceptors[0])["matcher"] === "string";
}

/** The names of waiters, by which they are in a map. */
function namesOfWaiters(map: Members): string | undefined {
  const names = Object.keys(map).sort();
  if (names.length === 0 || !names.every((name) => "acceptors" in membersOf(map[name]))) return undefined;
  const listed = names.slice(0, LISTED).map((name) => `\`${name}\``);
  return (names.length > LISTED ? [...listed, "…"] : listed).join(", ");
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function unknown(path: string, message: string): DefinitionError {
  return new DefinitionError({ code: "unknown_member", message: `\`${path}\`: ${message}`, path });
}
