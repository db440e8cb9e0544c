/**
 * The entry for Cloudflare Workers, which import the engine as a module because they cannot compile bytes.
 *
 * @module
 */

import engine from "./engine.wasm";
import { provide } from "./engine/load.js";

provide(() => engine);

export * from "./api.js";
