/**
 * Waits that survive the process, on the workflows and queues of DBOS.
 *
 * Each poll is one queued workflow, which is enqueued with a delay. No worker sleeps, and the limiter of the queue limits the polls
 * of all waits together. The wait is a workflow, too, in a queue without limits: it is delayed until the last poll, a cancellation or
 * the deadline wakes it, and its result is the result of the wait. Install `@dbos-inc/dbos-sdk` beside this package.
 *
 * @example
 * ```js
 * const restored = durableWait(waiter, describe, { name: "restored", queue: "waits" }); // before `DBOS.launch()`
 * const wait = await restored.start("orders", { workflowID: "restore-orders", maxWaitTime: 6 * 3600 });
 * const outcome = await wait.getResult();
 * ```
 *
 * A fleet is one durable wait for many resources that share their calls. Each poll is a round, which makes the calls that are due.
 *
 * @example
 * ```js
 * const available = durableFleet(waiter, describe, { name: "available", queue: "waits", items: "Volumes[]", key: "VolumeId" });
 * const fleet = await available.start(["vol-1", "vol-2"], { maxWaitTime: 6 * 3600 });
 * const outcomes = await fleet.getResult();
 * ```
 *
 * @module
 */

import { DBOS, Error as DBOSErrors } from "@dbos-inc/dbos-sdk";
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { FleetProgress } from "./driver/fleet-call.js";
import { canonical } from "./durable/fingerprint.js";
import { type Attempted, type FleetPoll, type FleetStart, fleetKind, type Kind, type Poll, waitKind } from "./durable/kind.js";
import { fleetFailure, outcomeOf, revive } from "./durable/stored-end.js";
import {
  type FleetEndJson,
  outcomesOfFleet,
  type StoredEachOptions,
  type StoredFleetOptions,
  type StoredFleetProgress,
  StoredFleets,
} from "./durable/stored-fleet.js";
import { type BeginOptions, type StoredProgress, StoredWaits } from "./durable/stored.js";
import { pollAction } from "./engine/engine.js";
import { StateError } from "./errors/waiter.js";
import { checkCall, checkNames, checkText, notText } from "./input/checks.js";
import type { StartOptions, WithoutMaxWaitTime } from "./options.js";
import type { EndJson, Outcome } from "./report/outcome.js";
import { type JsonValue, plain } from "./values/json-value.js";
import type { Waiter } from "./waiter.js";

export type { FleetProgress } from "./driver/fleet-call.js";
export type { FleetPoll, Poll } from "./durable/kind.js";
export type { FleetEndJson, StoredEachOptions, StoredFleetOptions } from "./durable/stored-fleet.js";
export type { StoredProgress } from "./durable/stored.js";
export type { EndJson } from "./report/outcome.js";

/** The polls end a wait at its deadline. The wait wakes this much later, in milliseconds, in case its poll is on a worker that died. */
const GRACE = 60_000;

/** The names of the workflows of all durable waits. */
const names = new Set<string>();

/** The options of `durableWait`. */
export interface DurableWaitOptions {
  /**
   * The name of the workflow in DBOS, which must be unique and stay the same while waits are running. The polls are workflows with
   * the name `{name}.poll`.
   */
  readonly name: string;
  /**
   * The name of the queue of the polls. Register it with `DBOS.registerQueue`. The waits themselves have the queue `{queue}.waits`,
   * which `DurableWait#start` registers without limits.
   */
  readonly queue: string;
  /**
   * The maximum size of a stored outcome or failure as JSON, in bytes, without its explanation. A text replaces a response or an
   * error that is too large, and then the oldest attempts are removed from the history. They are also removed from a larger state of
   * a running wait.
   *
   * @default 1 MiB
   */
  readonly reportLimit?: number | undefined;
}

/** The options of `DurableWait#start`. */
export type DurableStartOptions<Input = unknown> = (StartOptions<Input> | WithoutMaxWaitTime<StartOptions<Input>>) & {
  /**
   * The ID of the wait, which makes the start idempotent; random by default. The seed of the delays is derived from it. It cannot end
   * like that of a poll: `.poll-1`.
   */
  readonly workflowID?: string | undefined;
};

/** The options of `durableFleet`. */
export interface DurableFleetOptions extends StoredFleetOptions, Pick<DurableWaitOptions, "name" | "queue"> {}

/** The options of `DurableFleet#start`. */
export type DurableEachOptions<Argument = unknown> = (StoredEachOptions | WithoutMaxWaitTime<StoredEachOptions>) &
  Pick<DurableStartOptions, "workflowID"> & {
    /** The argument of the call, which the serializer of DBOS stores. */
    readonly argument?: Argument | undefined;
  };

/** The newest attempt of a durable wait. */
export interface DurableProgress extends StoredProgress {
  /** The number of times that a worker that died may have made the same call before. */
  readonly repeated: number;
}

/**
 * Registers a durable wait with DBOS. Call this function when a module is loaded, before `DBOS.launch()`.
 *
 * @param waiter the waiter. It cannot have a predicate.
 * @param poll the function that makes the call. After a crash, the interrupted call is repeated.
 * @param options the names of the workflow and of the queue.
 * @throws OptionsError if an option is invalid or another durable wait has the name, StateError if the waiter has a predicate,
 * TypeError if `poll` is not a function.
 */
export function durableWait<Argument = void, Output extends Response = never, Input = unknown, Response = unknown>(
  waiter: Waiter<Input, Response>,
  poll: Poll<Argument, Output>,
  options: DurableWaitOptions,
): DurableWait<Argument, Output, Input> {
  checkCall(poll);
  checkNames(options, ["name", "queue", "reportLimit"]);
  const { name, queue, reportLimit } = options;
  checkText("name", name);
  checkText("queue", queue);
  return new DurableWait(waiter, poll, { name, queue, reportLimit });
}

/**
 * Registers a durable wait for many resources with DBOS. Call this function when a module is loaded, before `DBOS.launch()`.
 *
 * @param waiter the waiter. It cannot have a predicate. It judges each resource as if the answer held only it.
 * @param poll the function that makes the call for a list of identifiers. After a crash, the calls of the interrupted round are
 * repeated. The limiter of the queue limits the rounds, each of which makes its calls one after another.
 * @param options the names of the workflow and of the queue, and where a response has the resources.
 * @throws OptionsError if an option is invalid or another durable wait has the name, StateError if the waiter has a predicate,
 * TypeError if `poll` is not a function.
 */
export function durableFleet<Argument = void>(waiter: Waiter<never, never>, poll: FleetPoll<Argument>, options: DurableFleetOptions): DurableFleet<Argument> {
  checkCall(poll);
  const { name, queue, ...shape } = options ?? {};
  checkText("name", name);
  checkText("queue", queue);
  return new DurableFleet(waiter, poll, { name, queue, ...shape });
}

/** A wait that survives the process. The function `durableWait` creates it. */
export class DurableWait<Argument = void, Response = unknown, Input = unknown> {
  /** The waiter. */
  readonly waiter: Waiter<Input, never>;
  /** The name of the workflow in DBOS. */
  readonly name: string;
  /** The name of the queue. */
  readonly queue: string;
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  readonly #workflows: Workflows<Argument, BeginOptions<Input>, EndJson, StoredProgress>;

  /** @internal */
  constructor(waiter: Waiter<Input, never>, poll: Poll<Argument, Response>, { name, queue, reportLimit }: DurableWaitOptions) {
    this.waiter = waiter;
    this.name = name;
    this.queue = queue;
    const waits = new StoredWaits<Input, Response>(waiter, reportLimit);
    this.fingerprint = waits.fingerprint;
    this.#workflows = new Workflows(waitKind(waits, poll), name, queue);
  }

  /**
   * Starts a wait and returns a promise of its handle. The options of the wait do not change while it is running, even if the
   * program does.
   *
   * @param argument the argument of the poll, which the serializer of DBOS stores: plain data that may contain a `Date`, a `RegExp`, a
   * `URL`, bytes, a `Map` or a `Set`.
   * @param options the ID of the wait and the options of `Waiter#start`; one of `maxWaitTime`, `deadline` and `maxAttempts` is
   * required.
   * @throws OptionsError if an option is invalid or the queue is not registered, TypeError if the argument is other data, StateError
   * if the wait `workflowID` was started with another definition, another argument or other options. The promise rejects with the
   * error.
   */
  async start(argument: Argument, options: DurableStartOptions<Input>): Promise<WaitHandle<Response>> {
    const { workflowID, ...start } = options ?? {};
    return this.handle(await this.#workflows.start(argument, workflowID, start as BeginOptions<Input>));
  }

  /** Returns the handle of a wait that was started before, in any process. */
  handle(workflowID: string): WaitHandle<Response> {
    return new WaitHandle(this.name, workflowID, this.#workflows);
  }
}

/** A wait for many resources that survives the process. The function `durableFleet` creates it. */
export class DurableFleet<Argument = void> {
  /** The waiter. */
  readonly waiter: Waiter<never, never>;
  /** The name of the workflow in DBOS. */
  readonly name: string;
  /** The name of the queue. */
  readonly queue: string;
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  readonly #workflows: Workflows<Argument, FleetStart, FleetEndJson, StoredFleetProgress>;

  /** @internal */
  constructor(waiter: Waiter<never, never>, poll: FleetPoll<Argument>, { name, queue, ...shape }: DurableFleetOptions) {
    this.waiter = waiter;
    this.name = name;
    this.queue = queue;
    const fleets = new StoredFleets(waiter, shape);
    this.fingerprint = fleets.fingerprint;
    this.#workflows = new Workflows(fleetKind(fleets, poll), name, queue);
  }

  /**
   * Starts the waits for resources and returns a promise of their handle. The identifiers and the options do not change while the waits
   * are running, even if the program does.
   *
   * @param ids the identifiers of the resources.
   * @param options the ID of the wait, the argument of the call and the options of `Fleet#waitEach` that are no functions; one of
   * `maxWaitTime`, `deadline` and `maxAttempts` is required.
   * @throws OptionsError if an option is invalid, an identifier repeats or the queue is not registered, TypeError if the argument is
   * other data, StateError if the wait `workflowID` was started with another definition, other identifiers, another argument or other
   * options. The promise rejects with the error.
   */
  async start(ids: Iterable<string>, options: DurableEachOptions<Argument>): Promise<FleetHandle> {
    const { workflowID, argument, ...start } = options ?? {};
    return this.handle(await this.#workflows.start(argument as Argument, workflowID, { ...start, ids } as FleetStart));
  }

  /** Returns the handle of a wait that was started before, in any process. */
  handle(workflowID: string): FleetHandle {
    return new FleetHandle(this.name, workflowID, this.#workflows);
  }
}

/** Reads the progress of workflows. */
interface Observed<Progress> {
  /**
   * Returns a promise of the newest progress, with the number of times that its poll was repeated.
   *
   * @param numberOf returns the number of the poll that made the progress.
   */
  progress(workflowID: string, numberOf: (progress: Progress) => number | undefined): Promise<(Progress & { readonly repeated: number }) | undefined>;
}

/** The workflows of what DBOS stores, and their polls. */
class Workflows<Argument, Options, End, Progress> implements Observed<Progress> {
  readonly name: string;
  readonly queue: string;
  readonly #kind: Kind<Argument, Options, End, Progress>;

  constructor(kind: Kind<Argument, Options, End, Progress>, name: string, queue: string) {
    this.#kind = kind;
    this.name = name;
    this.queue = queue;
    if (names.has(name) || names.has(pollName(name))) throw notText("name", "unique among the durable waits", name);
    names.add(name).add(pollName(name));
    DBOS.registerWorkflow((begun: WaitInput<Argument>) => this.#wait(begun), { name });
    DBOS.registerWorkflow((input: PollInput<Argument>) => this.#pollOnce(input), { name: pollName(name) });
  }

  /** Starts a wait and returns a promise of its ID. */
  async start(argument: Argument, workflowID: string | undefined, options: Options): Promise<string> {
    if (workflowID !== undefined) {
      checkText("workflowID", workflowID);
      if (/\.poll-\d+$/.test(workflowID)) throw notText("workflowID", "a text that does not end like the ID of a poll", workflowID);
    }
    const begin = (): Promise<WaitInput<Argument>> => this.#begin(argument, workflowID ?? randomUUID(), options);
    let begun = await DBOS.runStep(begin, { name: `${this.name}.start` });
    // The first poll creates the wait, too, in case this process dies in between.
    await this.#enqueuePoll(1, begun);
    if (workflowID !== undefined) begun = await this.#existing(begun);
    await this.#enqueueWait(begun);
    return begun.id;
  }

  async progress(workflowID: string, numberOf: (progress: Progress) => number | undefined): Promise<(Progress & { readonly repeated: number }) | undefined> {
    const newest = await polls(this.name, workflowID);
    const [latest] = newest;
    if (latest === undefined) return undefined;
    const progress = (await reportOf<End, Progress>(latest.id))?.progress ?? this.#kind.progressOf(latest.input.state);
    if (progress === null) return undefined;
    const poll = newest.find(({ number }) => number === numberOf(progress));
    return { ...progress, repeated: Math.max(0, (poll?.executions ?? 1) - 1) };
  }

  async #begin(argument: Argument, id: string, options: Options): Promise<WaitInput<Argument>> {
    const queue = await DBOS.retrieveQueue(this.queue);
    if (queue === null) throw notText("queue", "the name of a registered queue", this.queue);
    const waits = waitsQueue(this.queue);
    if ((await DBOS.retrieveQueue(waits)) === null) {
      const { minPollingIntervalMs } = queue;
      const interval = minPollingIntervalMs === undefined ? undefined : { minPollingIntervalMs };
      await DBOS.registerQueue(waits, { ...interval, onConflict: "never_update" });
    }
    const { text, dueAtMs, endsAtMs, identity } = this.#kind.begin(id, options, canonical(argument));
    return { id, fingerprint: identity, wakesAtMs: endsAtMs + GRACE, state: text, dueAtMs, argument };
  }

  /** Returns the start of the wait that has the ID, which may be an earlier one. */
  async #existing(begun: WaitInput<Argument>): Promise<WaitInput<Argument>> {
    const { id, fingerprint } = begun;
    const ids = [id, pollIDOf(id, 1)];
    const found = await DBOS.listWorkflows({ workflowIDs: ids, workflowName: [this.name, pollName(this.name)], loadOutput: false });
    const [status] = ids.flatMap((id) => found.filter(({ workflowID }) => workflowID === id));
    const existing = status === undefined ? begun : inputOf<WaitInput<Argument>>(status.workflowID, status.input);
    if (existing.fingerprint === fingerprint) return existing;
    const rule = "`workflowID` must belong to a wait with the same definition, argument and options";
    const message = `${rule}: ${JSON.stringify(id)} was started with the fingerprint ${existing.fingerprint}, got ${fingerprint}`;
    throw new StateError({ code: "other_definition", message });
  }

  #enqueueWait(begun: WaitInput<Argument>): Promise<unknown> {
    return enqueue(this.name, begun.id, waitsQueue(this.queue), begun.wakesAtMs, begun);
  }

  #enqueuePoll(number: number, input: PollInput<Argument>): Promise<unknown> {
    return enqueue(pollName(this.name), pollIDOf(input.id, number), this.queue, input.dueAtMs, input);
  }

  /** Returns the result of a wait. This workflow starts when the wait is over. */
  async #wait(begun: WaitInput<Argument>): Promise<End> {
    const { end, error } = await this.#end(begun);
    const failure = end === undefined ? error : this.#kind.failureOf(end);
    if (failure === undefined) return end as End;
    const { message, ...members } = failure as { readonly message: string };
    throw Object.assign(new Error(message), members);
  }

  /** Returns the report of the last poll, or ends a wait that was cancelled or whose last poll was lost. */
  async #end(begun: WaitInput<Argument>): Promise<Report<End>> {
    const [latest] = await polls<Argument>(this.name, begun.id);
    if (latest === undefined) return this.#conclude(begun);
    const report = await reportOf<End, Progress>(latest.id);
    if (report !== null) return report;
    // A poll that is running ends by itself, because its wait is over.
    if (latest.isWaiting) await DBOS.cancelWorkflow(latest.id);
    return this.#conclude(latest.input);
  }

  #conclude({ state }: PollInput<Argument>): Promise<Report<End>> {
    return DBOS.runStep(async () => ({ end: this.#kind.conclude(state) }), { name: "conclude" });
  }

  /**
   * Makes one attempt, and enqueues the next poll or ends the wait. The attempt is not a step: the next poll is the record of it. An
   * interrupted poll whose next one exists does nothing.
   */
  async #pollOnce(input: PollInput<Argument> | WaitInput<Argument>): Promise<void> {
    const { id, argument } = input;
    // Not from the state, which may be damaged.
    const pollID = String(DBOS.workflowID);
    const nextNumber = numberOf(id, pollID) + 1;
    const nextID = pollIDOf(id, nextNumber);
    // Not as steps of this workflow, which would return the same results after a crash.
    const found = await outside(() => DBOS.listWorkflows({ workflowIDs: [id, pollID, nextID], loadInput: false, loadOutput: false }));
    const [wait, poll, next] = [id, pollID, nextID].map((wanted) => found.find(({ workflowID }) => workflowID === wanted));
    const isRepeated = (poll?.recoveryAttempts ?? 1) > 1;
    const isReported = isRepeated && (await outside(() => reportOf(pollID))) !== null;
    const isWaiting = wait?.workflowName === this.name && wait.status === "DELAYED";
    const record = wait === undefined ? "missing" : isWaiting ? "waiting" : "ended";
    switch (pollAction(next !== undefined, record, "wakesAtMs" in input, isReported)) {
      case "ignore":
        return;
      case "wake_up":
        return wakeUp(id);
      case "create":
        await outside(() => this.#enqueueWait(input as WaitInput<Argument>));
    }
    const { state, ...report } = await this.#attempt(input);
    if (state !== null) {
      const next = { id, state: state.text, dueAtMs: state.dueAtMs, argument };
      await outside(() => this.#enqueuePoll(nextNumber, next));
      return;
    }
    // Not the result of the poll: the wait may start before the poll has returned.
    await DBOS.setEvent("report", report);
    await wakeUp(id);
  }

  async #attempt({ state, argument }: PollInput<Argument>): Promise<Attempted<End, Progress> | (LastPoll<End, Progress> & { readonly state: null })> {
    try {
      return await this.#kind.attempt(state, argument);
    } catch (error) {
      return { state: null, error: plain(error), progress: null };
    }
  }
}

/** The handle of a durable wait. */
export class WaitHandle<Response = unknown> {
  /** The name of the durable wait. */
  readonly name: string;
  /** The ID of the wait, which is also the ID of its workflow in DBOS. */
  readonly workflowID: string;

  readonly #workflows: Observed<StoredProgress>;

  /** @internal */
  constructor(name: string, workflowID: string, workflows: Observed<StoredProgress>) {
    this.name = name;
    this.workflowID = workflowID;
    this.#workflows = workflows;
  }

  /**
   * Returns a promise of the outcome. `DBOS.retrieveWorkflow` returns the same outcome as plain data, and the failure as an `Error`
   * with the members of `WaiterError#toJSON` and the `explanation`.
   *
   * @throws WaiterError if the wait failed, StateError if the wait belongs to another definition or was started by a later release.
   * The promise rejects with the error, or with an error of DBOS if the workflow was cancelled with `DBOS.cancelWorkflow`.
   */
  async getResult(): Promise<Outcome<Response>> {
    let outcome: EndJson;
    try {
      outcome = await DBOS.retrieveWorkflow<EndJson>(this.workflowID).getResult();
    } catch (error) {
      throw revive(error, this.getResult);
    }
    return outcomeOf(outcome);
  }

  /**
   * Ends the wait with a `WaiterCancelled`. A wait that has ended is not changed.
   *
   * @throws an error of DBOS if there is no such wait, or if it has not been launched. The promise rejects with the error.
   */
  cancel(): Promise<void> {
    return cancelWait(this.workflowID);
  }

  /**
   * Returns a promise of the newest attempt as plain data; `undefined` before the first attempt has ended.
   *
   * @throws an error of DBOS if it has not been launched. The promise rejects with the error.
   */
  progress(): Promise<DurableProgress | undefined> {
    return this.#workflows.progress(this.workflowID, ({ attempt }) => attempt);
  }
}

/** The handle of a durable wait for many resources. */
export class FleetHandle {
  /** The name of the durable wait. */
  readonly name: string;
  /** The ID of the wait, which is also the ID of its workflow in DBOS. */
  readonly workflowID: string;
  readonly #workflows: Observed<StoredFleetProgress>;

  /** @internal */
  constructor(name: string, workflowID: string, workflows: Observed<StoredFleetProgress>) {
    this.name = name;
    this.workflowID = workflowID;
    this.#workflows = workflows;
  }

  /**
   * Returns a promise of the outcome of each identifier that succeeded, in the order of the identifiers. The outcomes have no response
   * and no history. `DBOS.retrieveWorkflow` returns the same ends as plain data, and the failure as an `Error` with these members.
   *
   * @throws WaitersFailed if too many waits ended without success; it lists all of them. StateError if the wait belongs to another
   * definition or fleet or was started by a later release, or if the resources of an answer cannot be told apart. The promise rejects
   * with the error, or with an error of DBOS if the workflow was cancelled with `DBOS.cancelWorkflow`.
   */
  async getResult(): Promise<Map<string, Outcome>> {
    let end: FleetEndJson;
    try {
      end = await DBOS.retrieveWorkflow<FleetEndJson>(this.workflowID).getResult();
    } catch (error) {
      throw fleetFailure(error) ?? revive(error, this.getResult);
    }
    return outcomesOfFleet(end);
  }

  /**
   * Ends the wait with a `WaiterCancelled` for each open resource. A wait that has ended is not changed.
   *
   * @throws an error of DBOS if there is no such wait, or if it has not been launched. The promise rejects with the error.
   */
  cancel(): Promise<void> {
    return cancelWait(this.workflowID);
  }

  /**
   * Returns a promise of the counts of the resources after the newest round; `undefined` if there is no such wait.
   *
   * @throws an error of DBOS if it has not been launched. The promise rejects with the error.
   */
  async progress(): Promise<FleetProgress | undefined> {
    const newest = await this.#workflows.progress(this.workflowID, () => undefined);
    if (newest === undefined) return undefined;
    const { waiting, succeeded, failed } = newest;
    return { waiting, succeeded, failed };
  }
}

/** The input of a poll. */
interface PollInput<Argument> {
  readonly id: string;
  /** The state of the wait as text, because the serializer of DBOS examines each member of an object. */
  readonly state: string;
  /** The time of the attempt, in milliseconds since 1970. */
  readonly dueAtMs: number;
  readonly argument: Argument;
}

/** The input of the first poll and of the workflow of a wait. */
interface WaitInput<Argument> extends PollInput<Argument> {
  readonly fingerprint: string;
  /** The time at which the wait ends without its polls, in milliseconds since 1970. */
  readonly wakesAtMs: number;
}

/** The end of a wait, or the error that a poll could not handle. */
type Report<End> = { readonly end: End; readonly error?: undefined } | { readonly end?: undefined; readonly error: JsonValue };

/** The event of the last poll. */
type LastPoll<End, Progress> = Report<End> & { readonly progress: Progress | null };

interface PollStatus<Argument> {
  readonly id: string;
  readonly number: number;
  readonly isWaiting: boolean;
  readonly executions: number | undefined;
  readonly input: PollInput<Argument>;
}

function pollName(name: string): string {
  return `${name}.poll`;
}

function waitsQueue(queue: string): string {
  return `${queue}.waits`;
}

function pollIDOf(waitID: string, number: number | ""): string {
  return `${waitID}.poll-${number}`;
}

/** Returns the number of a poll; `NaN` if the poll belongs to another wait. */
function numberOf(waitID: string, pollID: string): number {
  const prefix = pollIDOf(waitID, "");
  const number = pollID.slice(prefix.length);
  return pollID.startsWith(prefix) && /^\d+$/.test(number) ? Number(number) : Number.NaN;
}

/** Returns the latest polls of a wait, newest first. */
async function polls<Argument>(name: string, waitID: string): Promise<PollStatus<Argument>[]> {
  const query = { workflow_id_prefix: pollIDOf(waitID, ""), workflowName: pollName(name), sortDesc: true, loadOutput: false };
  const polls = new Map<number, PollStatus<Argument>>();
  // The IDs of other waits may match, too: DBOS reads `_` and `%` as wildcards. Each query starts at the newest: between two that
  // continue one another, workflows of the same millisecond may change places, and one would be in neither.
  let [limit, isWhole] = [3, false];
  while (polls.size < 3 && !isWhole) {
    const page = await DBOS.listWorkflows({ ...query, limit });
    for (const { workflowID: id, status, recoveryAttempts: executions, input } of page) {
      const number = numberOf(waitID, id);
      if (Number.isNaN(number)) continue;
      const isWaiting = status === "DELAYED" || status === "ENQUEUED";
      polls.set(number, { id, number, isWaiting, executions, input: inputOf(id, input) });
    }
    isWhole = page.length < limit;
    limit *= 4;
  }
  // Polls of several workers may be listed in the order of their clocks.
  return [...polls.values()].sort((one, other) => other.number - one.number);
}

function inputOf<Input extends PollInput<unknown>>(id: string, input: unknown[] | undefined): Input {
  if (input === undefined) throw new StateError({ code: "damaged_state", message: `the input of the workflow \`${id}\` is damaged` });
  return input[0] as Input;
}

/** Enqueues a workflow. Without a version, the latest version of the application runs it: a deploy does not strand the wait. */
function enqueue(workflowName: string, workflowID: string, queueName: string, startsAtMs: number, input: PollInput<unknown>): Promise<unknown> {
  const delaySeconds = (startsAtMs - Date.now()) / 1000;
  const delay = delaySeconds > 0 ? { delaySeconds } : undefined;
  return DBOS.enqueueWorkflowWithOptions({ workflowName, workflowID, queueName, ...delay }, input);
}

function reportOf<End, Progress>(id: string): Promise<LastPoll<End, Progress> | null> {
  return DBOS.getEvent<LastPoll<End, Progress>>(id, "report", { timeoutSeconds: 0 });
}

/** Ends a wait early. Throws an error of DBOS if there is no such wait. */
async function cancelWait(workflowID: string): Promise<void> {
  if ((await DBOS.getWorkflowStatus(workflowID)) === null) {
    throw new DBOSErrors.DBOSNonExistentWorkflowError(`there is no workflow with the ID ${JSON.stringify(workflowID)}`);
  }
  await wakeUp(workflowID);
}

/** Starts the workflow of a wait, which returns its report. Has no effect on a wait that has ended. */
function wakeUp(waitID: string): Promise<void> {
  return outside(() => DBOS.setWorkflowDelay(waitID, { delayUntilEpochMS: Date.now() }));
}

/** Calls a function of DBOS as outside of a workflow, which does not record it. */
const outside = AsyncLocalStorage.snapshot();
