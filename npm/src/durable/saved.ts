/**
 * Waits that an engine for durable workflows stores between their attempts. Nothing here depends on such an engine.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { DoneStep } from "../done-step.js";
import { WaitDriver } from "../driver/wait.js";
import { explainReport } from "../engine/engine.js";
import { StateError, type WaiterError } from "../errors/waiter.js";
import { mustBe } from "../input/checks.js";
import { callEngine } from "../input/engine-call.js";
import type { Call, StartOptions, WithoutMaxWaitTime } from "../options.js";
import { type AttemptJson, attemptJson } from "../report/attempt-record.js";
import { type JsonValue, plain } from "../values/json-value.js";
import type { Wait } from "../wait.js";
import type { Waiter } from "../waiter.js";
import { type FailureJson, type OutcomeJson, outcomeJson, type SavedEnd } from "./saved-end.js";

/** The version of the stored states. A state with a later version is refused. */
const VERSION = 1;

/** The default of `reportLimit`, in bytes. */
export const DEFAULT_REPORT_LIMIT = 1 << 20;

/** A wait between two attempts, as plain data. */
export interface SavedState {
  /** The version of this format. */
  readonly version: number;
  /** The text of `Wait#toJSON`. */
  readonly saved: string;
  /** The start of the wait by the wall clock, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** The time of the next attempt, in milliseconds since the wait started. */
  readonly dueMs: number;
  /** The newest attempts, at most `historyLimit`, and as many as the size of the state allows. */
  readonly history: readonly AttemptJson[];
  /** The newest attempt; null before the first one has ended. */
  readonly progress: SavedProgress | null;
  /** The input of the operation. */
  readonly input: JsonValue;
}

/** A wait that has just begun. */
export interface BegunWait {
  readonly state: SavedState;
  /** The milliseconds from the start of the wait to its deadline; `Infinity` if it has none. */
  readonly endMs: number;
}

/** The newest attempt of a wait, as plain data. */
export interface SavedProgress extends AttemptJson {
  /** A readable line about the attempt. */
  readonly summary: string;
  /** The option `label` of the wait. */
  readonly label: string | null;
}

/** The result of one attempt: the state for the next one, or the end of the wait. */
export type SavedAttempt = { readonly progress: SavedProgress | null } & (
  | { readonly state: SavedState; readonly end: null }
  | { readonly state: null; readonly end: SavedEnd }
);

/** The options of `SavedWaits#begin`. */
export type BeginOptions<Input> = StartOptions<Input> | WithoutMaxWaitTime<StartOptions<Input>>;

/** Begins, continues and ends the stored waits of one waiter. */
export class SavedWaits<Input = unknown, Response = unknown> {
  /** The fingerprint of the definition. */
  readonly fingerprint: string;
  readonly #waiter: Waiter<Input, Response>;
  readonly #name: string;
  readonly #reportLimit: number;

  /**
   * @param name the name of the waits in the engine, for messages.
   * @param reportLimit the maximum size of the end of a wait, and of a state with a history, as JSON in bytes.
   * @throws StateError, code `predicate`, if the waiter has a predicate; OptionsError if the limit is not a positive integer.
   */
  constructor(waiter: Waiter<Input, Response>, name: string, reportLimit: number = DEFAULT_REPORT_LIMIT) {
    if (!Number.isInteger(reportLimit) || reportLimit <= 0) throw mustBe("reportLimit", "a positive number of bytes", reportLimit);
    this.#waiter = waiter;
    this.#name = name;
    this.#reportLimit = reportLimit;
    const wait = waiter.start({ maxAttempts: 1 });
    this.fingerprint = savedOf(JSON.stringify(wait)).fingerprint;
    wait.free();
  }

  /**
   * Begins a wait.
   *
   * @param id the ID of the wait. The seed is derived from it, unless the options have one.
   * @param elapsedMs the milliseconds since the start of the wait.
   * @throws OptionsError if an option is invalid.
   */
  begin(id: string, options: BeginOptions<Input>, elapsedMs = 0): BegunWait {
    const seed = options?.seed ?? hashOf(id).seed;
    const wait = this.#waiter.start({ ...options, seed } as BeginOptions<Input>);
    try {
      const saved = JSON.stringify(wait);
      const times = { startedAtMs: savedOf(saved).startedAtMs - elapsedMs, dueMs: dueMsOf(wait) };
      return { state: { version: VERSION, saved, ...times, history: [], progress: null, input: plain(options.input) }, endMs: wait.engine.endMs };
    } finally {
      wait.free();
    }
  }

  /**
   * Makes the next attempt of a wait. The time since the last one counts.
   *
   * @param id the ID of the wait, for messages.
   * @param call the function that calls the operation.
   * @param abortSignal a signal that cancels the wait.
   * @throws StateError if the state is damaged, was stored by a later release or belongs to another definition.
   */
  async attempt(id: string, state: SavedState, call: Call<Response>, abortSignal?: AbortSignal): Promise<SavedAttempt> {
    const wait = this.#resume(id, state, true);
    try {
      const driver = new WaitDriver<Response>(wait, call, { abortSignal });
      driver.caller.clock.skipTo(wait.nowMs);
      const progress = (await driver.attempt()) === undefined ? null : progressOf(wait);
      if (wait.done !== undefined) return { progress, state: null, end: this.#endOf(wait.done, state) };
      const next = { ...state, saved: JSON.stringify(wait), dueMs: dueMsOf(wait), progress };
      const attempts = limited(state, progress === null ? [] : [attemptOf(progress)]);
      const history = fitting(attempts, (history) => sizeOf({ ...next, history }) <= this.#reportLimit);
      return { progress, state: { ...next, history }, end: null };
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
  conclude(id: string, state: SavedState, reason?: unknown): SavedEnd {
    const wait = this.#resume(id, state, false);
    try {
      const { nowMs } = wait;
      const isOver = nowMs >= wait.engine.endMs;
      const step = isOver ? wait.poll(nowMs) : wait.handle({ type: "cancelled", reason }, nowMs);
      if (step.type === "done") return this.#endOf(step, state);
      throw new StateError({ code: "damaged_state", message: `the wait \`${id}\` is not over` });
    } finally {
      wait.free();
    }
  }

  /** Resumes a wait at the current time. If an attempt is due, not before that: the clock of another computer may be ahead. */
  #resume(id: string, state: SavedState, isDue: boolean): Wait<Response> {
    const { saved, startedAtMs, dueMs, input } = checked(id, state);
    const { fingerprint } = savedOf(saved);
    if (fingerprint !== this.fingerprint) {
      const both = `it was started with the fingerprint ${fingerprint}, and \`${this.#name}\` has ${this.fingerprint}`;
      throw new StateError({ code: "other_definition", message: `the wait \`${id}\` belongs to another definition: ${both}` });
    }
    const elapsedMs = Math.max(Date.now() - startedAtMs, isDue ? dueMs : 0);
    return this.#waiter.resume(saved, { input: input as Input, elapsedMs });
  }

  /** Returns the end of a wait with the history of all its attempts, within the limit. */
  #endOf(done: DoneStep<Response>, state: SavedState): SavedEnd {
    const end = jsonOf(done);
    const history = limited(state, (end.outcome ?? end.failure).history);
    const whole = withHistory(end, history);
    const size = sizeOf(whole);
    if (size <= this.#reportLimit) return whole;
    const small = withoutValues(end, `<omitted: the report has ${size} bytes, and \`reportLimit\` is ${this.#reportLimit}>`);
    return withHistory(small, fitting(history, (history) => sizeOf(withHistory(small, history)) <= this.#reportLimit));
  }
}

/** Returns the seed of 53 bits and the fingerprint of 16 digits for a text, as the Python package does. */
export function hashOf(text: string): { readonly seed: number; readonly fingerprint: string } {
  const fingerprint = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { seed: Number(BigInt(`0x${fingerprint}`) >> 11n), fingerprint };
}

/** Returns the time at which the state should be continued, in milliseconds since 1970. */
export function dueAtMs({ startedAtMs, dueMs }: SavedState): number {
  return startedAtMs + dueMs;
}

/** Returns the options of a wait as the engine resolved them. */
export function resolvedOptions({ saved }: SavedState): object {
  return savedOf(saved).options;
}

/**
 * Returns the object of a stored text.
 *
 * @param id the ID of the wait, for the message.
 * @throws StateError if the text is damaged.
 */
export function parsed<T extends object>(id: string, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damagedState(id);
  }
  if (typeof value !== "object" || value === null) throw damagedState(id);
  return value as T;
}

function damagedState(id: string): StateError {
  return new StateError({ code: "damaged_state", message: `the state of the wait \`${id}\` is damaged` });
}

/**
 * Returns the state of a wait. A state of a later release may have other members.
 *
 * @throws StateError if the state is damaged or was stored by a later release.
 */
function checked(id: string, state: SavedState): SavedState {
  const { version, saved, startedAtMs, dueMs, history } = (state ?? {}) as { readonly [Name in keyof SavedState]?: unknown };
  if (typeof version === "number" && version > VERSION) {
    const message = `the state of the wait \`${id}\` has the version ${version}, this release reads ${VERSION}`;
    throw new StateError({ code: "newer_version", message });
  }
  const intact = { version: typeof version === "number", saved: isSaved(saved), history: Array.isArray(history) };
  const times = { startedAtMs: Number.isFinite(startedAtMs), dueMs: Number.isFinite(dueMs) };
  const damaged = Object.entries({ ...intact, ...times }).find(([, isIntact]) => !isIntact);
  if (damaged === undefined) return state;
  throw new StateError({ code: "damaged_state", message: `the state of the wait \`${id}\` is damaged: its member \`${damaged[0]}\`` });
}

function isSaved(text: unknown): boolean {
  try {
    return typeof text === "string" && typeof savedOf(text).fingerprint === "string";
  } catch {
    return false;
  }
}

interface Saved {
  readonly fingerprint: string;
  readonly startedAtMs: number;
  readonly options: { readonly historyLimit: number };
}

function savedOf(text: string): Saved {
  return JSON.parse(text) as Saved;
}

function dueMsOf(wait: Wait): number {
  const step = wait.poll(wait.nowMs);
  return step.type === "sleep" ? step.untilMs : wait.nowMs;
}

function progressOf(wait: Wait): SavedProgress {
  const [record, summary, label = null] = wait.progress();
  return { ...attemptJson(record), summary, label };
}

function attemptOf({ summary: _summary, label: _label, ...attempt }: SavedProgress): AttemptJson {
  return attempt;
}

function limited({ saved, history }: SavedState, attempts: readonly AttemptJson[]): readonly AttemptJson[] {
  return newest([...history, ...attempts], savedOf(saved).options.historyLimit);
}

/** Returns the newest attempts that fit, by bisection. */
function fitting(attempts: readonly AttemptJson[], fits: (attempts: readonly AttemptJson[]) => boolean): readonly AttemptJson[] {
  if (fits(attempts)) return attempts;
  let [fit, exceed] = [0, attempts.length];
  while (exceed - fit > 1) {
    const count = (fit + exceed) >> 1;
    if (fits(newest(attempts, count))) fit = count;
    else exceed = count;
  }
  return newest(attempts, fit);
}

function newest<T>(items: readonly T[], count: number): readonly T[] {
  return items.slice(Math.max(0, items.length - count));
}

function jsonOf(done: DoneStep): SavedEnd {
  if (done.state === "success") return { outcome: outcomeJson(done.outcome()) };
  try {
    return done.outcome();
  } catch (error) {
    return { failure: { ...(error as WaiterError).toJSON(), explanation: "" } };
  }
}

function withHistory({ outcome, failure }: SavedEnd, history: readonly AttemptJson[]): SavedEnd {
  if (outcome !== undefined) return { outcome: { ...outcome, history } };
  return { failure: { ...failure, history, explanation: explain({ ...failure, history }) } };
}

/** Returns the readable report of a failure. The engine formats it. */
function explain({ elapsed, waiter, label, code, message, acceptor, acceptorText, attempts, history }: FailureJson): string {
  const elapsedMs = Math.round(elapsed * 1000);
  const report = JSON.stringify({ waiter, label, code, message, acceptor, acceptorText, attempts, elapsedMs, history });
  return callEngine(() => explainReport(report));
}

function withoutValues({ outcome, failure }: SavedEnd, text: string): SavedEnd {
  const omitted = <T extends FailureJson | OutcomeJson>(end: T): T => ({ ...end, response: omit(end.response, text), error: omit(end.error, text) });
  if (outcome !== undefined) return { outcome: omitted(outcome) };
  return { failure: { ...omitted(failure), cause: omit(failure.cause, text) } };
}

/** Returns the substitute for a response or an error. That of an error has its name. */
function omit(value: JsonValue, text: string): JsonValue {
  if (value === null) return null;
  const { name, message } = value as { readonly name?: unknown; readonly message?: unknown };
  return typeof name === "string" && typeof message === "string" ? { name: name.slice(0, 200), message: text } : text;
}

function sizeOf(data: SavedEnd | SavedState): number {
  return new TextEncoder().encode(JSON.stringify(data)).length;
}
