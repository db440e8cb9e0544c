/**
 * Waits for many resources that share their calls.
 *
 * @module
 */

import type { FleetCall, WholeOptions } from "./driver/fleet-call.js";
import { FleetDriver } from "./driver/fleet.js";
import { Group } from "./driver/group.js";
import type { EngineFleet } from "./engine/engine.js";
import { checkFunction, checkNames, checkSignal, mustBe } from "./input/checks.js";
import { checkTime, splitFleetOptions, type StartOptions, type WaitOptions, type WithoutMaxWaitTime } from "./options.js";
import { RateLimit } from "./rate-limit.js";
import type { Outcome } from "./report/outcome.js";
import type { Naming } from "./values/error-metadata.js";

export type { FleetAttempt, FleetCall, FleetProgress } from "./driver/fleet-call.js";

/** The options of `Waiter#fleet`. */
export interface FleetOptions extends Pick<WaitOptions, "clock" | "sleep"> {
  /** The path of the resources in a response: member names and `[]`, such as `Reservations[].Instances[]`. */
  readonly items: string;
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
    checkNames(options, FLEET_OPTIONS);
    const { clock, sleep, rate, ...members } = options;
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
    const [start, { abortSignal }] = splitFleetOptions(options ?? {}, ["abortSignal"]);
    const group = new Group<Item>({ id });
    await this.#driver.run(group, start, signalOf(abortSignal));
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
    const [start, { abortSignal, ...whole }] = splitFleetOptions(options ?? {}, EACH_OPTIONS);
    const signal = signalOf(abortSignal);
    const { quorum, failFast, onProgress } = whole as WholeOptions;
    checkFunction("onProgress", onProgress);
    const group = new Group<Item>({ ids: [...ids] }, { quorum, failFast, onProgress });
    await this.#driver.run(group, start, signal);
    return group.all();
  }
}

const FLEET_OPTIONS = ["items", "key", "also", "batch", "rate", "clock", "sleep"];

const EACH_OPTIONS = ["abortSignal", "quorum", "failFast", "onProgress"] as const;

function signalOf(signal: unknown): AbortSignal | undefined {
  checkSignal(signal as AbortSignal | undefined);
  return (signal as AbortSignal | null | undefined) ?? undefined;
}

function isList(ids: unknown): boolean {
  return typeof ids === "object" && ids !== null && Symbol.iterator in ids;
}
