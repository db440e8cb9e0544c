/**
 * The same for Workers, which compile no bytes: there the wasm is a module that is imported.
 *
 * @module
 */

import engine from "./engine.wasm";
import { provide } from "./instantiate.js";

provide(() => engine);

export * from "./api.js";
