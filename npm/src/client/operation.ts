/**
 * What a model says of an operation's requests.
 *
 * @module
 */

import { callEngine, inSlots } from "../engine/call.js";
import { RETRYABLE, THROTTLING } from "../engine/constants.js";
import { EngineOperation, type EngineRequestOptions } from "../engine/engine.js";
import { serviceOf, textOf } from "../engine/json-text.js";
import { checkFunction, checkNames, invalidOption, mustBe } from "../values/checks.js";
import { RequestCompression } from "./compression.js";
import { type ErrorFault, faultOf } from "./failure-info.js";

/** How an operation or a paginator of a model is found. */
export interface ModeledOptions {
  /** The service's shape id or its name, where several services of the model have an operation of that name. */
  readonly service?: string | undefined;
}

/** What a model says of an error: its `error` and `retryable` traits. */
export interface ModeledError {
  /** The value of the `error` trait. */
  readonly fault: ErrorFault;
  /** Whether it has the `retryable` trait. */
  readonly retryable: boolean;
  /** The `throttling` of its `retryable` trait. */
  readonly throttling: boolean;
}

/** Where idempotency tokens come from. */
export interface TokenOptions {
  /** Gives a token; a random UUID without it. */
  readonly source?: (() => string) | undefined;
}

/**
 * The behavior traits of an operation of a Smithy model: whether its requests may be repeated, which member makes them so,
 * which of its errors are retryable, how its requests are compressed.
 *
 * Clause: [Behavior traits](https://smithy.io/2.0/spec/behavior-traits.html).
 *
 * @example
 * ```js
 * const runInstances = Operation.fromModel(model, "RunInstances");
 * const input = runInstances.withToken({ MaxCount: 1 }); // once, before the first attempt
 * await retry(() => client.send(new RunInstancesCommand(input)), { operation: runInstances, input });
 * ```
 */
export class Operation {
  readonly #engine: EngineOperation;
  /** The input member that is its idempotency token. */
  readonly idempotencyToken: string | undefined;
  /** How its request bodies may be compressed, where they may. */
  readonly compression: RequestCompression | undefined;

  private constructor(engine: EngineOperation) {
    this.#engine = engine;
    this.idempotencyToken = engine.idempotencyToken();
    const compression = engine.compression();
    this.compression = compression && new RequestCompression(compression as unknown as string[]);
  }

  /**
   * An operation of a Smithy model.
   *
   * @param model the model's JSON AST, parsed or as text.
   * @param name the operation's shape id or its name.
   * @throws DefinitionError for what is no model or has no such operation, or several, and for a bad trait.
   */
  static fromModel(model: object | string, name: string, options: ModeledOptions = {}): Operation {
    const service = serviceOf(options);
    const text = textOf("model", model);
    return new Operation(callEngine(() => new EngineOperation(text, String(name), service)));
  }

  /**
   * Whether a request with this input may be repeated without harm: the operation is `readonly` or `idempotent`, or its
   * idempotency token is provided.
   *
   * Clause: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
   */
  isIdempotent(input?: object): boolean {
    return inSlots((slot) => this.#engine.isIdempotent(slot), input);
  }

  /**
   * The input with its idempotency token: the same where it has one (an empty text is one, too) or needs none, else a copy
   * with a fresh UUID. To be done once for a request, before its first attempt: its retries have the same token.
   *
   * Clause: [idempotencyToken trait](https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait).
   *
   * @throws OptionsError for options that do not hold, and for a source that gives no text.
   */
  withToken<Input extends object>(input: Input, options: TokenOptions = {}): Input {
    checkNames(options, ["source"]);
    checkFunction("source", options.source);
    if (!inSlots((slot) => this.#engine.lacksToken(slot), input)) return input;
    return { ...input, [this.idempotencyToken!]: drawToken(options.source) };
  }

  /** What the model says of an error, by its name, id or code; `undefined` where it says nothing. */
  error(name: string): ModeledError | undefined {
    const flags = Operation.errorOf(this, String(name));
    const fault = faultOf(flags);
    return fault && { fault, retryable: (flags & RETRYABLE) !== 0, throttling: (flags & THROTTLING) !== 0 };
  }

  /** The same in the engine's flags; 0 where it says nothing. @internal */
  static errorOf(operation: Operation, name: string): number {
    return operation.#engine.error(name);
  }

  /** Returns options of a request, with this operation and its input. @internal */
  static ofRequest(operation: Operation, options: EngineRequestOptions, input: unknown): EngineRequestOptions {
    return inSlots((slot) => options.operation(operation.#engine, slot), input);
  }
}

/** Refuses what is no operation, where it is given. */
export function checkOperation(operation: unknown): void {
  if (operation === undefined || operation === null || operation instanceof Operation) return;
  throw mustBe("operation", "an `Operation`");
}

/** Draws a token, from the caller's source if there is one. */
function drawToken(source: TokenOptions["source"]): string {
  const token: unknown = source === undefined || source === null ? uuid() : source();
  if (typeof token === "string") return token;
  throw invalidOption("source", "`source` must give a string");
}

/** A random UUID; a page that came over plain http has no `crypto.randomUUID`. */
function uuid(): string {
  // In place of an 8 comes one of 8 to b, in place of the others any digit.
  const digit = (least: string): string => (+least ^ (crypto.getRandomValues(new Uint8Array(1))[0]! & (15 >> (+least / 4)))).toString(16);
  return (crypto as Partial<Crypto>).randomUUID?.() ?? "00000000-0000-4000-8000-000000000000".replace(/[08]/g, digit);
}
