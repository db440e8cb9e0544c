/**
 * The entry for pages that load the engine as a file. It has the exports of `smithy-waiters`. Bundlers copy the file because of its
 * URL; a browser compiles it while it arrives, and caches it.
 *
 * @module
 */

import { fetchEngine, provide } from "./engine/load.js";

const engine = await fetchEngine(new URL("./engine.wasm", import.meta.url));
provide(() => engine);

export * from "./api.js";
