/**
 * The classes of the package's errors, without the engine: for modules that only catch errors.
 *
 * @module
 */

export { PaginationError, RetryCancelled, RetryError, RetryRefusal, RetryTimeout, TokenError } from "./errors/client.js";
export { WaitersFailed } from "./errors/fleet.js";
export {
  DefinitionError,
  ExpressionError,
  OptionsError,
  StateError,
  WaiterAttemptsExceeded,
  WaiterCancelled,
  WaiterError,
  WaiterFailed,
  WaiterTimeout,
} from "./errors/waiter.js";
