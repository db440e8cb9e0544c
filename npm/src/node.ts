/**
 * The entry for Node, which reads the engine from a file of the package.
 *
 * @module
 */

import { provide } from "./engine/load.js";

// An import of `node:fs` takes longer: it loads the streams of Node, too.
provide(() => process.getBuiltinModule("fs").readFileSync(new URL("./engine.wasm", import.meta.url)));

export * from "./api.js";
