/**
 * The same types for `require`: TypeScript's `module: node16` and `node18` want them to be said to be CommonJS.
 *
 * Each class is the one of the module itself, whichever way it is come by.
 *
 * @module
 */

import type * as api from "./index.js" with { "resolution-mode": "import" };

export type * from "./index.js" with { "resolution-mode": "import" };

export declare const DefinitionError: typeof api.DefinitionError;
export type DefinitionError = api.DefinitionError;
export declare const delay: typeof api.delay;
export declare const ExpressionError: typeof api.ExpressionError;
export type ExpressionError = api.ExpressionError;
export declare const OptionsError: typeof api.OptionsError;
export type OptionsError = api.OptionsError;
export declare const search: typeof api.search;
export declare const StateError: typeof api.StateError;
export type StateError = api.StateError;
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
