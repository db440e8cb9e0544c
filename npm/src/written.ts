/**
 * What a definition was meant to be: its members that are misspelt, and other things that were given in its place. The same as
 * in `core/src/definition/hints.rs`, which the wasm has not.
 *
 * For definitions that people write. Those of models may be of a later version of the specification, which knows more.
 *
 * @module
 */

import { DefinitionError } from "./errors.js";
import { edits, MOST_EDITS } from "./hint.js";

/** Makes a waiter of a definition's text; an error says what may have been meant. */
export function written<T>(text: string, make: () => T): T {
  const given = parsed(text);
  refuseMisspelt(given);
  try {
    return make();
  } catch (error) {
    const hint = instead(given);
    if (hint === undefined || !(error instanceof DefinitionError)) throw error;
    const { code, message, path } = error;
    throw new DefinitionError({ code, message: `${message}; ${hint}`, path });
  }
}

const WAITER = ["acceptors", "deprecated", "documentation", "maxDelay", "minDelay", "tags"];
const ACCEPTOR = ["matcher", "message", "state"];
const PATH_MATCHER = ["comparator", "expected", "path"];

/** Names that are so short have many alike. */
const SHORT = 5;

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
    const meant = meantBy(name, members, known);
    if (meant === undefined) continue;
    const path = `${at}${name}`;
    throw new DefinitionError({ code: "unknown_member", message: `\`${path}\`: ${what} has no such member, did you mean \`${meant}\`?`, path });
  }
}

/** The known member that a name is nearest to, of those that are not there. */
function meantBy(name: string, members: Members, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const near = known
    .filter((other) => !Object.hasOwn(members, other))
    .map((other) => [edits(lettersOf(name), lettersOf(other)), other] as const)
    .filter(([distance, other]) => distance <= MOST_EDITS - (other.length <= SHORT ? 1 : 0))
    .sort(([one], [other]) => one - other);
  return near[0]?.[1];
}

/** A name's letters, whatever the style it is written in. */
function lettersOf(name: string): string {
  return name.replace(/[_\- ]/g, "").toLowerCase();
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
