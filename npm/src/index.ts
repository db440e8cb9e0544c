/**
 * Smithy waiters for JavaScript: the engine is at hand as soon as this module is imported.
 *
 * @module
 */

import { engineBase64 } from "./engine-bytes.js";
import { bytesOf, provide } from "./instantiate.js";

provide(() => bytesOf(engineBase64));

export * from "./api.js";
