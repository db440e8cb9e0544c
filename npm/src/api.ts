/**
 * The public exports of the package.
 *
 * @module
 */

export { classify, type ClassifyOptions } from "./operation/classify.js";
export {
  type CompressedBody,
  type CompressionSettings,
  type CompressOptions,
  RequestCompression,
  type RequestBody,
} from "./operation/compression.js";
export {
  PaginationError,
  RetryCancelled,
  type RetryEndCode,
  RetryError,
  RetryRefusal,
  RetryTimeout,
  TokenError,
} from "./errors/client.js";
export type { Classified, ErrorFault, FailureInfo, RetryInfo, RetryNote, RetrySafety } from "./operation/failure-info.js";
export { type ModeledError, type ModeledOptions, Operation, type TokenOptions } from "./operation/operation.js";
export {
  type ItemsOptions,
  type PageAttempt,
  type PageCall,
  type Pages,
  type PageSize,
  type PagesOptions,
  type PaginatedTrait,
  Paginator,
} from "./client/paginator.js";
export { retry } from "./client/retry.js";
export type { RetryCallOptions, RetryProgress } from "./client/retry-options.js";
export {
  NoRetries,
  type RetryOptions,
  RetryQuota,
  type RetryStrategy,
  type RetryToken,
  StandardRetryStrategy,
  type StandardRetryToken,
} from "./client/retry-strategy.js";
export type { Transient } from "./operation/transient.js";
export type {
  AcceptorDefinition,
  MatcherDefinition,
  PathMatcherDefinition,
  WaiterDefinition,
} from "./definition.js";
export { delay, type Delay, type DelayInput } from "./delay.js";
export type { Attempts } from "./driver/attempts.js";
export type { Sleep } from "./timers.js";
export type {
  DefinitionErrorCode,
  ExpressionErrorCode,
  OptionsErrorCode,
  StateErrorCode,
} from "./errors/codes.js";
export { WaitersFailed } from "./errors/fleet.js";
export {
  DefinitionError,
  ExpressionError,
  OptionsError,
  type RefusalJson,
  StateError,
  WaiterAttemptsExceeded,
  WaiterCancelled,
  WaiterError,
  WaiterFailed,
  WaiterTimeout,
} from "./errors/waiter.js";
export type { EachOptions, Fleet, FleetAttempt, FleetCall, FleetOptions, FleetProgress, FleetWaitOptions, ItemOf, ResumeEachOptions } from "./fleet.js";
export type {
  Attempt,
  AttemptProgress,
  AttemptsOptions,
  Call,
  Clock,
  ErrorProgress,
  Logger,
  LostProgress,
  Progress,
  ResponseProgress,
  StartOptions,
  WaitOptions,
  WithoutMaxWaitTime,
} from "./options.js";
export { every, type FixedPace, type Pace, proportional, type ProportionalPace } from "./pace.js";
export { RateLimit } from "./rate-limit.js";
export type { AttemptJson, AttemptRecord, AttemptResult, Hint, PathValue, Reason, ReasonCode, State } from "./report/attempt-record.js";
export type { DoneStep, FailureStep, SuccessStep } from "./done-step.js";
export type { EndJson, ErrorOutcome, FailureCode, Outcome, ResponseOutcome, Success } from "./report/outcome.js";
export { search } from "./search.js";
export { type SeveralOptions, type SharedOptions, type SharedWait, waitAll, waitAny } from "./several.js";
export type { ConditionOptions, Goal, Predicate, PredicateOptions, UntilOptions, WaiterExtension } from "./until.js";
export type { NamingOptions } from "./values/error-metadata.js";
export type { JsonValue } from "./values/json-value.js";
export type { Observation, Verdict } from "./verdict.js";
export type { CallStep, SavedWait, SleepStep, Step, Wait, WaitEvent } from "./wait.js";
export { type EvaluateOptions, type ModelOptions, type ResumeOptions, Waiter, type WaiterOptions } from "./waiter.js";
