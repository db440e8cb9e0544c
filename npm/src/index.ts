/**
 * Smithy waiters for JavaScript, with the engine inside the module: for bundlers and browsers.
 *
 * @module
 */

import { bytesOf, provide } from "./engine/load.js";
import { hex } from "./engine/text.js";

provide(() => bytesOf(hex));

export * from "./api.js";
