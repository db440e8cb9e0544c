/**
 * Everything that the package exports.
 *
 * @module
 */

export type { Attempts } from "./driver/attempts.js";
export type {
  DefinitionErrorCode,
  ExpressionErrorCode,
  OptionsErrorCode,
  StateErrorCode,
} from "./codes.js";
export type {
  AcceptorDefinition,
  MatcherDefinition,
  PathMatcherDefinition,
  WaiterDefinition,
} from "./definition.js";
export {
  type CompressedBody,
  type CompressionSettings,
  type CompressOptions,
  RequestCompression,
  type RequestBody,
} from "./compression.js";
export { delay, type Delay, type DelayInput } from "./delay.js";
export type { DoneStep, FailureStep, SuccessStep } from "./done.js";
export type { NamingOptions } from "./error-facts.js";
export {
  DefinitionError,
  ExpressionError,
  OptionsError,
  type RefusalJson,
  StateError,
  WaiterAttemptsExceeded,
  WaiterCancelled,
  WaiterError,
  type WaiterErrorJson,
  WaiterFailed,
  WaiterTimeout,
} from "./errors.js";
export type { Classified, ErrorFault, FailureInfo, RetryInfo, RetryNote, RetrySafety } from "./failure-info.js";
export { type ModeledError, type ModeledOptions, Operation, type TokenOptions } from "./operation.js";
export type {
  Attempt,
  AttemptProgress,
  AttemptsOptions,
  Call,
  Clock,
  ErrorProgress,
  LimitedByAttempts,
  LostProgress,
  Progress,
  ResponseProgress,
  Sleep,
  StartOptions,
  WaitOptions,
} from "./options.js";
export type {
  AttemptJson,
  AttemptRecord,
  AttemptResult,
  ErrorOutcome,
  FailureCode,
  Outcome,
  ResponseOutcome,
  Success,
} from "./outcome.js";
export { PaginationError } from "./pagination-error.js";
export {
  type ItemsOptions,
  type PageAttempt,
  type PageCall,
  type Pages,
  type PageSize,
  type PagesOptions,
  type PaginatedTrait,
  Paginator,
} from "./paginator.js";
export type { JsonValue } from "./plain.js";
export { classify, type ClassifyOptions } from "./reading.js";
export { retry, type RetryCallOptions, type RetryProgress } from "./retry.js";
export {
  RetryCancelled,
  type RetryEndCode,
  RetryError,
  RetryRefusal,
  RetryTimeout,
  TokenError,
} from "./retry-errors.js";
export {
  NoRetries,
  type RetryOptions,
  RetryQuota,
  type RetryStrategy,
  type RetryToken,
  StandardRetryStrategy,
  type StandardRetryToken,
} from "./retry-strategy.js";
export { search } from "./search.js";
export type { Reason, ReasonCode, Seen, State, Verdict } from "./verdict.js";
export type { CallStep, SavedWait, SleepStep, Step, Wait, WaitEvent } from "./wait.js";
export { type EvaluateOptions, type ModelOptions, type ResumeOptions, Waiter, type WaiterOptions } from "./waiter.js";
