/**
 * The errors of retries and pagination.
 *
 * - `RetryError`: a policy did not accept the last response
 *   - `RetryTimeout`: an attempt was aborted at `maxTime`
 *   - `RetryCancelled`: the caller's signal was aborted
 *
 * Strategies throw `RetryRefusal` and `TokenError`. A walk over pages throws `PaginationError`.
 *
 * @module
 */

/** The stable code of the reason why a request is not retried. Custom strategies can use other codes. */
export type RetryEndCode =
  | "failed"
  | "max_retries"
  | "not_retryable"
  | "out_of_time"
  | "quota_exhausted"
  | "retry_after_too_long"
  | (string & {});

/**
 * Error thrown by a strategy that does not allow another attempt: the specification's `TokenAcquisitionFailedException`. The
 * request then fails with the error of its last attempt.
 *
 * Clause: [Retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy).
 */
export class RetryRefusal extends Error {
  override name = "RetryRefusal";
  /** The stable code of the reason. */
  readonly code: RetryEndCode;

  /**
   * Creates the error, in a custom strategy.
   *
   * @param message the reason as readable text.
   * @param code the code of the reason; `"not_retryable"` by default.
   */
  constructor(message: string, code: RetryEndCode = "not_retryable") {
    super(message);
    this.code = code;
  }
}

/** Error thrown by a strategy for a token that another strategy issued, or that was used before. */
export class TokenError extends Error {
  override name = "TokenError";
  /** The stable code: `foreign_token` if another strategy issued the token, `used_token` if it was used before. */
  readonly code: "foreign_token" | "used_token";

  /**
   * Creates the error, in a custom strategy.
   *
   * @param message the reason as readable text.
   * @param code the code of the reason.
   */
  constructor(message: string, code: "foreign_token" | "used_token") {
    super(message);
    this.code = code;
  }
}

/**
 * Error thrown when a policy did not accept the response of the last attempt, or when the request was aborted (see the subclasses).
 */
export class RetryError<Response = unknown> extends Error {
  override name = "RetryError";
  /** The stable code of the reason why the request was not retried. */
  readonly code: RetryEndCode | "cancelled";
  /** The number of attempts made. */
  readonly attempts: number;
  /** The response of the last attempt that ended; `undefined` if it threw. */
  readonly response: Response | undefined;
  /** The error of the last attempt that ended; `undefined` if it returned a response. */
  readonly error: unknown;

  /** Creates the error from the end of a request. Only this package calls it. */
  constructor(message: string, end: RetryEnd<Response>) {
    super(message, end.cause);
    this.code = end.code;
    this.attempts = end.attempts;
    this.response = end.response;
    this.error = end.error;
  }
}

/**
 * Error thrown when `maxTime` passes during an attempt, which is aborted. Its `cause` is the error of the previous attempt, if
 * that failed.
 */
export class RetryTimeout<Response = unknown> extends RetryError<Response> {
  override name = "TimeoutError";
  declare readonly code: "out_of_time";
}

/**
 * Error thrown when the caller cancels a request. Its `cause` is the reason of the caller's signal. Its `name` is `AbortError`, as
 * in the platform's own APIs.
 */
export class RetryCancelled<Response = unknown> extends RetryError<Response> {
  override name = "AbortError";
  declare readonly code: "cancelled";
}

/** The end of a request that failed. */
export interface RetryEnd<Response> {
  readonly code: RetryEndCode | "cancelled";
  readonly attempts: number;
  readonly response: Response | undefined;
  readonly error: unknown;
  readonly cause: ErrorOptions | undefined;
}

/** Error thrown when a walk cannot continue after a page. The pages before the error, including that page, were returned. */
export class PaginationError extends Error {
  override name = "PaginationError";
  /**
   * The stable code: `repeated_token` for a page that returns the token with which it was requested, `invalid_token` for a token that is neither a
   * string nor a map, `unreadable_page` for a page that cannot be read.
   */
  readonly code: "invalid_token" | "repeated_token" | "unreadable_page";
  /** The repeated token; `undefined` for the other codes. */
  readonly token: unknown;

  /** Creates the error from a report of the engine. Only this package calls it. */
  constructor(problem: PaginationProblem, token?: unknown) {
    super(problem.message);
    this.code = problem.code;
    this.token = token;
  }
}

/** The engine's report of an invalid page. */
export interface PaginationProblem {
  readonly code: PaginationError["code"];
  readonly message: string;
}
