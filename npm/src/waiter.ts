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
import { type EngineWait, EngineWaiter } from "./engine/engine.js";
import { textOf } from "./engine/json-text.js";
import { OptionsError, StateError } from "./errors.js";
import {
  type AttemptsOptions,
  type Call,
  engineOptions,
  type HostOptions,
  splitOptions,
  type StartOptions,
  type WaitOptions,
  type WithoutMaxWaitTime,
} from "./options.js";
import type { Outcome } from "./report/outcome.js";
import { type ConditionOptions, evaluated, type Predicate, type PredicateOptions, shortForm, UNTIL_OPTIONS, type UntilOptions, type WaiterExtension } from "./until.js";
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
  readonly #predicate: Predicate<never> | undefined;

  /**
   * A waiter from its definition, an object or its JSON text.
   *
   * @throws DefinitionError for whatever the specification does not allow, with the JSON path of the culprit.
   */
  constructor(definition: WaiterDefinition | string, options: WaiterOptions = {}) {
    const source: unknown = definition;
    const { engine, naming, predicate } = source instanceof Source ? source : sourceOf(definition, options);
    this.#engine = engine;
    this.#naming = naming;
    this.#predicate = predicate;
    const description = engine.describe() as Description;
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
    const naming = namingOf(options, ["service"]);
    const { service } = options;
    const text = textOf("model", model);
    const engine = callEngine(() => EngineWaiter.fromModel(text, String(waiterName), service === undefined || service === null ? undefined : String(service)));
    return new Source(engine, naming).waiter();
  }

  /**
   * A waiter in its short form. It makes an ordinary definition, which `definition` returns.
   *
   * - A path and the expected value. A path that projects, such as `tasks[].status`, gives a list: every item must be the expected one.
   * - An expression that compares, or that calls a function that returns a boolean.
   * - A predicate of the response, which is not saved or linted. What it throws ends the wait and is thrown unchanged.
   *
   * @throws DefinitionError for an expression that does not parse, for a value that is both of two things, for an invalid matcher or
   * name. Its `path` begins with `expression`, `expected`, `fail[0]`, …
   *
   * @example
   * ```js
   * const tableActive = Waiter.until("Table.TableStatus", "ACTIVE", {
   *   fail: ["ARCHIVED"],
   *   pending: ["CREATING", "UPDATING"],
   *   retryErrors: ["ResourceNotFoundException"],
   * });
   * const threeItems = Waiter.until("length(Items) >= `3`");
   * const done = Waiter.until((job) => job.status === "DONE", { retryErrors: ["NotFound"] });
   * ```
   */
  static until<Input = unknown, Response = unknown>(path: string, expected: string, options?: UntilOptions): Waiter<Input, Response>;
  static until<Input = unknown, Response = unknown>(path: string, expected: boolean, options?: ConditionOptions): Waiter<Input, Response>;
  static until<Input = unknown, Response = unknown>(expression: string, options?: ConditionOptions): Waiter<Input, Response>;
  static until<Response>(predicate: Predicate<Response>, options?: PredicateOptions): Waiter<unknown, Response>;
  static until(expression: Predicate<never> | string, second?: boolean | object | string, third?: object): Waiter {
    const isOptions = third === undefined && typeof second === "object" && second !== null && !Array.isArray(second);
    const [expected, options] = isOptions ? [undefined, second] : [second, third ?? {}];
    const naming = namingOf(options, UNTIL_OPTIONS);
    const text = shortForm(expression, expected, options);
    const predicate = typeof expression === "function" ? expression : undefined;
    return new Source(callEngine(() => EngineWaiter.until(text)), naming, predicate).waiter();
  }

  /**
   * The definition: a new object for each read. Together with the `name` it makes an equal waiter.
   *
   * @throws DefinitionError, code `predicate`, for the waiter of a predicate.
   */
  get definition(): WaiterDefinition {
    return JSON.parse(callEngine(() => this.#engine.definition())) as WaiterDefinition;
  }

  /**
   * Returns a waiter with further acceptors, which are tried first, and with the same name, delays and redaction.
   *
   * @throws DefinitionError for a value in `fail` without a path that it could be of, and for an invalid acceptor. Its `path` begins
   * with `fail` or `first`.
   *
   * @example
   * ```js
   * const running = instanceRunning.extend({ fail: ["terminated", "stopping"] });
   * ```
   */
  extend(extension: WaiterExtension): Waiter<Input, Response> {
    checkNames(extension, ["fail", "first"]);
    const text = textOf("extension", extension);
    return new Source(callEngine(() => this.#engine.extend(text)), this.#naming).waiter();
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
    options: WaitOptions<OwnInput, Output> | WithoutMaxWaitTime<WaitOptions<OwnInput, Output>>,
  ): Promise<Outcome<Output>> {
    checkCall(call);
    const [start, host] = this.#split<OwnInput, Output>(options);
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
    options: AttemptsOptions<OwnInput> | WithoutMaxWaitTime<AttemptsOptions<OwnInput>>,
  ): Attempts<Output> {
    checkCall(call);
    const [start, host] = this.#split<OwnInput, Output>(options);
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
    options: StartOptions<OwnInput> | WithoutMaxWaitTime<StartOptions<OwnInput>>,
  ): Wait<Output> {
    const members = options ?? {};
    return this.startWith(engineOptions(members), members.input);
  }

  /**
   * Starts a wait with options by the engine's names.
   *
   * @internal
   */
  startWith<Output extends Response = Response>(options: Record<string, unknown>, input: unknown): Wait<Output> {
    return this.#wait(inSlots((slot) => this.#engine.start(slot, Date.now()), options), input);
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
    return this.#wait(callEngine(() => this.#engine.resume(text, elapsed, Date.now())), options.input);
  }

  #split<OwnInput, Output>(options: Parameters<typeof splitOptions<OwnInput, Output>>[0]): [StartOptions<OwnInput>, HostOptions<Output>] {
    const split = splitOptions<OwnInput, Output>(options ?? {});
    const [, { matcher }] = split;
    if (matcher && this.#predicate) throw conflict("matcher", "`matcher` cannot be combined with a predicate");
    return split;
  }

  #wait<Output>(engine: EngineWait, input: unknown): Wait<Output> {
    return new Wait(engine, input, this.#naming, this.#predicate);
  }

  #ofResponse<Output>(response: Output, input: unknown): Verdict<Output> {
    const engine = this.#engine;
    const read = evaluated(this.#predicate, response);
    const verdict = inSlots((first, second) => engine.evaluateResponse(first, second), input, read);
    return new Verdict(verdict, { response }, () => inSlots((first, second) => engine.reasonsOfResponse(first, second), input, read));
  }

  #ofError(error: unknown, facts: ErrorMetadata, input: unknown): Verdict<never> {
    const engine = this.#engine;
    const { by, name, message } = facts;
    const verdict = inSlots((slot) => engine.evaluateError(slot, by, name), input);
    return new Verdict<never>(verdict, { error }, () => inSlots((slot) => engine.reasonsOfError(slot, by, name, message), input));
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

/** The parts of a waiter, which its constructor takes instead of a definition. */
class Source {
  constructor(
    readonly engine: EngineWaiter,
    readonly naming: Naming,
    readonly predicate?: Predicate<never>,
  ) {}

  waiter(): Waiter<never, never> {
    return new Waiter(this as unknown as WaiterDefinition);
  }
}

function sourceOf(definition: WaiterDefinition | string, options: WaiterOptions): Source {
  const naming = namingOf(options, ["name"]);
  const text = textOf("definition", definition);
  return new Source(callEngine(() => new EngineWaiter(text, nameOf(options))), naming);
}

/** What the options say of errors; any other but those and the `known` ones is refused. */
function namingOf(options: NamingOptions, known: readonly [string, ...string[]]): Naming {
  checkBare(options, "string", known[0]);
  checkNames(options, [...known, "errorNames", "serviceErrorsOnly"]);
  checkFunction("errorNames", options.errorNames);
  checkBoolean("serviceErrorsOnly", options.serviceErrorsOnly);
  return new Naming(options);
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

function conflict(option: string, message: string): OptionsError {
  return new OptionsError({ code: "conflicting_options", option, message });
}

function oneOfTwo(both: boolean): OptionsError {
  return both
    ? conflict("error", "`response` and `error` exclude each other")
    : new OptionsError({ code: "missing_option", option: "response", message: "`response` or `error` is missing" });
}
