/**
 * The same for Workers, which compile no bytes: there the wasm is a module that is imported.
 *
 * @module
 */

import { initSync } from "./engine.js";
import engine from "./engine.wasm";

initSync({ module: engine });

export * from "./api.js";
