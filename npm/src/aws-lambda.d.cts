/**
 * Types of `smithy-waiters/aws-lambda` for `require`.
 *
 * @module
 */

import type * as lambda from "./aws-lambda.js" with { "resolution-mode": "import" };

export type * from "./aws-lambda.js" with { "resolution-mode": "import" };

export declare const durableWait: typeof lambda.durableWait;
