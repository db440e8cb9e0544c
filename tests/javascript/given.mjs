/** What vectors give: JSON with three markers for what JSON cannot say (`tests/README.md`). */

const NUMBERS = { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, "-Infinity": Number.NEGATIVE_INFINITY };

/** The value with its markers resolved. */
export function resolve(value) {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  if ("$text" in value) return value.$text.map((part) => (typeof part === "string" ? part : part[0].repeat(part[1]))).join("");
  if ("$number" in value) return NUMBERS[value.$number];
  if ("$absent" in value) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
}

/** The error that `{code | name | class, message?}` or `{none}` stands for. */
export function errorOf({ code, name, class: className, message }) {
  if (code !== undefined) return Object.assign(new Error(message), { name: code, $fault: "client" });
  if (className !== undefined) return Object.assign(new Error(message), { name: className });
  return name ?? null;
}

export function messageOf(error) {
  return error === undefined ? null : error.message;
}
