/**
 * What the package's own tests look into; not exported from the package.
 *
 * @module
 */

export { EngineWait, EngineWaiter, initSync } from "./engine.js";
export { filled, openTables } from "./kernel.js";
