/**
 * Types of `smithy-waiters/dbos` for `require`.
 *
 * @module
 */

import type * as dbos from "./dbos.js" with { "resolution-mode": "import" };

export type * from "./dbos.js" with { "resolution-mode": "import" };

export declare const DurableWait: typeof dbos.DurableWait;
export type DurableWait<Argument = void, Response = unknown, Input = unknown> = dbos.DurableWait<Argument, Response, Input>;
export declare const durableWait: typeof dbos.durableWait;
export declare const WaitHandle: typeof dbos.WaitHandle;
export type WaitHandle<Response = unknown> = dbos.WaitHandle<Response>;
