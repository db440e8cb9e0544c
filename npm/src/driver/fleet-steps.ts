/**
 * The calls of a fleet, and the reports of their results to the engine.
 *
 * @module
 */

import type { EngineFleet } from "../engine/engine.js";
import { pushSlot } from "../engine/slots.js";
import { callEngine } from "../input/engine-call.js";
import { factsOf } from "../operation/transient.js";
import { yieldToEventLoop } from "../timers.js";
import type { Naming } from "../values/error-metadata.js";

/** The pages of one answer that are read in one turn of the event loop. */
const PAGES_OF_A_TURN = 16;

/** Returns the pages of an answer, which are one response or come one after another. Stops reading if the signal is aborted. */
export async function pagesOf(answer: unknown, signal: AbortSignal): Promise<unknown[]> {
  const awaited: unknown = await answer;
  if (!isPages(awaited)) return [awaited];
  const pages: unknown[] = [];
  for await (const page of awaited) {
    pages.push(page);
    // An iterator that never waits would keep the deadline from being noticed.
    if (pages.length % PAGES_OF_A_TURN === 0) await yieldToEventLoop();
    if (signal.aborted) break;
  }
  return pages;
}

/** Reports the answer of a call. */
export function respondTo(engine: EngineFleet, call: number, pages: readonly unknown[], now: number): void {
  callEngine(() => {
    const slots = pages.map(pushSlot);
    engine.respond(call, slots[0] ?? 0, slots.length, now);
  });
}

/** Reports the error of a call. */
export function failCall(engine: EngineFleet, naming: Naming, call: number, error: unknown, now: number): void {
  const metadata = naming.ofException(error);
  const { by, name, message } = metadata;
  const facts = factsOf(undefined, error, metadata, now);
  callEngine(() => engine.fail(call, by, name, message, ...facts, now));
}

function isPages(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === "object" && answer !== null && typeof (answer as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === "function";
}
