/**
 * The public classification of errors. Waits classify errors without it, and so without the operations of models.
 *
 * @module
 */

import { checkBoolean, checkNames } from "../input/checks.js";
import { failureOf } from "./classification.js";
import type { Classified } from "./failure-info.js";
import { checkOperation, type Operation } from "./operation.js";

/** The options of `classify`. */
export interface ClassifyOptions {
  /**
   * `true` if the request may be repeated without harm.
   *
   * @default false
   */
  readonly idempotent?: boolean | undefined;
  /**
   * The current time, in milliseconds since 1970, for a date in `Retry-After`. With null, dates are ignored.
   *
   * @default Date.now()
   */
  readonly now?: number | null | undefined;
  /** The operation, whose model defines the retryable errors. Without it, errors are classified without a model. */
  readonly operation?: Operation | undefined;
}

/**
 * Classifies an error for a retry. The error is a value that a call threw: an error of `fetch`, undici, axios, the AWS SDK or Node,
 * a `Response` of `fetch`, or an error with a `Response` as its `response`.
 *
 * The classification of an unknown error and of an abort is empty, and the
 * standard strategy does not retry it.
 *
 * Clauses: [Retryable errors](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors),
 * [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
 *
 * @example
 * ```js
 * const response = await fetch(url);
 * classify(response, { idempotent: true }).retry?.safety; // "yes" for a 503
 * ```
 * @param error the thrown value.
 * @param options the idempotency of the request, the current time, and the operation.
 * @throws OptionsError if an option is invalid.
 */
export function classify(error: unknown, options: ClassifyOptions = {}): Classified {
  checkNames(options, ["idempotent", "now", "operation"]);
  checkBoolean("idempotent", options.idempotent);
  checkOperation(options.operation);
  const failure = failureOf(error, options);
  const classified = failure.classify() as Classified;
  failure.free();
  return classified;
}
