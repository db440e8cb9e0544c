/**
 * What the package's own tests look into; not exported from the package.
 *
 * @module
 */

export {
  EnginePaginator,
  EngineRequest,
  EngineRequestOptions,
  EngineWait,
  EngineWaiter,
  EngineWalk,
  initSync,
} from "./engine.js";
export { asked } from "./errors.js";
export { filled, openTables, valueAt } from "./kernel.js";
export { failureOf } from "./reading.js";
export { StandardRetryStrategy } from "./retry-strategy.js";
export { inSlots } from "./slots.js";
export { CALL, DONE, SLEEP } from "./steps.js";
