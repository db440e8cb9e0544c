/**
 * Smithy waiters for JavaScript: the engine is ready as soon as this module is imported.
 *
 * @module
 */

import { initSync } from "./engine.js";
import { engineBase64 } from "./engine-bytes.js";
import { bytesOf } from "./instantiate.js";

initSync({ module: bytesOf(engineBase64) });

export * from "./api.js";
