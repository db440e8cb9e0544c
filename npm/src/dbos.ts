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

import { AsyncLocalStorage } from "node:async_hooks";
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
   * then the oldest attempts are removed from the history. They are also removed from a larger state of a running wait.
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
  readonly #poll: Poll<Argument, Response>;
  readonly #waits: SavedWaits<Input, Response>;

  /** @internal */
  constructor(waiter: Waiter<Input, never>, poll: Poll<Argument, Response>, { name, queue, reportLimit }: DurableWaitOptions) {
    this.waiter = waiter;
    this.name = name;
    this.queue = queue;
    this.#poll = poll;
    this.#waits = new SavedWaits(waiter, name, reportLimit);
    this.fingerprint = this.#waits.fingerprint;
    DBOS.registerWorkflow((input: Stored<Begun<Argument>>) => this.#wait(read(input)), { name });
    DBOS.registerWorkflow((input: Stored<PollInput<Argument>>) => this.#pollOnce(read(input)), { name: pollName(name) });
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
    return this.#enqueue(pollName(this.name), pollIDOf(id, nextAttempt(state)), delay, { id, state, argument });
  }

  /** Enqueues a workflow. Without a version, the latest version of the application runs it: a deploy does not strand the wait. */
  #enqueue(workflowName: string, workflowID: string, delaySeconds: number, input: PollInput<Argument>): Promise<unknown> {
    const delay = delaySeconds > 0 ? { delaySeconds } : undefined;
    return DBOS.enqueueWorkflowWithOptions({ workflowName, workflowID, queueName: this.queue, ...delay }, stored(input));
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

  /**
   * Makes one attempt, and enqueues the next poll or ends the wait. The attempt is not a step: the next poll is the record of it. An
   * interrupted poll whose next one exists does nothing.
   */
  async #pollOnce({ id, state, argument }: PollInput<Argument>): Promise<void> {
    const nextID = pollIDOf(id, nextAttempt(state) + 1);
    // Not as a step of this workflow, which would return the same result after a crash.
    const found = await outside(() => DBOS.listWorkflows({ workflowIDs: [id, nextID], loadInput: false, loadOutput: false }));
    // The wait was cancelled, or the attempt was made before a crash.
    if (found.length !== 1 || found[0]?.workflowID !== id || found[0].status !== "DELAYED") return;
    const attempted = await this.#attempt({ id, state, argument });
    if (attempted.state !== null) {
      await outside(() => this.#enqueuePoll({ id, state: attempted.state, argument }));
      return;
    }
    // Not the result of the poll: the wait may start before the poll has returned.
    await DBOS.setEvent("report", { end: attempted.end, progress: attempted.progress });
    await wakeUp(id);
  }

  async #attempt({ id, state, argument }: PollInput<Argument>): Promise<Attempted> {
    try {
      return await this.#waits.attempt(id, state, (attempt) => this.#poll(argument, attempt));
    } catch (error) {
      return { state: null, end: { error: plain(error) }, progress: null };
    }
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

  /**
   * Ends the wait with a `WaiterCancelled`. A wait that has ended is not changed.
   *
   * @throws an error of DBOS if it has not been launched. The promise rejects with the error.
   */
  async cancel(): Promise<void> {
    await wakeUp(this.workflowID);
  }

  /**
   * Returns a promise of the newest attempt as plain data; `undefined` before the first attempt has ended.
   *
   * @throws an error of DBOS if it has not been launched. The promise rejects with the error.
   */
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

/** An input with the state as text, because the serializer of DBOS examines each member of an object. */
type Stored<Input extends PollInput<unknown>> = Omit<Input, "state"> & { readonly state: string };

/** The input of the workflow of a wait. */
interface Begun<Argument> extends PollInput<Argument> {
  readonly fingerprint: string;
  readonly delay: number;
}

/** The end of a wait, or the error that a poll could not handle. */
type Report = (SavedEnd & { readonly error?: undefined }) | { readonly outcome?: undefined; readonly failure?: undefined; readonly error: JsonValue };

type Attempted = SavedAttempt | (LastPoll & { readonly state: null });

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

function pollIDOf(waitID: string, number: number | ""): string {
  return `${waitID}.poll-${number}`;
}

/** Returns the latest polls of a wait, newest first. */
async function polls<Argument>(name: string, waitID: string): Promise<PollStatus<Argument>[]> {
  const prefix = pollIDOf(waitID, "");
  const found = await DBOS.listWorkflows({ workflow_id_prefix: prefix, workflowName: pollName(name), sortDesc: true, limit: 3, loadOutput: false });
  const polls = found.map(({ workflowID: id, status, recoveryAttempts: executions, input }) => {
    const isWaiting = status === "DELAYED" || status === "ENQUEUED";
    return { id, number: Number(id.slice(prefix.length)), isWaiting, executions, input: inputOf<PollInput<Argument>>(id, input) };
  });
  // Polls of several workers may be listed in the order of their clocks.
  return polls.sort((one, other) => other.number - one.number);
}

/** Returns the start of the wait that has the ID, which may be an earlier one. */
async function existing<Argument>(begun: Begun<Argument>): Promise<Begun<Argument>> {
  const { id, fingerprint } = begun;
  const [status] = await DBOS.listWorkflows({ workflowIDs: [id], loadOutput: false });
  const other = inputOf<Begun<Argument>>(id, status?.input);
  if (other.fingerprint === fingerprint) return other;
  const rule = "`workflowID` must belong to a wait with the same definition, argument and options";
  const message = `${rule}: ${JSON.stringify(id)} was started with the fingerprint ${other.fingerprint}, got ${fingerprint}`;
  throw new StateError({ code: "other_definition", message });
}

function inputOf<Input extends PollInput<unknown>>(id: string, input: unknown[] | undefined): Input {
  if (input === undefined) throw new StateError({ code: "damaged_state", message: `the input of the workflow \`${id}\` is damaged` });
  return read(input[0] as Stored<Input>);
}

function stored<Input extends PollInput<unknown>>(input: Input): Stored<Input> {
  return { ...input, state: JSON.stringify(input.state) };
}

function read<Input extends PollInput<unknown>>(input: Stored<Input>): Input {
  return { ...input, state: JSON.parse(input.state) as SavedState } as unknown as Input;
}

function reportOf(id: string): Promise<LastPoll | null> {
  return DBOS.getEvent<LastPoll>(id, "report", { timeoutSeconds: 0 });
}

/** Starts the workflow of a wait, which returns its report. Has no effect on a wait that has ended. */
function wakeUp(waitID: string): Promise<void> {
  return outside(() => DBOS.setWorkflowDelay(waitID, { delayUntilEpochMS: Date.now() }));
}

/** Calls a function of DBOS as outside of a workflow, which does not record it. */
const outside = AsyncLocalStorage.snapshot();

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
