/**
 * Types of the package for `require`. TypeScript's `module: node16` and `node18` require separate CommonJS declarations.
 *
 * `import` and `require` return the same classes.
 *
 * @module
 */

import type * as api from "./index.js" with { "resolution-mode": "import" };

export type * from "./index.js" with { "resolution-mode": "import" };

export declare const classify: typeof api.classify;
export declare const DefinitionError: typeof api.DefinitionError;
export type DefinitionError = api.DefinitionError;
export declare const delay: typeof api.delay;
export declare const every: typeof api.every;
export declare const ExpressionError: typeof api.ExpressionError;
export type ExpressionError = api.ExpressionError;
export declare const WaitersFailed: typeof api.WaitersFailed;
export type WaitersFailed<Item = unknown> = api.WaitersFailed<Item>;
export declare const NoRetries: typeof api.NoRetries;
export type NoRetries = api.NoRetries;
export declare const Operation: typeof api.Operation;
export type Operation = api.Operation;
export declare const OptionsError: typeof api.OptionsError;
export type OptionsError = api.OptionsError;
export declare const PaginationError: typeof api.PaginationError;
export type PaginationError = api.PaginationError;
export declare const Paginator: typeof api.Paginator;
export type Paginator<Input extends object = Record<string, unknown>, Output = any> = api.Paginator<Input, Output>;
export declare const proportional: typeof api.proportional;
export declare const RateLimit: typeof api.RateLimit;
export type RateLimit = api.RateLimit;
export declare const RequestCompression: typeof api.RequestCompression;
export type RequestCompression = api.RequestCompression;
export declare const retry: typeof api.retry;
export declare const RetryCancelled: typeof api.RetryCancelled;
export type RetryCancelled<Response = unknown> = api.RetryCancelled<Response>;
export declare const RetryError: typeof api.RetryError;
export type RetryError<Response = unknown> = api.RetryError<Response>;
export declare const RetryQuota: typeof api.RetryQuota;
export type RetryQuota = api.RetryQuota;
export declare const RetryRefusal: typeof api.RetryRefusal;
export type RetryRefusal = api.RetryRefusal;
export declare const RetryTimeout: typeof api.RetryTimeout;
export type RetryTimeout<Response = unknown> = api.RetryTimeout<Response>;
export declare const search: typeof api.search;
export declare const StandardRetryStrategy: typeof api.StandardRetryStrategy;
export type StandardRetryStrategy = api.StandardRetryStrategy;
export declare const StateError: typeof api.StateError;
export type StateError = api.StateError;
export declare const TokenError: typeof api.TokenError;
export type TokenError = api.TokenError;
export declare const Waiter: typeof api.Waiter;
export type Waiter<Input = unknown, Response = unknown> = api.Waiter<Input, Response>;
export declare const WaiterAttemptsExceeded: typeof api.WaiterAttemptsExceeded;
export type WaiterAttemptsExceeded<Response = unknown> = api.WaiterAttemptsExceeded<Response>;
export declare const WaiterCancelled: typeof api.WaiterCancelled;
export type WaiterCancelled<Response = unknown> = api.WaiterCancelled<Response>;
export declare const WaiterError: typeof api.WaiterError;
export type WaiterError<Response = unknown> = api.WaiterError<Response>;
export declare const WaiterFailed: typeof api.WaiterFailed;
export type WaiterFailed<Response = unknown> = api.WaiterFailed<Response>;
export declare const WaiterTimeout: typeof api.WaiterTimeout;
export type WaiterTimeout<Response = unknown> = api.WaiterTimeout<Response>;
