/**
 * Waits for many resources that share their calls.
 *
 * @module
 */

import type { FleetCall, WholeOptions } from "./driver/fleet-call.js";
import { type Entry, FleetDriver } from "./driver/fleet.js";
import { Group } from "./driver/group.js";
import type { EngineFleet } from "./engine/engine.js";
import { checkFunction, checkNames, checkSignal, isList, mustBe } from "./input/checks.js";
import { callEngine, inSlots } from "./input/engine-call.js";
import { namesOf, optionsOf, pickOptions, rejectFunctions } from "./input/engine-options.js";
import { savedText } from "./input/json-text.js";
import { checkTime, fleetOptions, type StartOptions, type WaitOptions, type WithoutMaxWaitTime } from "./options.js";
import { RateLimit } from "./rate-limit.js";
import type { Outcome } from "./report/outcome.js";
import type { Naming } from "./values/error-metadata.js";
import { optionalMillis } from "./values/millis.js";

export type { FleetAttempt, FleetCall, FleetProgress, ItemOf } from "./driver/fleet-call.js";

/** The options of `Waiter#fleet`. */
export interface FleetOptions<Items extends string = string> extends Pick<WaitOptions, "clock" | "sleep"> {
  /** The path of the resources in a response: member names and `[]`, such as `Reservations[].Instances[]`. */
  readonly items: Items;
  /**
   * The member of a resource that is its identifier, or several, any of which may be. An identifier that is an ARN is also found by
   * its last part.
   */
  readonly key: string | readonly string[];
  /**
   * Further lists whose entries belong to resources, with the member that has the identifier: `{ "failures[]": "arn" }`. The waiter
   * sees the entries of its resource.
   *
   * @default {}
   */
  readonly also?: Readonly<Record<string, string>> | undefined;
  /**
   * The most identifiers of one call, an integer from 1 to 10,000.
   *
   * @default 100
   */
  readonly batch?: number | undefined;
  /**
   * The most calls per second, from 0.001 to 1000, or a `RateLimit` that fleets share. A throttled call lowers the rate for a time. See
   * docs/rules.md#rate-limit.
   *
   * @default 5
   */
  readonly rate?: RateLimit | number | undefined;
}

/** The options of `Fleet#wait`: those of `Waiter#wait` without `input` and the members for single attempts. */
export interface FleetWaitOptions extends Omit<StartOptions, "historyLimit" | "input"> {
  /**
   * The maximum number of attempts in the `history` and in `explain()`; the oldest ones are dropped.
   *
   * @default 1
   */
  readonly historyLimit?: number | undefined;
  /**
   * A signal that cancels the wait, and not those of other callers. The wait then throws `WaiterCancelled`, whose `cause` is the
   * signal's reason.
   */
  readonly abortSignal?: AbortSignal | undefined;
}

/** The options of `Fleet#waitEach`. */
export interface EachOptions extends FleetWaitOptions, WholeOptions {}

/** The options of `Fleet#resumeEach`. */
export interface ResumeEachOptions extends WholeOptions, Pick<FleetWaitOptions, "abortSignal"> {
  /**
   * The milliseconds since the start, including the time while the state was stored. By default this time is computed from the wall
   * clock.
   */
  readonly elapsedMs?: number | undefined;
}

/**
 * Waits for many resources that share their calls, which `Waiter#fleet` creates. Callers can join at any time, and those of the same
 * resource share its polls. Without callers, nothing runs. See docs/rules.md#fleets.
 *
 * @example
 * ```js
 * const call = (VolumeIds, { signal }) => ec2.send(new DescribeVolumesCommand({ VolumeIds }), { abortSignal: signal });
 * const fleet = volumeAvailable.fleet(call, { items: "Volumes[]", key: "VolumeId" });
 * const outcome = await fleet.wait("vol-1", { maxWaitTime: 600 });
 * const outcomes = await fleet.waitEach(["vol-2", "vol-3"], { maxWaitTime: 600 });
 * ```
 */
export class Fleet<Item = unknown> {
  /** The limit of the rate of its calls. */
  readonly rate: RateLimit;
  readonly #driver: FleetDriver<Item>;

  /** @internal */
  constructor(make: (members: object, rate: RateLimit) => EngineFleet, naming: Naming, call: FleetCall, options: FleetOptions) {
    const members = optionsOf("fleet", options, ["rate", "clock", "sleep"]);
    const { clock, sleep, rate } = options;
    checkTime({ abortSignal: undefined, clock, sleep });
    this.rate = rate instanceof RateLimit ? rate : new RateLimit(rate);
    this.#driver = new FleetDriver(make(members, this.rate), naming, call, { clock, sleep });
  }

  /**
   * Waits for a resource, and returns a promise of the outcome. Its `response` is the resource in the answer.
   *
   * @param id the identifier of the resource.
   * @param options the options; one of `maxWaitTime`, `deadline` and `maxAttempts` is required.
   * @throws WaiterError if the wait fails; it has a `response` only if an answer ended it. OptionsError if the identifier or an option
   * is invalid, StateError with the code `invalid_answer` if the resources of an answer cannot be told apart. The promise rejects with
   * the error.
   */
  async wait(id: string, options: FleetWaitOptions | WithoutMaxWaitTime<FleetWaitOptions>): Promise<Outcome<Item>> {
    const start = fleetOptions(options ?? {}, ["abortSignal"]);
    checkSignal(options?.abortSignal);
    const group = new Group<Item>();
    await this.#driver.run(group, joining({ id }, start), options?.abortSignal);
    return group.only();
  }

  /**
   * Waits for each of several resources, and returns a promise of the outcome of each identifier that succeeded, in the order of the
   * identifiers. By default, a failure of one lets the others go on.
   *
   * @param ids the identifiers of the resources.
   * @param options the options; one of `maxWaitTime`, `deadline` and `maxAttempts` is required.
   * @throws WaitersFailed if too many waits end without success; it lists all of them. OptionsError if an option is invalid or an
   * identifier repeats, StateError with the code `invalid_answer` if the resources of an answer cannot be told apart. The promise
   * rejects with the error.
   */
  async waitEach(ids: Iterable<string>, options: EachOptions | WithoutMaxWaitTime<EachOptions>): Promise<Map<string, Outcome<Item>>> {
    if (!isList(ids)) throw mustBe("ids", "an iterable of identifiers", ids);
    const start = fleetOptions(options ?? {}, eachOptions());
    return this.#each(joining({ ids: [...ids] }, start), options ?? {});
  }

  /**
   * Continues a `waitEach` from a state that its `onState` was called with, in any process and from any language. The identifiers and
   * the options are those of the state, and what has ended stays ended. The outcome of a wait that ended before has no response and no
   * history.
   *
   * @param state the JSON text, or the object that was parsed from it.
   * @param options the options for the whole, and the time since the start.
   * @throws WaitersFailed if too many waits end without success. StateError if the state is damaged, belongs to another definition or
   * to a fleet with other `items`, `key` or `also`, or is of a later version, or if an answer is invalid. OptionsError if an option is
   * invalid. The promise rejects with the error.
   */
  async resumeEach(state: object | string, options: ResumeEachOptions = {}): Promise<Map<string, Outcome<Item>>> {
    checkNames(options ?? {}, [...eachOptions(), "elapsedMs"]);
    const [text, elapsed] = [savedText(state), optionalMillis(options?.elapsedMs)];
    const enter: Entry = (engine, now) => pairs(callEngine(() => engine.resume(text, elapsed, Date.now(), now)));
    return this.#each(enter, options ?? {});
  }

  async #each(enter: Entry, options: object): Promise<Map<string, Outcome<Item>>> {
    const whole = pickOptions(options, eachOptions()) as WholeOptions & Pick<FleetWaitOptions, "abortSignal">;
    checkSignal(whole.abortSignal);
    checkFunction("onProgress", whole.onProgress);
    checkFunction("onState", whole.onState);
    rejectFunctions(pickOptions(whole, namesOf("tally")));
    const group = new Group<Item>(whole);
    await this.#driver.run(group, enter, whole.abortSignal);
    return group.all();
  }
}

/** Returns the names of the options for the whole of several waits. */
function eachOptions(): readonly string[] {
  return [...namesOf("tally"), "abortSignal", "onProgress", "onState"];
}

/** The identifier of a caller, or a list of them. The engine checks them. */
type Names = { readonly id: string } | { readonly ids: readonly string[] };

/** Starts waits with options under the engine's names. */
function joining(names: Names, options: object): Entry {
  return (engine, now) => pairs(inSlots((identifiers, start) => engine.join(identifiers, start, now), names, options));
}

function pairs(parts: readonly unknown[]): [number, string][] {
  return Array.from({ length: parts.length / 2 }, (_, index) => [parts[index * 2] as number, parts[index * 2 + 1] as string]);
}

