/**
 * Smithy waiters for JavaScript: the engine is at hand as soon as this module is imported.
 *
 * @module
 */

import { engineHex } from "./engine-bytes.js";
import { bytesOf, provide } from "./instantiate.js";

provide(() => bytesOf(engineHex));

export * from "./api.js";
