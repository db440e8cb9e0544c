/**
 * Waits that survive the process, on the workflows and queues of DBOS.
 *
 * Each poll is one queued workflow, which is enqueued with a delay. No worker sleeps, and the limiter of the queue limits the polls
 * of all waits together. The wait is a workflow, too: it is delayed until the last poll, a cancellation or the deadline wakes it,
 * and its result is the result of the wait. Install `@dbos-inc/dbos-sdk` beside this package.
 *
 * @example
 * ```js
 * const restored = durableWait(waiter, describe, { name: "restored", queue: "waits" }); // before `DBOS.launch()`
 * const wait = await restored.start("orders", { workflowID: "restore-orders", maxWaitTime: 6 * 3600 });
 * const outcome = await wait.getResult();
 * ```
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { type BeginOptions, dueAtMs, hashOf, nextAttempt, type SavedAttempt, type SavedProgress, type SavedState, SavedWaits } from "./driver/saved.js";
import { type OptionsError, StateError } from "./errors.js";
import type { Attempt, StartOptions, WithoutMaxWaitTime } from "./options.js";
import type { Outcome } from "./report/outcome.js";
import { type OutcomeJson, outcomeOf, revive, type SavedEnd } from "./report/saved-end.js";
import { checkCall, checkNames, invalidOption } from "./values/checks.js";
import { displayInput } from "./values/display.js";
import { type JsonValue, plain } from "./values/json-value.js";
import type { Waiter } from "./waiter.js";

export type { SavedProgress } from "./driver/saved.js";
export type { OutcomeJson } from "./report/saved-end.js";

/** The longest wait of the engine, in seconds. DBOS requires a delay. */
const LONGEST_WAIT = 10 * 366 * 86_400;

/** The polls end a wait at its deadline. The wait wakes this many seconds later, in case its poll is on a worker that died. */
const GRACE = 60;

/** The options of `durableWait`. */
export interface DurableWaitOptions {
  /**
   * The name of the workflow in DBOS, which must be unique and stay the same while waits are running. The polls are workflows with
   * the name `{name}.poll`.
   */
  readonly name: string;
  /** The name of the queue of the polls. Register it with `DBOS.registerQueue`. */
  readonly queue: string;
  /**
   * The maximum size of a stored outcome or failure as JSON, in bytes. A text replaces a response or an error that is too large, and
   * then the oldest attempts are removed from the history.
   *
   * @default 1 MiB
   */
  readonly reportLimit?: number | undefined;
}

/** The options of `DurableWait#start`. */
export type DurableStartOptions<Input = unknown> = (StartOptions<Input> | WithoutMaxWaitTime<StartOptions<Input>>) & {
  /** The ID of the wait, which makes the start idempotent; random by default. The seed of the delays is derived from it. */
  readonly workflowID?: string | undefined;
};

/** The function that makes the call of a durable wait. It receives the argument of the wait and the attempt. */
export type Poll<Argument, Response> = (argument: Argument, attempt: Attempt) => PromiseLike<Response> | Response;

/** The newest attempt of a durable wait. */
export interface DurableProgress extends SavedProgress {
  /** The number of times that a worker that died may have made the same call before. */
  readonly repeated: number;
}

/**
 * Registers a durable wait with DBOS. Call this function when a module is loaded, before `DBOS.launch()`.
 *
 * @param waiter the waiter. It cannot have a predicate.
 * @param poll the function that makes the call. After a crash, the interrupted call is repeated.
 * @param options the names of the workflow and of the queue.
 * @throws OptionsError if an option is invalid, StateError if the waiter has a predicate, TypeError if `poll` is not a function.
 */
export function durableWait<Argument = void, Response = unknown, Input = unknown>(
  waiter: Waiter<Input, Response>,
  poll: Poll<Argument, Response>,
  options: DurableWaitOptions,
): DurableWait<Argument, Response, Input> {
  checkCall(poll);
  checkNames(options, ["name", "queue", "reportLimit"]);
  const { name, queue, reportLimit } = options;
  checkText("name", name);
  checkText("queue", queue);
  return new DurableWait(waiter, poll, { name, queue, reportLimit });
}

/** A wait that survives the process. The function `durableWait` creates it. */
export class DurableWait<Argument = void, Response = unknown, Input = unknown> {
  /** The waiter. */
  readonly waiter: Waiter<Input, Response>;
  /** The name of the workflow in DBOS. */
  readonly name: string;
  /** The name of the queue. */
  readonly queue: string;
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  readonly #poll: Poll<Argument, Response>;
  readonly #waits: SavedWaits<Input, Response>;

  /** @internal */
  constructor(waiter: Waiter<Input, Response>, poll: Poll<Argument, Response>, { name, queue, reportLimit }: DurableWaitOptions) {
    this.waiter = waiter;
    this.name = name;
    this.queue = queue;
    this.#poll = poll;
    this.#waits = new SavedWaits(waiter, name, reportLimit);
    this.fingerprint = this.#waits.fingerprint;
    DBOS.registerWorkflow((begun: Begun<Argument>) => this.#wait(begun), { name });
    DBOS.registerWorkflow((input: PollInput<Argument>) => this.#pollOnce(input), { name: pollName(name) });
  }

  /**
   * Starts a wait and returns a promise of its handle. The options of the wait do not change while it is running, even if the
   * program does.
   *
   * @param argument the argument of the poll. The serializer of DBOS stores it.
   * @param options the ID of the wait and the options of `Waiter#start`; one of `maxWaitTime`, `deadline` and `maxAttempts` is
   * required.
   * @throws OptionsError if an option is invalid or the queue is not registered, StateError if the wait `workflowID` was started with
   * another definition, another argument or other options. The promise rejects with the error.
   */
  async start(argument: Argument, options: DurableStartOptions<Input>): Promise<WaitHandle<Response>> {
    const { workflowID, ...start } = options ?? {};
    if (workflowID !== undefined) checkText("workflowID", workflowID);
    const begin = (): Promise<Begun<Argument>> => this.#begin(argument, workflowID ?? randomUUID(), start as BeginOptions<Input>);
    let begun = await DBOS.runStep(begin, { name: `${this.name}.start` });
    await this.#enqueue(this.name, begun.id, begun.delay, begun);
    if (workflowID !== undefined) begun = await existing(begun);
    await this.#enqueuePoll(begun);
    return this.handle(begun.id);
  }

  /** Returns the handle of a wait that was started before, in any process. */
  handle(workflowID: string): WaitHandle<Response> {
    return new WaitHandle(this.name, workflowID);
  }

  async #begin(argument: Argument, id: string, options: BeginOptions<Input>): Promise<Begun<Argument>> {
    if ((await DBOS.retrieveQueue(this.queue)) === null) throw notText("queue", "the name of a registered queue", this.queue);
    const { state, endMs } = this.#waits.begin(id, options);
    const delay = endMs === Number.POSITIVE_INFINITY ? LONGEST_WAIT : endMs / 1000 + GRACE;
    // Not the saved options: they contain the rest of the time until a `deadline`.
    const facts = JSON.stringify(plain([this.fingerprint, argument, sorted(options)]));
    return { id, fingerprint: hashOf(facts).fingerprint, delay, state, argument };
  }

  #enqueuePoll({ id, state, argument }: PollInput<Argument>): Promise<unknown> {
    const delay = (dueAtMs(state) - Date.now()) / 1000;
    return this.#enqueue(pollName(this.name), pollID(id, nextAttempt(state)), delay, { id, state, argument });
  }

  /** Enqueues a workflow. Without a version, the latest version of the application runs it: a deploy does not strand the wait. */
  #enqueue(workflowName: string, workflowID: string, delaySeconds: number, input: PollInput<Argument>): Promise<unknown> {
    const delay = delaySeconds > 0 ? { delaySeconds } : undefined;
    return DBOS.enqueueWorkflowWithOptions({ workflowName, workflowID, queueName: this.queue, ...delay }, input);
  }

  /** Returns the result of a wait. This workflow starts when the wait is over. */
  async #wait(begun: Begun<Argument>): Promise<OutcomeJson> {
    const { outcome, failure, error } = await this.#end(begun);
    if (outcome !== undefined) return outcome;
    const { message, ...members } = (failure ?? error) as { readonly message: string };
    throw Object.assign(new Error(message), members);
  }

  /** Returns the report of the last poll, or ends a wait that was cancelled or whose last poll was lost. */
  async #end({ id, state }: Begun<Argument>): Promise<Report> {
    const [latest] = await polls<Argument>(this.name, id);
    if (latest === undefined) return DBOS.runStep(async () => this.#waits.conclude(id, state), { name: "conclude" });
    const report = await reportOf(latest.id);
    if (report !== null) return report.end;
    // A poll that is running ends by itself, because its wait is over.
    if (latest.isWaiting) await DBOS.cancelWorkflow(latest.id);
    return DBOS.runStep(async () => this.#waits.conclude(id, latest.input.state), { name: "conclude" });
  }

  /** Makes one attempt, and enqueues the next poll or ends the wait. */
  async #pollOnce({ id, state, argument }: PollInput<Argument>): Promise<void> {
    let attempted: SavedAttempt | undefined;
    try {
      attempted = await DBOS.runStep(() => this.#attempt({ id, state, argument }), { name: "poll" });
    } catch (error) {
      await wake(id, { end: { error: plain(error) }, progress: null });
      throw error;
    }
    if (attempted?.end != null) await wake(id, attempted);
    else if (attempted?.state != null) await this.#enqueuePoll({ id, state: attempted.state, argument });
  }

  /** Makes one attempt; returns `undefined` if the wait was cancelled. */
  async #attempt({ id, state, argument }: PollInput<Argument>): Promise<SavedAttempt | undefined> {
    const status = await DBOS.getWorkflowStatus(id);
    if (status?.status !== "DELAYED") return undefined;
    return this.#waits.attempt(id, state, (attempt) => this.#poll(argument, attempt));
  }
}

/** The handle of a durable wait. */
export class WaitHandle<Response = unknown> {
  /** The name of the durable wait. */
  readonly name: string;
  /** The ID of the wait, which is also the ID of its workflow in DBOS. */
  readonly workflowID: string;

  /** @internal */
  constructor(name: string, workflowID: string) {
    this.name = name;
    this.workflowID = workflowID;
  }

  /**
   * Returns a promise of the outcome. `DBOS.retrieveWorkflow` returns the same outcome as plain data, and the failure as an `Error`
   * with the members of `WaiterError#toJSON` and the `explanation`.
   *
   * @throws WaiterError if the wait failed, StateError if the wait belongs to another definition or was started by a later release.
   * The promise rejects with the error, or with an error of DBOS if the workflow was cancelled with `DBOS.cancelWorkflow`.
   */
  async getResult(): Promise<Outcome<Response>> {
    let outcome: OutcomeJson;
    try {
      outcome = await DBOS.retrieveWorkflow<OutcomeJson>(this.workflowID).getResult();
    } catch (error) {
      throw revive(error, this.getResult);
    }
    return outcomeOf(outcome);
  }

  /** Ends the wait with a `WaiterCancelled`. A wait that has ended is not changed. */
  async cancel(): Promise<void> {
    await wakeUp(this.workflowID);
  }

  /** Returns a promise of the newest attempt as plain data; `undefined` before the first attempt has ended. */
  async progress(): Promise<DurableProgress | undefined> {
    const newest = await polls(this.name, this.workflowID);
    const [latest] = newest;
    if (latest === undefined) return undefined;
    const progress = (await reportOf(latest.id))?.progress ?? latest.input.state.progress;
    if (progress === null) return undefined;
    const poll = newest.find(({ number }) => number === progress.attempt);
    return { ...progress, repeated: Math.max(0, (poll?.executions ?? 1) - 1) };
  }
}

/** The input of a poll. */
interface PollInput<Argument> {
  readonly id: string;
  readonly state: SavedState;
  readonly argument: Argument;
}

/** The input of the workflow of a wait. */
interface Begun<Argument> extends PollInput<Argument> {
  readonly fingerprint: string;
  readonly delay: number;
}

/** The end of a wait, or the error that a poll could not handle. */
type Report = (SavedEnd & { readonly error?: undefined }) | { readonly outcome?: undefined; readonly failure?: undefined; readonly error: JsonValue };

/** The event of the last poll. */
interface LastPoll {
  readonly end: Report;
  readonly progress: SavedProgress | null;
}

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

function pollID(waitID: string, number: number | ""): string {
  return `${waitID}.poll-${number}`;
}

/** Returns the latest polls of a wait, newest first. */
async function polls<Argument>(name: string, waitID: string): Promise<PollStatus<Argument>[]> {
  const prefix = pollID(waitID, "");
  const found = await DBOS.listWorkflows({ workflow_id_prefix: prefix, workflowName: pollName(name), sortDesc: true, limit: 3, loadOutput: false });
  const polls = found.map(({ workflowID: id, status, recoveryAttempts: executions, input }) => {
    const isWaiting = status === "DELAYED" || status === "ENQUEUED";
    return { id, number: Number(id.slice(prefix.length)), isWaiting, executions, input: argumentOf<PollInput<Argument>>(id, input) };
  });
  // Polls of several workers may be listed in the order of their clocks.
  return polls.sort((one, other) => other.number - one.number);
}

/** Returns the start of the wait that has the ID, which may be an earlier one. */
async function existing<Argument>(begun: Begun<Argument>): Promise<Begun<Argument>> {
  const { id, fingerprint } = begun;
  const [status] = await DBOS.listWorkflows({ workflowIDs: [id], loadOutput: false });
  const other = argumentOf<Begun<Argument>>(id, status?.input);
  if (other.fingerprint === fingerprint) return other;
  const rule = "`workflowID` must belong to a wait with the same definition, argument and options";
  const message = `${rule}: ${JSON.stringify(id)} was started with the fingerprint ${other.fingerprint}, got ${fingerprint}`;
  throw new StateError({ code: "other_definition", message });
}

function argumentOf<T>(id: string, input: unknown[] | undefined): T {
  if (input === undefined) throw new StateError({ code: "damaged_state", message: `the input of the workflow \`${id}\` is damaged` });
  return input[0] as T;
}

function reportOf(id: string): Promise<LastPoll | null> {
  return DBOS.getEvent<LastPoll>(id, "report", { timeoutSeconds: 0 });
}

/** Ends a wait with the report of its last poll. */
async function wake(waitID: string, { end, progress }: LastPoll): Promise<void> {
  // Not the result of the poll: the wait may start before the poll has returned.
  await DBOS.setEvent("report", { end, progress });
  await wakeUp(waitID);
}

/** Ends the delay of a wait. Has no effect on a wait that has ended. */
function wakeUp(waitID: string): Promise<void> {
  return DBOS.setWorkflowDelay(waitID, { delayUntilEpochMS: Date.now() });
}

/** Returns the options in the order of their names, so that equal options have the same fingerprint. */
function sorted(options: object): object {
  return Object.fromEntries(Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function checkText(option: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || value === "") throw notText(option, "a text", value);
}

function notText(option: string, rule: string, value: unknown): OptionsError {
  return invalidOption(option, `\`${option}\` must be ${rule}, got ${typeof value === "string" ? JSON.stringify(value) : displayInput(value)}`);
}
