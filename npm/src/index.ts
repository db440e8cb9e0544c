/**
 * Smithy waiters for JavaScript: the engine is at hand as soon as this module is imported.
 *
 * @module
 */

import { packed, size } from "./engine-bytes.js";
import { installed } from "./installed.js";
import { bytesOf, provide } from "./instantiate.js";
import { unpackedBytes } from "./lzma.js";

provide(() => installed(import.meta.url) ?? unpackedBytes(bytesOf(packed), size));

export * from "./api.js";
