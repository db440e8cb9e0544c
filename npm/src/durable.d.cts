/**
 * Types of `smithy-waiters/durable` for `require`.
 *
 * @module
 */

import type * as durable from "./durable.js" with { "resolution-mode": "import" };

export type * from "./durable.js" with { "resolution-mode": "import" };

export declare const StoredWaits: typeof durable.StoredWaits;
export type StoredWaits<Input = unknown, Response = unknown> = durable.StoredWaits<Input, Response>;
export declare const progressOf: typeof durable.progressOf;
export declare const resultOf: typeof durable.resultOf;
