/**
 * Invalid values in messages.
 *
 * @module
 */

/** Returns an invalid value for messages: a number or a boolean itself, the class or the tag of an object, or the type of another value. */
export function displayInput(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const name = typeof value === "object" && value !== null && !Array.isArray(value) ? kindOf(value) : "";
  return name === "" ? typeName(value) : `\`${name}\``;
}

/** Returns the name of an object's class, or else its tag, such as `Generator`; empty for a plain object. */
function kindOf(value: object): string {
  const name = className(value);
  if (name !== "" && name !== "Object") return name;
  try {
    const { [Symbol.toStringTag]: tag } = value as { [Symbol.toStringTag]?: unknown };
    return typeof tag === "string" ? tag : "";
  } catch {
    return "";
  }
}

/** Returns the type of a value with an article, for messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

/** Returns the name of an object's class; empty if it has none or if its getter throws. */
export function className(value: object): string {
  try {
    const { name } = value.constructor;
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}
