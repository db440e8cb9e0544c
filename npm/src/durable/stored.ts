/**
 * Waits that an engine for durable workflows stores between their attempts. Nothing here depends on such an engine.
 *
 * @module
 */

import { WaitDriver } from "../driver/wait.js";
import { EngineSnapshot, reportLimitOf } from "../engine/engine.js";
import { checkCall } from "../input/checks.js";
import { callEngine, inSlots } from "../input/engine-call.js";
import type { Call, StartOptions, WithoutMaxWaitTime } from "../options.js";
import type { AttemptJson } from "../report/attempt-record.js";
import type { EndJson } from "../report/outcome.js";
import type { Wait } from "../wait.js";
import type { Waiter } from "../waiter.js";

/** The newest attempt of a wait, as plain data. */
export interface StoredProgress extends AttemptJson {
  /** A readable line about the attempt. */
  readonly summary: string;
  /** The option `label` of the wait. */
  readonly label: string | null;
}

/** The facts of a stored wait that its engine needs. */
export interface StoredFacts {
  /** The state as JSON text, which every language can resume. */
  readonly text: string;
  /** The time of the start, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** The time of the next attempt, in milliseconds since 1970. */
  readonly dueAtMs: number;
  /** The time of the deadline, in milliseconds since 1970. Without one it is ten years after the start. */
  readonly endsAtMs: number;
  /** The newest attempt; null before the first one has ended. */
  readonly progress: StoredProgress | null;
}

/** The result of one attempt: the state for the next one, or the end of the wait. */
export type StoredAttempt = { readonly progress: StoredProgress | null } & (
  | { readonly state: StoredFacts; readonly end: null }
  | { readonly state: null; readonly end: EndJson }
);

/** The options of `StoredWaits#begin`. */
export type BeginOptions<Input> = StartOptions<Input> | WithoutMaxWaitTime<StartOptions<Input>>;

/** Begins, continues and ends the stored waits of one waiter. */
export class StoredWaits<Input = unknown, Response = unknown> {
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  readonly #waiter: Waiter<Input, Response>;
  readonly #reportLimit: number;

  /**
   * @param reportLimit the maximum size of the end of a wait, and of a state with a history, as JSON in bytes.
   * @throws StateError, code `predicate`, if the waiter has a predicate; OptionsError if the limit is not a positive integer.
   */
  constructor(waiter: Waiter<Input, Response>, reportLimit?: number) {
    this.#reportLimit = inSlots((slot) => reportLimitOf(slot), { reportLimit });
    this.fingerprint = waiter.storedFingerprint();
    this.#waiter = waiter;
  }

  /**
   * Begins a wait. Returns its state, and its identity: equal for two starts with the same definition, options, input and arguments.
   *
   * @param id the ID of the wait. The seed is derived from it, unless the options have one.
   * @param options the options of `Waiter#start`.
   * @param argumentsText a text of what the caller passes to the call.
   * @param startedAtMs the start of the wait, in milliseconds since 1970.
   * @throws OptionsError if an option is invalid.
   */
  begin(id: string, options: BeginOptions<Input>, argumentsText = "", startedAtMs = Date.now()): StoredFacts & { readonly identity: string } {
    const wait = this.#waiter.startStored(id, options, startedAtMs, this.#reportLimit);
    try {
      return { ...stateOf(wait), identity: wait.engine.startIdentity(argumentsText)! };
    } finally {
      wait.free();
    }
  }

  /**
   * Makes the next attempt of a wait. The time since the last one counts.
   *
   * @param text the state as JSON text.
   * @param call the function that calls the operation.
   * @param abortSignal a signal that cancels the wait.
   * @throws StateError if the state is damaged, was stored by a later release or belongs to another definition; TypeError if the call
   * is no function. The promise rejects with the error.
   */
  async attempt(text: string, call: Call<Response>, abortSignal?: AbortSignal): Promise<StoredAttempt> {
    checkCall(call);
    const wait = this.#waiter.resumeStored(text, true);
    try {
      const driver = new WaitDriver<Response>(wait, call, { abortSignal });
      driver.caller.clock.skipTo(wait.nowMs);
      await driver.attempt();
      const state = stateOf(wait);
      const { progress } = state;
      return wait.done === undefined ? { progress, state, end: null } : { progress, state: null, end: wait.endJson() };
    } finally {
      wait.free();
    }
  }

  /**
   * Ends a wait without another attempt: as timed out if its deadline has passed, otherwise as cancelled.
   *
   * @param reason the reason of the cancellation.
   * @throws StateError as `attempt` does.
   */
  conclude(text: string, reason?: unknown): EndJson {
    const wait = this.#waiter.resumeStored(text, false);
    try {
      wait.conclude(reason, wait.nowMs);
      return wait.endJson();
    } finally {
      wait.free();
    }
  }
}

/** Returns the newest attempt of a stored state; null before the first one has ended. */
export function progressOf(text: string): StoredProgress | null {
  return storedFacts(text).progress;
}

function stateOf<Response>(wait: Wait<Response>): StoredFacts {
  return factsOf(callEngine(() => wait.engine.snapshot()));
}

/**
 * Returns the facts of a stored state.
 *
 * @throws StateError if the state is damaged or was stored by a later release.
 */
export function storedFacts(text: string): StoredFacts {
  return factsOf(callEngine(() => new EngineSnapshot(text)), text);
}

/**
 * Returns the whole seconds until the next attempt of a stored state, for an engine that asks when an attempt has just ended.
 *
 * @throws StateError as `storedFacts` does.
 */
export function pauseSeconds(text: string): number {
  const snapshot = callEngine(() => new EngineSnapshot(text));
  try {
    return callEngine(() => snapshot.pauseSeconds(Date.now()));
  } finally {
    snapshot.free();
  }
}

function factsOf(snapshot: EngineSnapshot, text = snapshot.text()): StoredFacts {
  try {
    const { startedAtMs = 0, dueAtMs = 0, endsAtMs = 0, progress = "null" } = snapshot;
    return { text, startedAtMs, dueAtMs, endsAtMs, progress: JSON.parse(progress) as StoredProgress | null };
  } finally {
    snapshot.free();
  }
}
