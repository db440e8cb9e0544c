/** The worker that has the engine. */

import type { Reply } from "./protocol.js";

export interface Engine {
  readonly worker: Worker;
  /** Resolves when the worker listens; it loads the engine first. */
  readonly ready: Promise<void>;
}

export function startEngine(): Engine {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const ready = new Promise<void>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => data.type === "ready" && resolve());
    worker.addEventListener("error", reject);
  });
  return { worker, ready };
}
