/**
 * Invalid values in messages.
 *
 * @module
 */

/** Returns an invalid value for messages: a number or a boolean itself, the class of an object, or the type of another value. */
export function displayInput(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const name = typeof value === "object" && value !== null && !Array.isArray(value) ? className(value) : "";
  return name === "" || name === "Object" ? typeName(value) : `\`${name}\``;
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
