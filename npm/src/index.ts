/**
 * Smithy waiters for JavaScript. This entry is for bundlers and browsers; it contains the engine as text.
 *
 * @module
 */

import { bytesOf, provide } from "./engine/load.js";
import * as text from "./engine/text.js";

provide(() => bytesOf(text));

export * from "./api.js";
