/**
 * Definitions and models on their way to the engine, as JSON texts.
 *
 * @module
 */

import { DefinitionError } from "../errors.js";
import { checkNames } from "../values/checks.js";
import { messageOf } from "../values/error-metadata.js";

/** The service of a model's operation, where the caller names one. */
export function serviceOf(options: { readonly service?: unknown }): string | undefined {
  checkNames(options, ["service"]);
  const { service } = options;
  return service === undefined || service === null ? undefined : String(service);
}

/** A definition, a part of one or a model as JSON text. */
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

/** Refuses NaN and the infinities, which would become null, by their place. */
function onlyNumbersOfJson(): (this: object, name: string, value: unknown) => unknown {
  const places = new Map<object, string>();
  return function (this: object, name: string, value: unknown): unknown {
    const path = placeOf(places.get(this), name, Array.isArray(this));
    if (typeof value === "object" && value !== null) places.set(value, path);
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    throw new DefinitionError({ code: "invalid_json", message: `\`${path}\`: ${value} is no number of JSON`, path });
  };
}

function placeOf(holder: string | undefined, name: string, isItem: boolean): string {
  if (isItem) return `${holder}[${name}]`;
  return holder === undefined || holder === "" ? name : `${holder}.${name}`;
}
