/**
 * Types of `smithy-waiters/temporal` for `require`.
 *
 * @module
 */

import type * as temporal from "./temporal.js" with { "resolution-mode": "import" };

export type * from "./temporal.js" with { "resolution-mode": "import" };

export declare const DurableWait: typeof temporal.DurableWait;
export type DurableWait<Argument = void, Response = unknown, Input = unknown> = temporal.DurableWait<Argument, Response, Input>;
export declare const durableWait: typeof temporal.durableWait;
export declare const waiterError: typeof temporal.waiterError;
