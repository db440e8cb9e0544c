/**
 * What is known of an error that a call ended with: the name to match it by, and its message.
 *
 * @module
 */

import { BY_CLASS, BY_CLASS_FOR_DISPLAY, BY_CODE, BY_CODES, NAME_SEPARATOR, UNNAMED } from "../engine/constants.js";
import { rejectPromise } from "./promise.js";

/** Between names; no name has it. */
const BETWEEN_NAMES = String.fromCharCode(NAME_SEPARATOR);

/** The characters that are shown of a value that was thrown. */
const LONGEST_DISPLAY = 200;

/** The facts of an error. */
export interface ErrorMetadata {
  readonly by: number;
  readonly name: string;
  readonly message: string;
}

/** How the caller of a waiter wants errors to be named. */
export interface NamingOptions {
  /**
   * Gives the names of an error, any of which `errorType` matchers match; null or undefined for the usual ones. What it
   * throws is thrown as it is.
   */
  readonly errorNames?: ((error: unknown) => readonly string[] | null | undefined) | null | undefined;
  /** Whether errors are matched by what a service names them only, and never by the names of their classes. */
  readonly serviceErrorsOnly?: boolean | null | undefined;
}

/** Finds the names of errors. */
export class Naming {
  readonly #errorNames: NamingOptions["errorNames"];
  readonly #serviceErrorsOnly: boolean;

  constructor({ errorNames, serviceErrorsOnly }: NamingOptions) {
    this.#errorNames = errorNames;
    this.#serviceErrorsOnly = serviceErrorsOnly ?? false;
  }

  /** The facts of an error that a caller tells of: a text is its name, as a service would give it. */
  ofErrorOrName(error: unknown): ErrorMetadata {
    return typeof error === "string" ? { by: BY_CODE, name: error, message: "" } : this.ofException(error);
  }

  /** The facts of what a call threw: a text is only a message. */
  ofException(error: unknown): ErrorMetadata {
    const names = rejectPromise("errorNames", this.#errorNames?.(error)) ?? undefined;
    if (names !== undefined) return factsByNames(names, messageOrEmpty(error));
    const facts = usualFacts(error);
    return facts.by === BY_CLASS && this.#serviceErrorsOnly ? { ...facts, by: BY_CLASS_FOR_DISPLAY } : facts;
  }
}

/** Returns the first name of an error; empty if it has none. */
export function firstName({ name }: ErrorMetadata): string {
  return name.split(BETWEEN_NAMES, 1)[0] ?? "";
}

function factsByNames(names: unknown, message: string): ErrorMetadata {
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
    throw new TypeError("`errorNames` must give an array of strings or null");
  }
  const name = names.map((name) => name.replaceAll(BETWEEN_NAMES, "\ufffd")).join(BETWEEN_NAMES);
  return { by: names.length === 0 ? UNNAMED : BY_CODES, name, message };
}

function usualFacts(error: unknown): ErrorMetadata {
  const message = messageOrEmpty(error);
  const name = typeof error === "object" && error !== null ? nameOf(error) : "";
  if (name === "") return { by: UNNAMED, name, message };
  if (!isServiceError(error as object)) return { by: BY_CLASS, name, message };
  // The name is that of the shape. A model's waiters may name the code, which is another one in AWS's query protocol.
  const code = textMember(error as object, "Code") || name;
  return code === name ? { by: BY_CODE, name, message } : factsByNames([name, code], message);
}

/** The usual name of an error; empty where it has none. */
export function nameOf(error: object): string {
  const name = textMember(error, "name");
  // A class that extends Error and sets no name of its own has the one that says nothing.
  return name === "" || (name === "Error" && !isServiceError(error)) ? className(error) || name : name;
}

/** Clients that are generated from Smithy models say so by `$fault`; the name is then the error's shape. */
function isServiceError(error: object): boolean {
  return textMember(error, "name") !== "" && read(() => "$fault" in error) === true;
}

function messageOrEmpty(error: unknown): string {
  return error === undefined || error === null ? "" : messageOf(error);
}

/** An error's message, else the error as a text; never throws. */
export function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null ? read(() => (error as Error).message) : undefined;
  const text = typeof message === "string" ? message : read(() => displayValue(error));
  return typeof text === "string" ? text : "an error that cannot be shown";
}

/** An error by its name and its message. */
export function displayError(error: unknown): string {
  const name = typeof error === "object" && error !== null ? nameOf(error) : "";
  return name === "" ? messageOf(error) : `${name}: ${messageOf(error)}`;
}

/** A thrown value that has no message: a response of fetch by its status, other objects as JSON where they say nothing themselves. */
function displayValue(error: unknown): string {
  const text = String(error);
  if (!/^\[object \w+\]$/.test(text)) return text;
  const { status, statusText } = error as Response;
  const display = typeof statusText === "string" ? `${status} ${statusText}`.trim() : JSON.stringify(error);
  return display.length > LONGEST_DISPLAY ? `${display.slice(0, LONGEST_DISPLAY)}\u2026` : display;
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
