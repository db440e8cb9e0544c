/**
 * The waiter.
 *
 * @module
 */

import type { WaiterDefinition } from "./definition.js";
import { Attempts } from "./driver/attempts.js";
import { Caller } from "./driver/caller.js";
import { drive } from "./driver/wait.js";
import { callEngine, inSlots } from "./engine/call.js";
import { EngineWaiter } from "./engine/engine.js";
import { textOf } from "./engine/json-text.js";
import { OptionsError, StateError } from "./errors.js";
import {
  type AttemptsOptions,
  type Call,
  engineOptions,
  type LimitedByAttempts,
  splitOptions,
  type StartOptions,
  type WaitOptions,
} from "./options.js";
import type { Outcome } from "./report/outcome.js";
import { checkBare, checkBoolean, checkCall, checkFunction, checkNames } from "./values/checks.js";
import { type ErrorMetadata, messageOf, Naming, type NamingOptions } from "./values/error-metadata.js";
import { optionalMillis } from "./values/millis.js";
import { type Observation, Verdict } from "./verdict.js";
import { type SavedWait, Wait } from "./wait.js";

/** How a waiter is made. */
export interface WaiterOptions extends NamingOptions {
  /**
   * The waiter's name, which messages use: an upper case letter, followed by letters and digits only (`TableExists`), as
   * the [specification](https://smithy.io/2.0/additional-specs/waiters.html#waiter-names) has it; else a `DefinitionError`,
   * code `invalid_name`.
   */
  readonly name?: string | undefined;
}

/** How a waiter of a model is made. */
export interface ModelOptions extends NamingOptions {
  /** The service's shape id or its name, where several services of the model have a waiter of that name. */
  readonly service?: string | undefined;
}

/**
 * A waiter: one Waiter structure of the specification, checked when it is made.
 *
 * Responses and inputs have the types of what it is given; `new Waiter<Input, Response>(…)` takes those of one operation
 * only.
 *
 * @example
 * ```js
 * const tableExists = new Waiter(
 *   {
 *     acceptors: [
 *       { state: "success", matcher: { output: {
 *         path: "Table.TableStatus", comparator: "stringEquals", expected: "ACTIVE" } } },
 *       { state: "retry", matcher: { errorType: "ResourceNotFoundException" } },
 *     ],
 *   },
 *   { name: "TableExists" },
 * );
 * const { attempts } = await tableExists.wait(call, { maxWaitTime: 300 });
 * ```
 */
export class Waiter<Input = unknown, Response = unknown> {
  /** Its name. */
  readonly name: string | undefined;
  /** The definition's `documentation`. */
  readonly documentation: string | undefined;
  /** Whether the definition says that the waiter is deprecated. */
  readonly deprecated: boolean;
  /** The definition's `tags`. */
  readonly tags: readonly string[];
  /**
   * The paths of the members that reasons, messages and reports do not show: the definition's `redact`, and those of the members
   * that its acceptors read and that are `@sensitive` in its model.
   */
  readonly redact: readonly string[];
  /** The acceptors as the definition has them, as JSON texts, in order. */
  readonly acceptors: readonly string[];
  /** The least delay between two attempts, in seconds: the definition's, else 2. */
  readonly minDelay: number;
  /** The greatest delay between two attempts, in seconds: the definition's, else 120. */
  readonly maxDelay: number;
  readonly #engine: EngineWaiter;
  readonly #naming: Naming;

  /**
   * A waiter from its definition, an object or its JSON text.
   *
   * @throws DefinitionError for whatever the specification does not allow, with the JSON path of the culprit.
   */
  constructor(definition: WaiterDefinition | string, options: WaiterOptions = {}) {
    const source: unknown = definition;
    const ofModel = source instanceof EngineWaiter;
    this.#naming = namingOf(options, ofModel ? "service" : "name");
    this.#engine = ofModel ? source : engineOf(textOf("definition", definition), options);
    const description = this.#engine.describe() as Description;
    this.name = description.name;
    this.documentation = description.documentation;
    this.deprecated = description.deprecated;
    this.tags = description.tags;
    this.redact = description.redact;
    this.acceptors = description.acceptors;
    this.minDelay = description.minDelayMs / 1000;
    this.maxDelay = description.maxDelayMs / 1000;
  }

  /**
   * A waiter of a Smithy model.
   *
   * @param model the model's JSON AST, parsed or as text.
   * @param waiterName the waiter's name, in any case.
   * @throws DefinitionError for what is no model or has no such waiter, or several, and for a bad definition in it.
   */
  static fromModel<Input = unknown, Response = unknown>(
    model: object | string,
    waiterName: string,
    options: ModelOptions = {},
  ): Waiter<Input, Response> {
    const { service } = options;
    const text = textOf("model", model);
    const engine = callEngine(() => EngineWaiter.fromModel(text, String(waiterName), service === undefined || service === null ? undefined : String(service)));
    return new Waiter(engine as unknown as WaiterDefinition, options as WaiterOptions);
  }

  /**
   * What follows from a response or an error, without a wait.
   *
   * @param observation `{ response }` or `{ error }`: that it is there counts, not its value. A text as `error` is its name.
   * @param options `input`: the operation's input, which `inputOutput` matchers look at.
   * @throws OptionsError where neither of the two is there, or both.
   */
  evaluate<Output extends Response = Response>(observation: Observation<Output>, options?: EvaluateOptions<Input>): Verdict<Output> {
    const input = options === undefined ? undefined : inputOf(options);
    if (isResponse(observation)) return this.#ofResponse(observation.response, input);
    return this.#ofError(observation.error, this.#naming.ofErrorOrName(observation.error), input);
  }

  /**
   * Calls the operation once and answers with the verdict, which carries the response or the error.
   *
   * @throws TypeError for a call that is no function.
   */
  async check<Output extends Response = Response>(
    call: Call<Output>,
    options?: EvaluateOptions<Input>,
  ): Promise<Verdict<Output>> {
    checkCall(call);
    const input = options === undefined ? undefined : inputOf(options);
    // Nothing cuts or cancels it.
    const result = (await new Caller({}).call(call, 1, Number.POSITIVE_INFINITY)) as Observation<Output>;
    if ("error" in result) return this.#ofError(result.error, this.#naming.ofException(result.error), input);
    return this.#ofResponse(result.response, input);
  }

  /**
   * Calls the operation until an acceptor says success or failure, an error that is not transient matches no acceptor, the service
   * does not answer for `transientWindow`, or the time is up.
   *
   * @param call is handed the attempt; give its `signal` to whatever takes one.
   * @param options `maxWaitTime` in seconds, or `maxAttempts`, at least.
   * @throws WaiterError for a wait that does not succeed, OptionsError for options that do not hold, TypeError for a call
   * that is no function: the promise rejects with it.
   */
  async wait<Output extends Response = Response, OwnInput extends Input = Input>(
    call: Call<Output>,
    options: WaitOptions<OwnInput, Output> | LimitedByAttempts<WaitOptions<OwnInput, Output>>,
  ): Promise<Outcome<Output>> {
    checkCall(call);
    const [start, host] = splitOptions<OwnInput, Output>(options ?? {});
    return drive(this.start<Output, OwnInput>(start), call, host);
  }

  /**
   * The same wait as an async iterator of its attempts, each as it has ended: instead of `onAttempt`, and without a
   * callback. Who leaves the loop cancels the wait.
   *
   * ```js
   * const attempts = tableExists.attempts(call, { maxWaitTime: 300 });
   * for await (const { attempt, state, delay } of attempts) console.log(attempt, state, delay);
   * console.log(attempts.outcome.elapsed);
   * ```
   *
   * @throws OptionsError at once, where `wait` rejects with it, for options that do not hold, and TypeError for a call that
   * is no function. A wait that does not succeed is thrown out of the loop, as a WaiterError.
   */
  attempts<Output extends Response = Response, OwnInput extends Input = Input>(
    call: Call<Output>,
    options: AttemptsOptions<OwnInput> | LimitedByAttempts<AttemptsOptions<OwnInput>>,
  ): Attempts<Output> {
    checkCall(call);
    const [start, host] = splitOptions<OwnInput, Output>(options ?? {});
    if (host.onAttempt !== undefined && host.onAttempt !== null) throw onlyOfWait("onAttempt");
    // The wait begins with the first attempt that is asked for; what it would refuse then is refused here.
    this.start<Output, OwnInput>(start).free();
    return new Attempts(() => this.start<Output, OwnInput>(start), call, host);
  }

  /**
   * Starts a wait that the caller drives step by step.
   *
   * @throws OptionsError for options that do not hold.
   */
  start<Output extends Response = Response, OwnInput extends Input = Input>(
    options: StartOptions<OwnInput> | LimitedByAttempts<StartOptions<OwnInput>>,
  ): Wait<Output> {
    const members = options ?? {};
    const ofEngine = engineOptions(members);
    const engine = inSlots((slot) => this.#engine.start(slot, Date.now()), ofEngine);
    return new Wait(engine, members.input, this.#naming);
  }

  /**
   * Resumes a saved wait, with the same delays and the same number of attempts as if it had never stopped.
   *
   * @param saved the data of `Wait#toJSON`, or its JSON text.
   * @param options `input` as for `start`; `elapsedMs`: the milliseconds since the wait started, the time away included. Without
   * it, the time away counts by the wall clock.
   * @throws StateError for a state that is damaged, of another definition or of a later version.
   */
  resume<Output extends Response = Response, OwnInput extends Input = Input>(
    saved: SavedWait | object | string,
    options: ResumeOptions<OwnInput> = {},
  ): Wait<Output> {
    checkNames(options, ["input", "elapsedMs"]);
    const elapsed = optionalMillis(options.elapsedMs);
    const text = typeof saved === "string" ? saved : savedText(saved);
    return new Wait(callEngine(() => this.#engine.resume(text, elapsed, Date.now())), options.input, this.#naming);
  }

  #ofResponse<Output>(response: Output, input: unknown): Verdict<Output> {
    const engine = this.#engine;
    const verdict = inSlots((first, second) => engine.evaluateResponse(first, second), input, response);
    return new Verdict(engine, verdict, input, undefined, response, undefined);
  }

  #ofError(error: unknown, facts: ErrorMetadata, input: unknown): Verdict<never> {
    const engine = this.#engine;
    const verdict = inSlots((slot) => engine.evaluateError(slot, facts.by, facts.name), input);
    return new Verdict<never>(engine, verdict, input, facts, undefined, error);
  }
}

/** What a verdict is made with, beside the response or error. */
export interface EvaluateOptions<Input = unknown> {
  /** The operation's input, which `inputOutput` matchers look at. */
  readonly input?: Input | undefined;
}

/** How a wait is resumed. */
export interface ResumeOptions<Input = unknown> {
  /** The operation's input, which `inputOutput` matchers read. */
  readonly input?: Input | undefined;
  /** The milliseconds since the wait started, the time away included; without it the wall clock tells. */
  readonly elapsedMs?: number | undefined;
}

interface Description {
  readonly name?: string;
  readonly documentation?: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  readonly redact: readonly string[];
  readonly acceptors: readonly string[];
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
}

/** What is no JSON was never saved as such. */
function savedText(saved: unknown): string {
  try {
    return JSON.stringify(saved) ?? "";
  } catch (error) {
    throw new StateError({ code: "damaged_state", message: `the saved wait is not JSON: ${messageOf(error)}` });
  }
}

/** What the options say of errors; any other but `known` is refused. */
function namingOf(options: WaiterOptions, known: "name" | "service"): Naming {
  checkBare(options, "string", known);
  checkNames(options, [known, "errorNames", "serviceErrorsOnly"]);
  checkFunction("errorNames", options.errorNames);
  checkBoolean("serviceErrorsOnly", options.serviceErrorsOnly);
  return new Naming(options);
}

function engineOf(text: string, options: WaiterOptions): EngineWaiter {
  return callEngine(() => new EngineWaiter(text, nameOf(options)));
}

/** A name that is no text is refused as a text is that is no name. */
function nameOf({ name }: WaiterOptions): string | undefined {
  return name === undefined || name === null ? undefined : String(name);
}

function inputOf(options: { readonly input?: unknown }): unknown {
  checkNames(options, ["input"]);
  return options.input;
}

function isResponse<Response>(observation: Observation<Response>): observation is { readonly response: Response } {
  const isObject = typeof observation === "object" && observation !== null;
  const response = isObject && "response" in observation;
  const error = isObject && "error" in observation;
  if (response === error) throw oneOfTwo(error);
  return response;
}

function onlyOfWait(option: string): OptionsError {
  return new OptionsError({ code: "unknown_option", option, message: `\`${option}\` is an option of \`wait\` only` });
}

function oneOfTwo(both: boolean): OptionsError {
  return both
    ? new OptionsError({ code: "conflicting_options", option: "error", message: "`response` and `error` exclude each other" })
    : new OptionsError({ code: "missing_option", option: "response", message: "`response` or `error` is missing" });
}
