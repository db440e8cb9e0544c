/**
 * The operations of Smithy models.
 *
 * @module
 */

import { RETRYABLE, THROTTLING } from "../constants.js";
import { EngineOperation, type EngineRequestOptions } from "../engine/engine.js";
import { checkFunction, checkNames, mustBe } from "../input/checks.js";
import { callEngine, inSlots } from "../input/engine-call.js";
import { serviceOf, textOf } from "../input/json-text.js";
import { RequestCompression } from "./compression.js";
import { type ErrorFault, faultOf } from "./failure-info.js";

/** The options of `Operation.fromModel` and `Paginator.fromModel`. */
export interface ModeledOptions {
  /** The shape ID or the name of the service. Required if several services of the model have an operation with this name. */
  readonly service?: string | undefined;
}

/** The `error` and `retryable` traits of an error in a model. See docs/rules.md#modeled-errors. */
export interface ModeledError {
  /** The value of the `error` trait. */
  readonly fault: ErrorFault;
  /** `true` if the error has the `retryable` trait. */
  readonly retryable: boolean;
  /** The member `throttling` of the `retryable` trait; `false` by default. */
  readonly throttling: boolean;
}

/** The options of `Operation#withToken`. */
export interface TokenOptions {
  /** A function that returns an idempotency token. By default the token is a random UUID. */
  readonly source?: (() => string) | undefined;
}

/**
 * An operation of a Smithy model, with the behavior traits of its requests: idempotency, its idempotency token, its retryable
 * errors and request compression.
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
  /** The name of the input member that is the idempotency token; `undefined` if the operation does not have one. */
  readonly idempotencyToken: string | undefined;
  /** The compression of request bodies; `undefined` if the operation does not have the `requestCompression` trait. */
  readonly compression: RequestCompression | undefined;

  private constructor(engine: EngineOperation) {
    this.#engine = engine;
    this.idempotencyToken = engine.idempotencyToken();
    const compression = engine.compression();
    this.compression = compression && new RequestCompression(compression as unknown as string[]);
  }

  /**
   * Creates an operation from a Smithy model.
   *
   * @param model the model's JSON AST, as an object or as text.
   * @param name the shape ID or the name of the operation.
   * @param options the service.
   * @throws DefinitionError if the model is invalid, if it has no such operation or several, or if a trait is invalid. OptionsError
   * if an option is unknown.
   */
  static fromModel(model: object | string, name: string, options: ModeledOptions = {}): Operation {
    const service = serviceOf(options);
    const text = textOf("model", model);
    return new Operation(callEngine(() => new EngineOperation(text, String(name), service)));
  }

  /**
   * Returns `true` if a request with this input may be repeated without harm: the operation is `readonly` or `idempotent`, or the
   * input has an idempotency token.
   *
   * Clause: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
   */
  isIdempotent(input?: object): boolean {
    return inSlots((slot) => this.#engine.isIdempotent(slot), input);
  }

  /**
   * Returns the input with an idempotency token. The input is returned unchanged if it has a token (which may be empty) or if the
   * operation does not have one; otherwise a copy with a new token is returned.
   *
   * Call it once for a request, before the first attempt, so that all retries use the same token.
   *
   * Clause: [idempotencyToken trait](https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait).
   *
   * @throws OptionsError if an option is invalid, or if the source does not return a string.
   */
  withToken<Input extends object>(input: Input, options: TokenOptions = {}): Input {
    checkNames(options, ["source"]);
    checkFunction("source", options.source);
    if (!inSlots((slot) => this.#engine.lacksToken(slot), input)) return input;
    return { ...input, [this.idempotencyToken!]: newToken(options.source) };
  }

  /** Returns the traits of an error with this name, shape ID or code; `undefined` if the model does not define the error. */
  error(name: string): ModeledError | undefined {
    const flags = this.errorFlags(String(name));
    const fault = faultOf(flags);
    return fault && { fault, retryable: (flags & RETRYABLE) !== 0, throttling: (flags & THROTTLING) !== 0 };
  }

  /** Returns the traits of an error as flags of the engine; 0 if the model does not define the error. @internal */
  errorFlags(name: string): number {
    return this.#engine.error(name);
  }

  /** Returns the options of a request with the operation and its input added. @internal */
  static ofRequest(operation: Operation, options: EngineRequestOptions, input: unknown): EngineRequestOptions {
    return inSlots((slot) => options.operation(operation.#engine, slot), input);
  }
}

/** Rejects a value that is neither an operation nor absent. */
export function checkOperation(operation: unknown): void {
  if (operation === undefined || operation === null || operation instanceof Operation) return;
  throw mustBe("operation", "operation", operation);
}

/** Returns a token from the caller's source, or a random UUID. */
function newToken(source: TokenOptions["source"]): string {
  const token: unknown = source === undefined || source === null ? uuid() : source();
  if (typeof token === "string") return token;
  throw mustBe("source", "source", token);
}

/** Returns a random UUID. Pages that were loaded over http do not have `crypto.randomUUID`. */
function uuid(): string {
  // The 8 is replaced by a digit from 8 to b, each 0 by any digit.
  const digit = (least: string): string => (+least ^ (crypto.getRandomValues(new Uint8Array(1))[0]! & (15 >> (+least / 4)))).toString(16);
  return (crypto as Partial<Crypto>).randomUUID?.() ?? "00000000-0000-4000-8000-000000000000".replace(/[08]/g, digit);
}
