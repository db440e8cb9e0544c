/**
 * The same types for `require`, as for the package itself.
 *
 * @module
 */

import type * as testing from "./testing.js" with { "resolution-mode": "import" };

export declare const FakeClock: typeof testing.FakeClock;
export type FakeClock = testing.FakeClock;
