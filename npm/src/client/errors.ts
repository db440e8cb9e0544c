/**
 * The errors of retries, other than the error of the last attempt itself, and of pagination.
 *
 * - `RetryError`: a policy does not take the last response for a success
 *   - `RetryTimeout`: the time is up, and an attempt was cut
 *   - `RetryCancelled`: the caller's signal
 *
 * What strategies throw: `RetryRefusal`, `TokenError`. What a walk over pages throws: `PaginationError`.
 *
 * @module
 */

import { FOREIGN_TOKEN, USED_TOKEN } from "../engine/constants.js";
import { retryText } from "./retry-text.js";

/** Why a request is not made again, for programs. A strategy of one's own may have codes of its own. */
export type RetryEndCode =
  | "failed"
  | "max_retries"
  | "not_retryable"
  | "out_of_time"
  | "quota_exhausted"
  | "retry_after_too_long"
  | (string & {});

/**
 * A strategy's no to another attempt: the specification's `TokenAcquisitionFailedException`. The request fails with the
 * error of its last attempt.
 *
 * Clause: [Retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy).
 */
export class RetryRefusal extends Error {
  override name = "RetryRefusal";
  /** Why, for programs. */
  readonly code: RetryEndCode;

  constructor(message: string, code: RetryEndCode = "not_retryable") {
    super(message);
    this.code = code;
  }
}

/** A token that a strategy does not take: another one handed it out, or it was used before. */
export class TokenError extends Error {
  override name = "TokenError";
  /** Which of the two. */
  readonly code: "foreign_token" | "used_token";

  constructor(code: "foreign_token" | "used_token") {
    const [, message] = retryText(code === "used_token" ? USED_TOKEN : FOREIGN_TOKEN);
    super(message);
    this.code = code;
  }
}

/** A request that failed without an error of its own: a policy says so of a response, or it was cut or cancelled. */
export class RetryError<Response = unknown> extends Error {
  override name = "RetryError";
  /** Why there is no other attempt, for programs. */
  readonly code: RetryEndCode | "cancelled";
  /** How many attempts were made. */
  readonly attempts: number;
  /** The response of the last attempt that ended, where it gave one. */
  readonly response: Response | undefined;
  /** The error of the last attempt that ended, where it threw one; the `cause`, too. */
  readonly error: unknown;

  /** Made by the package. */
  constructor(message: string, end: RetryEnd<Response>) {
    super(message, end.cause);
    this.code = end.code;
    this.attempts = end.attempts;
    this.response = end.response;
    this.error = end.error;
  }
}

/** The time is up: the attempt in flight was cut. */
export class RetryTimeout<Response = unknown> extends RetryError<Response> {
  override name = "TimeoutError";
  declare readonly code: "out_of_time";
}

/** The caller cancelled; `cause` is the reason of the caller's signal. Its `name` is that of every abort. */
export class RetryCancelled<Response = unknown> extends RetryError<Response> {
  override name = "AbortError";
  declare readonly code: "cancelled";
}

/** What is known of the end of a request. */
export interface RetryEnd<Response> {
  readonly code: RetryEndCode | "cancelled";
  readonly attempts: number;
  readonly response: Response | undefined;
  readonly error: unknown;
  readonly cause: ErrorOptions | undefined;
}

/** A page that a walk cannot go on from; what was read so far stays read. */
export class PaginationError extends Error {
  override name = "PaginationError";
  /** Why, for programs: a token that came twice in a row, one that is neither a text nor a map, a page that cannot be read. */
  readonly code: "invalid_token" | "repeated_token" | "unreadable_page";
  /** The token that came twice. */
  readonly token: unknown;

  /** Made by the package. */
  constructor(problem: PaginationProblem, token?: unknown) {
    super(problem.message);
    this.code = problem.code;
    this.token = token;
  }
}

/** The problem of a page. */
export interface PaginationProblem {
  readonly code: PaginationError["code"];
  readonly message: string;
}
