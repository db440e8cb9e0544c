/**
 * The same for Workers, which compile no bytes but import the engine as a module.
 *
 * @module
 */

import engine from "./engine.wasm";
import { provide } from "./engine/load.js";

provide(() => engine);

export * from "./api.js";
