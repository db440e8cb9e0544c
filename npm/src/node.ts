/**
 * The entry for Node, which reads the engine from a file of the package.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { provide } from "./engine/load.js";

provide(() => readFileSync(new URL("./engine.wasm", import.meta.url)));

export * from "./api.js";
