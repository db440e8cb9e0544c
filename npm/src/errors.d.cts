/**
 * Types of `smithy-waiters/errors` for `require`.
 *
 * @module
 */

export {
  DefinitionError,
  ExpressionError,
  WaitersFailed,
  OptionsError,
  PaginationError,
  RetryCancelled,
  RetryError,
  RetryRefusal,
  RetryTimeout,
  StateError,
  TokenError,
  WaiterAttemptsExceeded,
  WaiterCancelled,
  WaiterError,
  WaiterFailed,
  WaiterTimeout,
} from "./index.cjs";
