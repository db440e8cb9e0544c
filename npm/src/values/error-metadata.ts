/**
 * The names and messages of errors, for matching.
 *
 * @module
 */

import { BY_CLASS, BY_CLASS_FOR_DISPLAY, BY_CODE, BY_CODES, NAME_SEPARATOR, UNNAMED } from "../constants.js";
import { className, displayInput } from "./display.js";
import { rejectPromise } from "./promise.js";

/** The separator of several names, which no name contains. */
const SEPARATOR = String.fromCharCode(NAME_SEPARATOR);

/** The number of characters to which the text of a thrown value is truncated. */
const LONGEST_DISPLAY = 200;

/** The message of every error of Node's `fetch`. */
const FETCH_FAILED = "fetch failed";

/** The name and the message of an error. */
export interface ErrorMetadata {
  /** The source of the name, as a number of the engine. */
  readonly by: number;
  /** The name; several names are separated by `SEPARATOR`. */
  readonly name: string;
  readonly message: string;
}

/** The options for the names of errors. */
export interface NamingOptions {
  /**
   * A function that returns the names of an error; an `errorType` matcher matches if one of them is equal to its value. If it
   * returns null or undefined, the default names apply: the `name` of a service error and its code, or the name of the class. An
   * error that it throws ends the wait and is thrown unchanged. See docs/rules.md#error-names.
   */
  readonly errorNames?: ((error: unknown) => readonly string[] | null | undefined) | null | undefined;
  /**
   * `true` to match only errors of services, and never errors by the names of their classes.
   *
   * @default false
   */
  readonly serviceErrorsOnly?: boolean | null | undefined;
}

/** Determines the names of errors. */
export class Naming {
  readonly #errorNames: NamingOptions["errorNames"];
  readonly #serviceErrorsOnly: boolean;

  constructor({ errorNames, serviceErrorsOnly }: NamingOptions) {
    this.#errorNames = errorNames;
    this.#serviceErrorsOnly = serviceErrorsOnly ?? false;
  }

  /** Returns the metadata of an error that the caller reports. A string is the name of a service error. */
  ofErrorOrName(error: unknown): ErrorMetadata {
    return typeof error === "string" ? { by: BY_CODE, name: error, message: "" } : this.ofException(error);
  }

  /** Returns the metadata of a thrown value. A string is only a message. */
  ofException(error: unknown): ErrorMetadata {
    const names = rejectPromise("errorNames", this.#errorNames?.(error)) ?? undefined;
    if (names !== undefined) return metadataWithNames(names, messageOrEmpty(error));
    const metadata = defaultMetadata(error);
    return metadata.by === BY_CLASS && this.#serviceErrorsOnly ? { ...metadata, by: BY_CLASS_FOR_DISPLAY } : metadata;
  }
}

/** Returns the first name of an error; empty if it has none. */
export function firstName({ name }: ErrorMetadata): string {
  return name.split(SEPARATOR, 1)[0] ?? "";
}

function metadataWithNames(names: unknown, message: string): ErrorMetadata {
  if (!Array.isArray(names)) throw invalidNames(displayInput(names));
  const other = names.findIndex((name) => typeof name !== "string");
  if (other >= 0) throw invalidNames(`${displayInput(names[other])} at index ${other}`);
  const name = names.map((name) => name.replaceAll(SEPARATOR, "\ufffd")).join(SEPARATOR);
  return { by: names.length === 0 ? UNNAMED : BY_CODES, name, message };
}

function invalidNames(got: string): TypeError {
  return new TypeError(`\`errorNames\` must return an array of strings or null, got ${got}`);
}

function defaultMetadata(error: unknown): ErrorMetadata {
  const message = messageOrEmpty(error);
  const name = typeof error === "object" && error !== null ? nameOf(error) : "";
  if (name === "") return { by: UNNAMED, name, message };
  if (!isServiceError(error as object)) return { by: BY_CLASS, name, message };
  // The name is the name of the error shape. Waiters may also use the code, which differs from it in the AWS query protocol.
  const code = textMember(error as object, "Code") || name;
  return code === name ? { by: BY_CODE, name, message } : metadataWithNames([name, code], message);
}

/** Returns the default name of an error; empty if it has none. */
export function nameOf(error: object): string {
  const name = textMember(error, "name");
  // A subclass of `Error` that does not set `name` inherits the name "Error"; its class name is more specific.
  return name === "" || (name === "Error" && !isServiceError(error)) ? className(error) || name : name;
}

/** Returns `true` for an error of a client that was generated from a Smithy model: its errors have a member `$fault`. */
function isServiceError(error: object): boolean {
  return textMember(error, "name") !== "" && read(() => "$fault" in error) === true;
}

/** Tells whether an error only reports that a call was aborted, as those of `fetch`, the AWS SDK and axios do. */
export function isAbort(error: object): boolean {
  return textMember(error, "name") === "AbortError" || textMember(error, "code") === "ERR_CANCELED";
}

function messageOrEmpty(error: unknown): string {
  return error === undefined || error === null ? "" : messageOf(error);
}

/** Returns the message of an error, or the error as text if it has no message. Never throws. */
export function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null ? read(() => (error as Error).message) : undefined;
  if (message === FETCH_FAILED) return messageOfFetch(error as object);
  const text = typeof message === "string" ? message : read(() => displayValue(error));
  return typeof text === "string" ? text : "an error that cannot be shown";
}

/** Returns the message of an error of Node's `fetch` with its reason, which only the cause has. */
function messageOfFetch(error: object): string {
  const cause = read(() => (error as Error).cause);
  const reason = typeof cause === "object" && cause !== null ? textMember(cause, "message") || textMember(cause, "code") : "";
  return reason === "" ? FETCH_FAILED : `${FETCH_FAILED}: ${reason}`;
}

/** Returns the name and the message of an error as one text. */
export function displayError(error: unknown): string {
  const name = typeof error === "object" && error !== null ? nameOf(error) : "";
  return name === "" ? messageOf(error) : `${name}: ${messageOf(error)}`;
}

/** Returns the text of a thrown value without a message: the status of a `Response`, or JSON for an object without a text form. */
function displayValue(error: unknown): string {
  const text = String(error);
  if (!/^\[object \w+\]$/.test(text)) return text;
  const { status, statusText } = error as Response;
  const display = typeof statusText === "string" ? `${status} ${statusText}`.trim() : JSON.stringify(error);
  return display.length > LONGEST_DISPLAY ? `${display.slice(0, LONGEST_DISPLAY)}\u2026` : display;
}

/** Returns a member that is a string; empty if there is none. */
export function textMember(error: object, member: string): string {
  const value = read(() => (error as Record<string, unknown>)[member]);
  return typeof value === "string" ? value : "";
}

/** Returns the result of a read; `undefined` if a getter of the error throws. */
export function read(member: () => unknown): unknown {
  try {
    return member();
  } catch {
    return undefined;
  }
}
