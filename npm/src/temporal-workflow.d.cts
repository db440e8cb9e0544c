/**
 * Types of `smithy-waiters/temporal-workflow` for `require`.
 *
 * @module
 */

import type * as workflow from "./temporal-workflow.js" with { "resolution-mode": "import" };

export type * from "./temporal-workflow.js" with { "resolution-mode": "import" };

export declare const proxyWait: typeof workflow.proxyWait;
export declare const waitFailure: typeof workflow.waitFailure;
