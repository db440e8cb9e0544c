/**
 * Internals for the tests of this repository; not exported from the package.
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
  pollAction,
} from "./engine/engine.js";
export { callEngine, inSlots } from "./input/engine-call.js";
export { openTables, valueAt } from "./engine/host-imports.js";
export { slotCount } from "./engine/slots.js";
export { failureOf } from "./operation/classification.js";
export { ACQUIRE, CALL, DONE, RECORD, REFRESH, RELEASE, SLEEP } from "./constants.js";
