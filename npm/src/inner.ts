/**
 * Internals for the tests of this repository; not exported from the package.
 *
 * @module
 */

export {
  EnginePaginator,
  EngineRateLimit,
  EngineRequest,
  EngineRequestOptions,
  EngineSnapshot,
  EngineWait,
  EngineWaiter,
  EngineWalk,
  initSync,
  pollAction,
} from "./engine/engine.js";
export { callEngine, inSlots } from "./input/engine-call.js";
export { openTables, valueAt } from "./engine/host-imports.js";
export { pushSlot, slotCount } from "./engine/slots.js";
export { failureOf } from "./operation/classification.js";
export { factsOf } from "./operation/transient.js";
export { Naming } from "./values/error-metadata.js";
export { ACQUIRE, CALL, DONE, RECORD, REFRESH, RELEASE, SLEEP } from "./constants.js";
