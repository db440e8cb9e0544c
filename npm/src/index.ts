/**
 * Smithy waiters for JavaScript, with the engine inside the module: for bundlers and browsers.
 *
 * @module
 */

import { hex } from "./engine-text.js";
import { bytesOf, provide } from "./instantiate.js";

provide(() => bytesOf(hex));

export * from "./api.js";
