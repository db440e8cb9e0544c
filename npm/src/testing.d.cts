/**
 * Types of `smithy-waiters/testing` for `require`.
 *
 * @module
 */

import type * as testing from "./testing.js" with { "resolution-mode": "import" };

export declare const FakeClock: typeof testing.FakeClock;
export type FakeClock = testing.FakeClock;
