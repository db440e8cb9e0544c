/**
 * What is known of an error that a call ended with: the name to match it by, and its message.
 *
 * @module
 */

/** Whose name it is, by the numbers that `bindings-js/src/waiter.rs` has too. */
const BY_CODE = 0;
const BY_CLASS = 1;
const UNNAMED = 2;

/** The facts of an error. */
export interface ErrorFacts {
  readonly by: number;
  readonly name: string;
  readonly message: string;
}

/** The facts of an error that a caller tells of: a text is its name, as a service would give it. */
export function factsOfGiven(error: unknown): ErrorFacts {
  return typeof error === "string" ? { by: BY_CODE, name: error, message: "" } : factsOfThrown(error);
}

/** The facts of what a call threw: a text is only a message. */
export function factsOfThrown(error: unknown): ErrorFacts {
  if (error === undefined || error === null) return { by: UNNAMED, name: "", message: "" };
  const message = messageOf(error);
  if (typeof error !== "object") return { by: UNNAMED, name: "", message };
  const name = textMember(error, "name");
  // Clients that are generated from Smithy models say so by `$fault`; the name is then the error's shape.
  if (name !== "" && read(() => "$fault" in error) === true) return { by: BY_CODE, name, message };
  // A class that extends Error and sets no name of its own has the one that says nothing.
  const shown = (name === "Error" ? "" : name) || className(error) || name;
  return shown === "" ? { by: UNNAMED, name: "", message } : { by: BY_CLASS, name: shown, message };
}

/** An error's message, else the error as a text; never throws. */
export function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null ? read(() => (error as Error).message) : undefined;
  const text = typeof message === "string" ? message : read(() => String(error));
  return typeof text === "string" ? text : "an error that cannot be shown";
}

function className(error: object): string {
  const name = read(() => error.constructor.name);
  return typeof name === "string" ? name : "";
}

function textMember(error: object, member: string): string {
  const value = read(() => (error as Record<string, unknown>)[member]);
  return typeof value === "string" ? value : "";
}

/** What a read gives; nothing where the error's own code throws. */
function read(member: () => unknown): unknown {
  try {
    return member();
  } catch {
    return undefined;
  }
}
