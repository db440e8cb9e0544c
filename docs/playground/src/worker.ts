/** Runs the engine beside the page, so that a large text never blocks it. */

import { evaluate, type Prepared } from "./evaluate.js";
import type { Reply, Request } from "./protocol.js";
import { schedule } from "./schedule.js";

let prepared: Prepared | undefined;

// Messages that arrive while the engine loads would be lost, so the page waits for `ready`.
self.onmessage = ({ data }: MessageEvent<Request>) => {
  try {
    reply(answer(data));
  } catch (error) {
    reply({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
};

reply({ type: "ready" });

function answer(request: Request): Reply {
  const { id, timing } = request;
  if (request.type === "evaluate") {
    const evaluated = evaluate(request.subject);
    prepared = evaluated.prepared;
    return { type: "evaluated", id, evaluation: evaluated.evaluation, schedule: prepared && schedule(prepared, timing) };
  }
  return { type: "scheduled", id, schedule: prepared && schedule(prepared, timing) };
}

function reply(message: Reply): void {
  self.postMessage(message);
}
