/**
 * Fleets that an engine for durable workflows stores between their rounds. Nothing here depends on such an engine.
 *
 * @module
 */

import { CALL } from "../constants.js";
import { Cancellation } from "../driver/cancellation.js";
import { Clock } from "../driver/clock.js";
import type { FleetCall, FleetProgress } from "../driver/fleet-call.js";
import { failCall, pagesOf, respondTo } from "../driver/fleet-steps.js";
import { outcomesOfEnds } from "../driver/group.js";
import { type Limits, PendingCall } from "../driver/pending.js";
import { type EngineFleet, storedFleetFacts } from "../engine/engine.js";
import { pushSlot } from "../engine/slots.js";
import type { EachOptions, FleetOptions } from "../fleet.js";
import { checkCall, isList, mustBe } from "../input/checks.js";
import { callEngine } from "../input/engine-call.js";
import { namesOf, optionsOf, pickOptions, rejectFunctions } from "../input/engine-options.js";
import { storedFleetOptions, type WithoutMaxWaitTime } from "../options.js";
import { Ended } from "../report/ended.js";
import { LatestResult, type Outcome } from "../report/outcome.js";
import type { Naming } from "../values/error-metadata.js";
import type { JsonValue } from "../values/json-value.js";
import type { Waiter } from "../waiter.js";

/** How one call answers for many resources: the options of `Waiter#fleet` without those of a process. */
export type StoredFleetOptions = Pick<FleetOptions, "also" | "batch" | "items" | "key">;

/** The options of the waits of a stored fleet: those of `Fleet#waitEach` without functions and the signal. */
export type StoredEachOptions = Omit<EachOptions, "abortSignal" | "onProgress" | "onState">;

/** The counts of the resources of a stored fleet, and a line about them. */
export interface StoredFleetProgress extends FleetProgress {
  readonly summary: string;
}

/** The facts of a stored fleet that its engine needs. */
export interface StoredFleetFacts {
  /** The state as JSON text, which every language can resume. */
  readonly text: string;
  /** The time of the next round, in milliseconds since 1970. */
  readonly dueAtMs: number;
  /** The time of the deadline, in milliseconds since 1970. Without one it is ten years after the start. */
  readonly endsAtMs: number;
  /** The counts of the resources. */
  readonly progress: StoredFleetProgress;
}

/** The ends of the resources of a stored fleet. */
export interface FleetEndJson {
  /** `true` if the resources have succeeded as a whole. */
  readonly succeeded: boolean;
  /** The identifiers. */
  readonly ids: readonly string[];
  /** The end of each, with null for absent members, without a response and a history. */
  readonly ends: readonly { readonly [name: string]: JsonValue }[];
  /** The counts of the ends. */
  readonly progress: StoredFleetProgress;
}

/** The result of one round: the state for the next one, or the ends. */
export type StoredRound = { readonly progress: StoredFleetProgress } & (
  | { readonly state: StoredFleetFacts; readonly end: null }
  | { readonly state: null; readonly end: FleetEndJson }
);

/** Begins, continues and ends the stored fleets of one waiter. */
export class StoredFleets {
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  readonly #open: () => EngineFleet;
  readonly #naming: Naming;

  /**
   * @param options where a response has the resources, and the most identifiers of a call.
   * @throws StateError, code `predicate`, if the waiter has a predicate; OptionsError if an option is invalid.
   */
  constructor(waiter: Waiter<never, never>, options: StoredFleetOptions) {
    this.fingerprint = waiter.storedFingerprint();
    [this.#open, this.#naming] = waiter.storedFleet(optionsOf("fleet", options, []));
    this.#open().free();
  }

  /**
   * Begins the waits for resources. Returns their state, and their identity: equal for two starts with the same definition, options,
   * identifiers and arguments.
   *
   * @param id the ID of the fleet. The seed is derived from it, unless the options have one.
   * @param ids the identifiers of the resources.
   * @param options the options of `Fleet#waitEach` that are no functions.
   * @param argumentsText a text of what the caller passes to the call.
   * @param startedAtMs the start, in milliseconds since 1970.
   * @throws OptionsError if an option is invalid, there are no identifiers, or one repeats.
   */
  begin(
    id: string,
    ids: Iterable<string>,
    options: StoredEachOptions | WithoutMaxWaitTime<StoredEachOptions>,
    argumentsText = "",
    startedAtMs = Date.now(),
  ): StoredFleetFacts & { readonly identity: string } {
    if (!isList(ids)) throw mustBe("ids", "an iterable of identifiers", ids);
    const [members, deadlineAtMs] = storedFleetOptions(options ?? {}, namesOf("tally"));
    const whole = pickOptions(options ?? {}, namesOf("tally"));
    rejectFunctions(whole);
    return this.#with((engine) => {
      const names = { ids: [...ids] };
      callEngine(() => engine.startStored(pushSlot(names), pushSlot(whole), pushSlot(members), id, startedAtMs, deadlineAtMs));
      return { ...stateOf(engine)!, identity: callEngine(() => engine.startIdentity(argumentsText))! };
    });
  }

  /**
   * Makes the next round: the calls that are due, one after another. The time since the last round counts.
   *
   * @param text the state as JSON text.
   * @param call the function that makes the call for a list of identifiers.
   * @param abortSignal a signal that cancels the waits.
   * @throws StateError if the state is damaged, was stored by a later release or belongs to another definition or fleet, or if the
   * resources of an answer cannot be told apart (`invalid_answer`); TypeError if the call is no function. The promise rejects with the
   * error.
   */
  async attempt(text: string, call: FleetCall, abortSignal?: AbortSignal): Promise<StoredRound> {
    checkCall(call);
    const engine = this.#open();
    const cancellation = new Cancellation(abortSignal);
    try {
      const clock = new Clock({});
      clock.skipTo(callEngine(() => engine.resumeStored(text, Date.now(), true)));
      await cancellation.during(async () => {
        while (!cancellation.isCancelled && callEngine(() => engine.poll(clock.now())) === CALL) {
          await this.#perform(engine, call, { cancellation, clock });
        }
      });
      if (cancellation.isCancelled) callEngine(() => engine.conclude(clock.now()));
      return roundOf(engine);
    } finally {
      engine.free();
    }
  }

  /**
   * Ends the waits without another call: as timed out if their deadline has passed, otherwise as cancelled.
   *
   * @throws StateError as `attempt` does.
   */
  conclude(text: string): FleetEndJson {
    return this.#with((engine) => {
      callEngine(() => engine.conclude(engine.resumeStored(text, Date.now(), false)));
      return JSON.parse(callEngine(() => engine.storedReport())!) as FleetEndJson;
    });
  }

  async #perform(engine: EngineFleet, call: FleetCall, limits: Limits): Promise<void> {
    const { call: number, ids, deadlineMs } = engine;
    const pending = new PendingCall<unknown[]>(limits, deadlineMs);
    const result = await pending.make(({ signal }) => answerOf(call, ids, signal), 1, 0);
    const now = limits.clock.now();
    if (result === undefined) callEngine(() => engine.abandon(number, now));
    else if (result === "cut") callEngine(() => engine.cut(number, now));
    else if ("error" in result) failCall(engine, this.#naming, number, result.error, now);
    else respondTo(engine, number, result.response, now);
  }

  #with<T>(run: (engine: EngineFleet) => T): T {
    const engine = this.#open();
    try {
      return run(engine);
    } finally {
      engine.free();
    }
  }
}

/** Makes a call, and returns a promise of the pages of its answer. */
async function answerOf(call: FleetCall, ids: string[], signal: AbortSignal): Promise<unknown[]> {
  return pagesOf(call(ids, { signal }), signal);
}

/**
 * Returns the facts of a stored fleet.
 *
 * @throws StateError if the state is damaged or was stored by a later release.
 */
export function fleetFacts(text: string): StoredFleetFacts {
  return factsOf(text, callEngine(() => storedFleetFacts(text)));
}

/** Returns the facts of a fleet that has not ended. */
function stateOf(engine: EngineFleet): StoredFleetFacts | undefined {
  const state = callEngine(() => engine.storedState());
  return state === undefined ? undefined : factsOf(state[0]!, state[1]!);
}

function factsOf(text: string, facts: string): StoredFleetFacts {
  return { text, ...(JSON.parse(facts) as Omit<StoredFleetFacts, "text">) };
}

/**
 * Returns the outcomes of a fleet that has ended, from its plain data.
 *
 * @throws WaitersFailed if the resources did not succeed as a whole.
 */
export function outcomesOfFleet<Item = unknown>({ succeeded, ids, ends }: FleetEndJson): Map<string, Outcome<Item>> {
  const ended = (id: string, index: number): readonly [string, Ended<Item>] => {
    const { name = null, message = "", ...others } = ends[index]!;
    return [id, new Ended<Item>(JSON.stringify({ name, message, ...others }), new LatestResult<Item>())];
  };
  // A store may have made an `Error` of each end with a name and a message, in which these are not enumerable.
  return outcomesOfEnds(ids.map(ended), succeeded, outcomesOfFleet);
}

function roundOf(engine: EngineFleet): StoredRound {
  const state = stateOf(engine);
  if (state !== undefined) return { progress: state.progress, state, end: null };
  const end = JSON.parse(callEngine(() => engine.storedReport())!) as FleetEndJson;
  return { progress: end.progress, state: null, end };
}
