/**
 * The waiter.
 *
 * @module
 */

import { drive } from "./driver.js";
import { EngineWaiter } from "./engine.js";
import { type ErrorFacts, factsOfGiven, factsOfThrown, messageOf } from "./error-facts.js";
import { asked, DefinitionError, OptionsError } from "./errors.js";
import { told } from "./json.js";
import { filled, hold, notedCodes, release } from "./kernel.js";
import { type Call, checkNames, engineOptions, partOptions, type StartOptions, type WaitOptions } from "./options.js";
import type { Outcome } from "./outcome.js";
import { drawnSeed } from "./seed.js";
import { type Seen, Verdict } from "./verdict.js";
import { Wait } from "./wait.js";

/** How a waiter is made. */
export interface WaiterOptions {
  /** The waiter's name, which messages use: an upper case letter, followed by letters and digits. */
  readonly name?: string | undefined;
}

/** A waiter: one Waiter structure of the specification, checked when it is made. */
export class Waiter {
  /** Its name. */
  readonly name: string | undefined;
  /** The definition's `documentation`. */
  readonly documentation: string | undefined;
  /** Whether the definition says that the waiter is deprecated. */
  readonly deprecated: boolean;
  /** The definition's `tags`. */
  readonly tags: readonly string[];
  /** The acceptors as the definition has them, as JSON texts, in order. */
  readonly acceptors: readonly string[];
  /** The least delay between two attempts, in seconds: the definition's, else 2. */
  readonly minDelay: number;
  /** The greatest delay between two attempts, in seconds: the definition's, else 120. */
  readonly maxDelay: number;
  readonly #engine: EngineWaiter;

  /**
   * A waiter from its definition, an object or its JSON text.
   *
   * @throws DefinitionError for whatever the specification does not allow, with the JSON path of the culprit.
   */
  constructor(definition: object | string, options: WaiterOptions = {}) {
    checkNames(options, ["name"]);
    const text = typeof definition === "string" ? definition : textOf(definition);
    this.#engine = asked(() => new EngineWaiter(text, nameOf(options)));
    const described = told<Description>(this.#engine.describe());
    this.name = described.name;
    this.documentation = described.documentation;
    this.deprecated = described.deprecated;
    this.tags = described.tags;
    this.acceptors = described.acceptors;
    this.minDelay = described.minDelay;
    this.maxDelay = described.maxDelay;
  }

  /**
   * What follows from a response or an error, without a wait.
   *
   * @param seen `{ response }` or `{ error }`: that it is there counts, not its value. A text as `error` is its name.
   * @param options `input`: the operation's input, which `inputOutput` matchers look at.
   */
  evaluate<Response = unknown>(seen: Seen<Response>, options?: { readonly input?: unknown }): Verdict<Response> {
    const input = options === undefined ? undefined : inputOf(options);
    if (isResponse(seen)) return this.#ofResponse(seen.response, input);
    return this.#ofError(seen.error, factsOfGiven(seen.error), input);
  }

  /** Calls the operation once and answers with the verdict, which carries the response or the error. */
  async check<Response = unknown>(
    call: Call<Response>,
    options?: { readonly input?: unknown },
  ): Promise<Verdict<Response>> {
    const input = options === undefined ? undefined : inputOf(options);
    const attempt = { number: 1, remaining: Number.POSITIVE_INFINITY, signal: new AbortController().signal };
    let response: Response;
    try {
      response = await call(attempt);
    } catch (error) {
      return this.#ofError(error, factsOfThrown(error), input);
    }
    return this.#ofResponse(response, input);
  }

  /**
   * Calls the operation until an acceptor says success or failure, no acceptor matches an error, or the time is up.
   *
   * @throws WaiterError for a wait that does not succeed, OptionsError for options that do not hold.
   */
  async wait<Response = unknown, Input = unknown>(
    call: Call<Response>,
    options: WaitOptions<Input, Response>,
  ): Promise<Outcome<Response>> {
    const [start, host] = partOptions<Input, Response>(options ?? {});
    return drive(this.start<Response, Input>(start), call, host);
  }

  /**
   * Starts a wait that the caller drives step by step.
   *
   * @throws OptionsError for options that do not hold.
   */
  start<Response = unknown, Input = unknown>(options: StartOptions<Input>): Wait<Response> {
    const given = options ?? {};
    const named = engineOptions(given);
    const base = filled();
    try {
      return new Wait(asked(() => this.#engine.start(hold(named), seedFor(given))), given.input);
    } finally {
      release(base);
    }
  }

  #ofResponse<Response>(response: Response, input: unknown): Verdict<Response> {
    const engine = this.#engine;
    const base = hold(input);
    try {
      const verdict = engine.evaluateResponse(base, hold(response));
      return new Verdict({ engine, input, facts: undefined, verdict, codes: notedCodes() }, response, undefined);
    } finally {
      release(base);
    }
  }

  #ofError(error: unknown, facts: ErrorFacts, input: unknown): Verdict<never> {
    const engine = this.#engine;
    const base = hold(input);
    try {
      const verdict = engine.evaluateError(base, facts.by, facts.name);
      return new Verdict<never>({ engine, input, facts, verdict, codes: notedCodes() }, undefined, error);
    } finally {
      release(base);
    }
  }
}

interface Description {
  readonly name?: string;
  readonly documentation?: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  readonly acceptors: readonly string[];
  readonly minDelay: number;
  readonly maxDelay: number;
}

function textOf(definition: object): string {
  try {
    return JSON.stringify(definition) ?? "null";
  } catch (error) {
    const [reason] = messageOf(error).split("\n");
    const message = `the definition is not JSON: ${reason}`;
    throw new DefinitionError({ code: "invalid_json", message, path: "" }, { cause: error });
  }
}

/** A name that is no text is refused as a text is that is no name. */
function nameOf({ name }: WaiterOptions): string | undefined {
  return name === undefined || name === null ? undefined : String(name);
}

/** The engine looks at the caller's own seed itself. */
function seedFor({ seed }: { readonly seed?: unknown }): number {
  return seed === undefined || seed === null ? drawnSeed() : 0;
}

function inputOf(options: { readonly input?: unknown }): unknown {
  checkNames(options, ["input"]);
  return options.input;
}

function isResponse<Response>(seen: Seen<Response>): seen is { readonly response: Response } {
  const isObject = typeof seen === "object" && seen !== null;
  const response = isObject && "response" in seen;
  const error = isObject && "error" in seen;
  if (response === error) throw oneOfTwo(error);
  return response;
}

function oneOfTwo(both: boolean): OptionsError {
  return both
    ? new OptionsError({ code: "conflicting_options", option: "error", message: "`response` and `error` exclude each other" })
    : new OptionsError({ code: "missing_option", option: "response", message: "`response` or `error` is missing" });
}
