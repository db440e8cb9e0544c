/**
 * The waiter.
 *
 * @module
 */

import type { WaiterDefinition } from "./definition.js";
import { Attempts } from "./driver/attempts.js";
import { Caller } from "./driver/caller.js";
import { drive } from "./driver/wait.js";
import { type EngineFleet, type EngineWait, EngineWaiter } from "./engine/engine.js";
import { OptionsError } from "./errors/waiter.js";
import { Fleet, type FleetCall, type FleetOptions, type ItemOf } from "./fleet.js";
import { checkBare, checkBoolean, checkCall, checkFunction, checkNames } from "./input/checks.js";
import { callEngine, inSlots } from "./input/engine-call.js";
import { savedText, textOf } from "./input/json-text.js";
import {
  type AttemptsOptions,
  type Call,
  engineOptions,
  type Logger,
  splitOptions,
  type StartOptions,
  storedOptions,
  type WaitOptions,
  type WithoutMaxWaitTime,
} from "./options.js";
import { RateLimit } from "./rate-limit.js";
import type { Outcome } from "./report/outcome.js";
import { type ConditionOptions, evaluated, type Goal, type Predicate, type PredicateOptions, shortForm, UNTIL_OPTIONS, type UntilOptions, type WaiterExtension } from "./until.js";
import { type ErrorMetadata, Naming, type NamingOptions } from "./values/error-metadata.js";
import { plain } from "./values/json-value.js";
import { optionalMillis } from "./values/millis.js";
import { type Observation, Verdict } from "./verdict.js";
import { type SavedWait, Wait } from "./wait.js";

/** The options of `new Waiter`. */
export interface WaiterOptions extends NamingOptions {
  /**
   * The waiter's name for messages, such as `TableExists`: an uppercase letter followed by letters and digits, as the
   * [specification](https://smithy.io/2.0/additional-specs/waiters.html#waiter-names) requires. The waiter has no name by default.
   */
  readonly name?: string | undefined;
  /** The defaults for options that a wait does not set. By default, the specification's rules apply. */
  readonly defaults?: WaiterDefaults | undefined;
}

/**
 * The defaults of a waiter for options that a wait does not set, with the meaning and the units of the options. See
 * docs/rules.md#defaults.
 */
export interface WaiterDefaults extends Pick<StartOptions, "finalPoll" | "maxAttempts" | "maxDelay" | "minDelay" | "pace" | "show"> {
  /** The path of `same`. Each wait must have `same`, which can be a value then. */
  readonly same?: { readonly path: string } | undefined;
}

/** The options of `Waiter.fromModel`. */
export interface ModelOptions extends NamingOptions {
  /** The shape ID or the name of the service. Required if several services of the model have a waiter with this name. */
  readonly service?: string | undefined;
}

/**
 * A waiter, made from a [Waiter structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure). The constructor
 * validates the definition.
 *
 * The types of inputs and responses are inferred from each call. `new Waiter<Input, Response>(…)` accepts only those of one
 * operation.
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
  /** The waiter's name, if it has one. */
  readonly name: string | undefined;
  /** The definition's `documentation`. */
  readonly documentation: string | undefined;
  /** The definition's `deprecated`; `false` by default. */
  readonly deprecated: boolean;
  /** The definition's `tags`. */
  readonly tags: readonly string[];
  /**
   * The paths of the members whose values are hidden in reasons, messages and reports: the definition's `redact`, and the members
   * of the response that are `@sensitive` in the model. See docs/rules.md#redaction.
   */
  readonly redact: readonly string[];
  /** The JSON texts of the definition's acceptors, in their order. */
  readonly acceptors: readonly string[];
  /** The minimum delay between two attempts, in seconds: the definition's `minDelay`, or 2. */
  readonly minDelay: number;
  /** The maximum delay between two attempts, in seconds: the definition's `maxDelay`, or 120. */
  readonly maxDelay: number;
  /**
   * The defaults for options that a wait does not set. They are empty, which means the specification's rules, unless the waiter has
   * the short form, replaces a waiter of an SDK, or was created with the option `defaults`. See docs/rules.md#defaults.
   */
  readonly defaults: WaiterDefaults;
  /**
   * The logger of all waits without the option `logger`; none by default.
   *
   * @example Log every wait of the process
   * ```js
   * Waiter.logger = console;
   * ```
   */
  static logger: Logger | undefined;
  readonly #engine: EngineWaiter;
  readonly #naming: Naming;
  readonly #predicate: Predicate<never> | undefined;

  /**
   * Creates a waiter from its definition.
   *
   * @param definition the definition, as an object or as JSON text.
   * @param options the name, and the naming of errors.
   * @throws DefinitionError if the specification does not allow the definition or the name; its `path` is the JSON path of the
   * invalid member. OptionsError if an option is invalid.
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
    this.defaults = JSON.parse(description.defaults) as WaiterDefaults;
  }

  /**
   * Creates a waiter from the [waitable trait](https://smithy.io/2.0/additional-specs/waiters.html#smithy-waiters-waitable-trait)
   * of a Smithy model.
   *
   * @param model the model's JSON AST, as an object or as text.
   * @param waiterName the waiter's name, in any case.
   * @param options the service, and the naming of errors.
   * @throws DefinitionError if the model is invalid, if it has no such waiter or several, or if the waiter's definition is invalid.
   * OptionsError if an option is invalid.
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
   * Creates a ready waiter for a public system, such as `kubernetes/deployment`.
   *
   * The definition follows the system's own rules, which docs/presets.md lists with their sources. The waiter has the defaults of
   * `until`. Some presets also have paths to `show`, or the path of `same`, whose value each wait must have.
   *
   * @param name the name of the preset.
   * @param options the naming of errors.
   * @throws DefinitionError if there is no such preset. OptionsError if an option is invalid.
   *
   * @example
   * ```js
   * const deployed = Waiter.preset("ecs/deployment");
   * await deployed.wait(describe, { maxWaitTime: 1800, same: deployment.id });
   * ```
   */
  static preset<Input = unknown, Response = unknown>(name: string, options: NamingOptions = {}): Waiter<Input, Response> {
    const naming = namingOf(options, []);
    return new Source(callEngine(() => EngineWaiter.preset(String(name))), naming).waiter();
  }

  /**
   * Creates a waiter from its short form: a path and its expected value, a condition, or a predicate.
   *
   * - A path and the expected value. If the path is a projection, such as `tasks[].status`, it returns a list, and every item must
   *   have the expected value.
   * - A condition: an expression that compares values, or that calls a function that returns a boolean.
   * - A predicate: a function that receives the response. Waits with a predicate cannot be saved. An error that the predicate
   *   throws ends the wait and is thrown unchanged.
   *
   * A path or a condition is converted to an ordinary definition, which `definition` returns. The specification does not define the
   * short form. See docs/rules.md#short-form.
   *
   * @throws DefinitionError if the expression does not parse, if a value is listed for two states, or if a matcher or the name is
   * invalid. Its `path` begins with the member: `expression`, `expected`, `fail[0]`, … OptionsError if an option is unknown.
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
  static until<Input = unknown, Response = unknown>(
    path: string,
    expected: string | readonly string[],
    options?: UntilOptions,
  ): Waiter<Input, Response>;
  /** Creates a waiter for several goals, all of which one response must reach. A text is a condition. */
  static until<Input = unknown, Response = unknown>(
    goals: readonly (Goal | string)[],
    options?: ConditionOptions,
  ): Waiter<Input, Response>;
  /** Creates a waiter for a condition and the boolean that it must return. */
  static until<Input = unknown, Response = unknown>(path: string, expected: boolean, options?: ConditionOptions): Waiter<Input, Response>;
  /** Creates a waiter for a condition that must be true. */
  static until<Input = unknown, Response = unknown>(expression: string, options?: ConditionOptions): Waiter<Input, Response>;
  /** Creates a waiter with a predicate of the response. */
  static until<Response>(predicate: Predicate<Response>, options?: PredicateOptions): Waiter<unknown, Response>;
  static until(expression: Predicate<never> | string | readonly unknown[], second?: boolean | object | string, third?: object): Waiter {
    const isOptions = third === undefined && typeof second === "object" && second !== null && !Array.isArray(second);
    const [expected, options] = isOptions ? [undefined, second] : [second, third ?? {}];
    const naming = namingOf(options, UNTIL_OPTIONS);
    const text = shortForm(expression, expected, options);
    const predicate = typeof expression === "function" ? expression : undefined;
    return new Source(callEngine(() => EngineWaiter.until(text)), naming, predicate).waiter();
  }

  /**
   * The definition, as a new object for each access. `new Waiter(definition, { name, defaults })` creates an equal waiter from it.
   *
   * @throws DefinitionError, code `predicate`, if the waiter has a predicate.
   */
  get definition(): WaiterDefinition {
    return JSON.parse(callEngine(() => this.#engine.definition())) as WaiterDefinition;
  }

  /**
   * Returns a waiter with additional acceptors, which are evaluated before the existing ones. The name, the delays, the defaults
   * and the redacted paths are unchanged.
   *
   * @throws DefinitionError if an acceptor is invalid, or if `fail` contains a value and the waiter's acceptors do not compare a
   * path with values; its `path` begins with `fail` or `first`. OptionsError if a member is unknown.
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
   * Evaluates a response or an error without a wait, and returns the verdict.
   *
   * @param observation `{ response }` or `{ error }`. A string as `error` is the name of the error.
   * @param options the operation's `input`, for `inputOutput` matchers.
   * @throws OptionsError if both or neither of the two members are present, or if an option is unknown.
   */
  evaluate<Output extends Response = Response>(observation: Observation<Output>, options?: EvaluateOptions<Input>): Verdict<Output> {
    const input = options === undefined ? undefined : inputOf(options);
    if (isResponse(observation)) return this.#ofResponse(observation.response, input);
    return this.#ofError(observation.error, this.#naming.ofErrorOrName(observation.error), input);
  }

  /**
   * Calls the operation once and returns a promise of the verdict, which contains the response or the error. Nothing aborts the
   * call.
   *
   * @param call the function that calls the operation.
   * @param options the operation's `input`, for `inputOutput` matchers.
   * @throws TypeError if the call is not a function, OptionsError if an option is unknown. The promise rejects with the error.
   */
  async check<Output extends Response = Response>(
    call: Call<Output>,
    options?: EvaluateOptions<Input>,
  ): Promise<Verdict<Output>> {
    checkCall(call);
    const input = options === undefined ? undefined : inputOf(options);
    const result = (await new Caller({}).call(call, 1, Number.POSITIVE_INFINITY)) as Observation<Output>;
    if ("error" in result) return this.#ofError(result.error, this.#naming.ofException(result.error), input);
    return this.#ofResponse(result.response, input);
  }

  /**
   * Calls the operation repeatedly until the wait succeeds or fails, and returns a promise of the outcome. It implements the
   * specification's [waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow).
   *
   * The wait fails if an acceptor with the state `failure` matches, if no acceptor matches an error that is not transient, if the
   * service does not respond for `transientWindow`, or if the deadline passes. See docs/rules.md#order-of-endings.
   *
   * @param call the function that calls the operation. It receives the attempt; pass its `signal` to the client.
   * @param options the options; one of `maxWaitTime`, `deadline` and `maxAttempts` is required.
   * @throws WaiterError if the wait fails, OptionsError if an option is invalid, TypeError if the call is not a function. The
   * promise rejects with the error.
   */
  async wait<Output extends Response = Response, OwnInput extends Input = Input>(
    call: Call<Output>,
    options: WaitOptions<OwnInput, Output> | WithoutMaxWaitTime<WaitOptions<OwnInput, Output>>,
  ): Promise<Outcome<Output>> {
    checkCall(call);
    const [start, host] = splitOptions<OwnInput, Output>(options ?? {});
    return drive(this.start<Output, OwnInput>(start), call, { ...host, logger: host.logger ?? Waiter.logger });
  }

  /**
   * Returns an async iterator over the attempts of a wait. It yields each attempt after the attempt has ended. Breaking out of the
   * loop cancels the wait.
   *
   * @example
   * ```js
   * const attempts = tableExists.attempts(call, { maxWaitTime: 300 });
   * for await (const { attempt, state, delay } of attempts) console.log(attempt, state, delay);
   * console.log(attempts.outcome.elapsed);
   * ```
   *
   * @param call the function that calls the operation. It receives the attempt; pass its `signal` to the client.
   * @param options the options; one of `maxWaitTime`, `deadline` and `maxAttempts` is required.
   * @throws OptionsError if an option is invalid, TypeError if the call is not a function. The iterator throws a WaiterError if the
   * wait fails.
   */
  attempts<Output extends Response = Response, OwnInput extends Input = Input>(
    call: Call<Output>,
    options: AttemptsOptions<OwnInput> | WithoutMaxWaitTime<AttemptsOptions<OwnInput>>,
  ): Attempts<Output> {
    checkCall(call);
    const [start, host] = splitOptions<OwnInput, Output>(options ?? {});
    if (host.onAttempt !== undefined && host.onAttempt !== null) throw onlyOfWait("onAttempt");
    // The wait starts when the first attempt is requested. Starting one here as well reports invalid options immediately.
    this.start<Output, OwnInput>(start).free();
    return new Attempts(() => this.start<Output, OwnInput>(start), call, { ...host, logger: host.logger ?? Waiter.logger });
  }

  /**
   * Creates a fleet: one call answers for all resources that are waited for. The waiter judges each resource as if the answer held only
   * it. See docs/rules.md#fleets.
   *
   * @example
   * ```js
   * const call = (VolumeIds) => ec2.send(new DescribeVolumesCommand({ VolumeIds }));
   * const fleet = volumeAvailable.fleet(call, { items: "Volumes[]", key: "VolumeId", batch: 200 });
   * const outcomes = await fleet.waitEach(ids, { maxWaitTime: 600 });
   * ```
   *
   * @param call the function that makes the call for a list of identifiers. It returns a promise of the response, or an async iterator
   * of the responses of all pages. Calls may overlap.
   * @param options where a response has the resources, and the limits of the calls.
   * @throws OptionsError if an option is missing, unknown or invalid, or if the waiter has a predicate. TypeError if the call is not a
   * function.
   */
  fleet<Response, Items extends string, Item = ItemOf<Response, Items>>(call: FleetCall<Response>, options: FleetOptions<Items>): Fleet<Item> {
    checkCall(call);
    const make: ConstructorParameters<typeof Fleet>[0] = (members, { engine }) => inSlots((slot) => this.#engine.fleet(slot, engine), members);
    return new Fleet<Item>(make, this.#naming, call, options);
  }

  /**
   * Starts a wait that the caller drives step by step.
   *
   * @param options the options; one of `maxWaitTime`, `deadline` and `maxAttempts` is required.
   * @throws OptionsError if an option is invalid.
   */
  start<Output extends Response = Response, OwnInput extends Input = Input>(
    options: StartOptions<OwnInput> | WithoutMaxWaitTime<StartOptions<OwnInput>>,
  ): Wait<Output> {
    const members = options ?? {};
    return this.startWith(engineOptions(members), members.input);
  }

  /**
   * Starts a wait with options under the engine's names.
   *
   * @internal
   */
  startWith<Output extends Response = Response>(options: Record<string, unknown>, input: unknown): Wait<Output> {
    return this.#wait(inSlots((slot) => this.#engine.start(slot, Date.now()), options), input);
  }

  /**
   * Resumes a saved wait. Its delays and the number of its attempts continue as if the wait had not been interrupted.
   *
   * @param saved the data from `Wait#toJSON`, or its JSON text.
   * @param options the operation's `input`, and the time since the wait started.
   * @throws StateError if the data is damaged, of another definition or of a later version, or if the time is invalid. OptionsError
   * if an option is unknown.
   */
  resume<Output extends Response = Response, OwnInput extends Input = Input>(
    saved: SavedWait | object | string,
    options: ResumeOptions<OwnInput> = {},
  ): Wait<Output> {
    checkNames(options, ["input", "elapsedMs"]);
    const elapsed = optionalMillis(options.elapsedMs);
    const text = savedText(saved);
    return this.#wait(callEngine(() => this.#engine.resume(text, elapsed, Date.now())), options.input);
  }

  /**
   * Starts a wait that an engine for durable workflows stores between its attempts.
   *
   * @internal
   */
  startStored<Output extends Response = Response>(
    id: string,
    options: StartOptions<Input> | WithoutMaxWaitTime<StartOptions<Input>>,
    startedAtMs: number,
    reportLimit: number,
  ): Wait<Output> {
    const [members, deadlineAtMs] = storedOptions(options);
    const input = plain(options?.input);
    const start = (slot: number): EngineWait => this.#engine.startStored(slot, id, JSON.stringify(input), startedAtMs, deadlineAtMs, reportLimit);
    return this.#wait(inSlots(start, members), input);
  }

  /**
   * Returns the fingerprint of the definition.
   *
   * @internal
   */
  storedFingerprint(): string {
    return callEngine(() => this.#engine.storedFingerprint());
  }

  /**
   * Returns a function that opens a fleet for an engine that stores it, and the naming of errors.
   *
   * @internal
   */
  storedFleet(members: Record<string, unknown>): [open: () => EngineFleet, naming: Naming] {
    // An engine for durable workflows limits the rate.
    const { engine } = new RateLimit(undefined);
    return [() => inSlots((slot) => this.#engine.fleet(slot, engine), members), this.#naming];
  }

  /**
   * Resumes a stored wait at the current time; with `isDue`, not before the next attempt is due.
   *
   * @internal
   */
  resumeStored<Output extends Response = Response>(text: string, isDue: boolean): Wait<Output> {
    const now = Date.now();
    const engine = callEngine(() => (isDue ? this.#engine.resumeDue(text, now) : this.#engine.resume(text, undefined, now)));
    return this.#wait(engine, JSON.parse(engine.input ?? "null"));
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

  #ofError(error: unknown, metadata: ErrorMetadata, input: unknown): Verdict<never> {
    const engine = this.#engine;
    const { by, name, message } = metadata;
    const verdict = inSlots((slot) => engine.evaluateError(slot, by, name), input);
    return new Verdict<never>(verdict, { error }, () => inSlots((slot) => engine.reasonsOfError(slot, by, name, message), input));
  }
}

/** The options of `Waiter#evaluate` and `Waiter#check`. */
export interface EvaluateOptions<Input = unknown> {
  /** The input of the operation, for `inputOutput` matchers; null by default. */
  readonly input?: Input | undefined;
}

/** The options of `Waiter#resume`. */
export interface ResumeOptions<Input = unknown> {
  /** The input of the operation, for `inputOutput` matchers; null by default. It is not saved. */
  readonly input?: Input | undefined;
  /**
   * The milliseconds since the wait started, including the time between saving and resuming. By default this time is computed from
   * the wall clock.
   */
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
  /** JSON text. */
  readonly defaults: string;
}

/** The parts of a waiter. The constructor accepts them instead of a definition, so that static methods can create waiters. */
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
  const naming = namingOf(options, ["name", "defaults"]);
  const text = textOf("definition", definition);
  const engine = callEngine(() => new EngineWaiter(text, nameOf(options)));
  const { defaults } = options;
  if (defaults === undefined || defaults === null) return new Source(engine, naming);
  checkBare(defaults, "string", "finalPoll");
  return new Source(inSlots((slot) => engine.withDefaults(slot), defaults), naming);
}

/** Returns the naming of errors in the options. Rejects unknown options; `known` are the names of the others. */
function namingOf(options: NamingOptions, known: readonly string[]): Naming {
  checkBare(options, "string", known[0] ?? "errorNames");
  checkNames(options, [...known, "errorNames", "serviceErrorsOnly"]);
  checkFunction("errorNames", options.errorNames);
  checkBoolean("serviceErrorsOnly", options.serviceErrorsOnly);
  return new Naming(options);
}

// A name that is not a string is converted, so that the engine reports it as an invalid name.
function nameOf({ name }: WaiterOptions): string | undefined {
  return name === undefined || name === null ? undefined : String(name);
}

function inputOf(options: { readonly input?: unknown }): unknown {
  checkNames(options, ["input"]);
  return options.input;
}

/** @throws OptionsError if both or neither of the members are present. */
function isResponse<Response>(observation: Observation<Response>): observation is { readonly response: Response } {
  const isObject = typeof observation === "object" && observation !== null;
  if (isObject && "input" in observation) throw new OptionsError({ code: "unknown_option", option: "input", message: MISPLACED_INPUT });
  if (isObject) checkNames(observation, ["response", "error"]);
  const response = isObject && "response" in observation;
  const error = isObject && "error" in observation;
  if (response === error) throw oneOfTwo(error);
  return response;
}

const MISPLACED_INPUT = "`input` is a member of the second argument, as in `evaluate({ response }, { input })`";

function onlyOfWait(option: string): OptionsError {
  return new OptionsError({ code: "unknown_option", option, message: `\`${option}\` is an option of \`wait\` only` });
}

function conflict(option: string, message: string): OptionsError {
  return new OptionsError({ code: "conflicting_options", option, message });
}

function oneOfTwo(both: boolean): OptionsError {
  return both
    ? conflict("error", "`error` cannot be combined with `response`")
    : new OptionsError({ code: "missing_option", option: "response", message: "`response` or `error` is missing" });
}
