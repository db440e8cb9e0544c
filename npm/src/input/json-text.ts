/**
 * The JSON texts of definitions, models and saved waits.
 *
 * @module
 */

import { DefinitionError, StateError } from "../errors/waiter.js";
import { messageOf } from "../values/error-metadata.js";
import { checkNames } from "./checks.js";

/** Returns the option `service`, and rejects unknown options. */
export function serviceOf(options: { readonly service?: unknown }): string | undefined {
  checkNames(options, ["service"]);
  const { service } = options;
  return service === undefined || service === null ? undefined : String(service);
}

/**
 * Returns the JSON text of a definition, a model or an extension.
 *
 * @throws DefinitionError if it cannot be converted to JSON.
 */
export function textOf(what: "definition" | "extension" | "model" | "short form", source: object | string): string {
  if (typeof source === "string") return source;
  try {
    return JSON.stringify(source, what === "model" ? undefined : onlyNumbersOfJson()) ?? "null";
  } catch (error) {
    if (error instanceof DefinitionError) throw error;
    const [reason] = messageOf(error).split("\n");
    const message = `the ${what} is not JSON: ${reason}`;
    throw new DefinitionError({ code: "invalid_json", message, path: "" }, { cause: error });
  }
}

/**
 * Returns the JSON text of a saved wait or of saved waits of a fleet.
 *
 * @throws StateError if the data is not JSON, and so was not returned by `Wait#toJSON`.
 */
export function savedText(saved: unknown): string {
  if (typeof saved === "string") return saved;
  try {
    return JSON.stringify(saved) ?? "";
  } catch (error) {
    throw new StateError({ code: "damaged_state", message: `the saved wait is damaged: ${messageOf(error)}` });
  }
}

/** Returns a replacer that rejects NaN and the infinities, which `JSON.stringify` would convert to null. */
function onlyNumbersOfJson(): (this: object, name: string, value: unknown) => unknown {
  const paths = new Map<object, string>();
  return function (this: object, name: string, value: unknown): unknown {
    const path = pathTo(paths.get(this), name, Array.isArray(this));
    if (typeof value === "object" && value !== null) paths.set(value, path);
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    throw new DefinitionError({ code: "invalid_json", message: `\`${path}\` must be a JSON number, got ${value}`, path });
  };
}

function pathTo(holder: string | undefined, name: string, isItem: boolean): string {
  if (isItem) return `${holder}[${name}]`;
  return holder === undefined || holder === "" ? name : `${holder}.${name}`;
}
