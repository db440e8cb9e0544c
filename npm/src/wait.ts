/// <reference lib="esnext.disposable" preserve="true" />

/**
 * A wait that the caller drives step by step.
 *
 * @module
 */

import { CALL, DONE, SLEEP } from "./constants.js";
import { type DoneStep, doneStep } from "./done-step.js";
import type { EngineRateLimit, EngineWait } from "./engine/engine.js";
import { pushSlot } from "./engine/slots.js";
import { StateError } from "./errors/waiter.js";
import { callEngine } from "./input/engine-call.js";
import { type Facts, factsOf, type Transient } from "./operation/transient.js";
import type { AttemptRecord, Hint } from "./report/attempt-record.js";
import { Ended, withoutNulls } from "./report/ended.js";
import { type EndJson, LatestResult } from "./report/outcome.js";
import { evaluated, type Predicate } from "./until.js";
import type { ErrorMetadata, Naming } from "./values/error-metadata.js";
import { millis, optionalMillis } from "./values/millis.js";

/** The next action of a wait. All times are in milliseconds since the wait started. */
export type Step<Response = unknown> = CallStep | SleepStep | DoneStep<Response>;

/** The step to call the operation. Pass the result to `Wait#handle`. */
export interface CallStep {
  /** Always `"call"`. */
  readonly type: "call";
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /**
   * The time at which to abort the call and pass `deadlineReached` to `Wait#handle`, in milliseconds since the wait started;
   * `Infinity` if nothing limits the call.
   */
  readonly deadlineMs: number;
}

/** The step to sleep. Call `Wait#poll` afterwards. */
export interface SleepStep {
  /** Always `"sleep"`. */
  readonly type: "sleep";
  /** The end of the pause, in milliseconds since the wait started. */
  readonly untilMs: number;
  /** `true` if the next attempt is the last one that fits before the deadline. */
  readonly last: boolean;
}

/** An event for `Wait#handle`: the end of a call, a deadline or a cancellation. */
export type WaitEvent<Response = unknown> =
  /**
   * The call returned a response. `notBeforeMs` is the earliest time of the next attempt, in milliseconds since the wait started;
   * any time by default.
   */
  | { readonly type: "response"; readonly response: Response; readonly notBeforeMs?: number | undefined }
  /** The call threw an error. A string is the name of the error. */
  | ({ readonly type: "error"; readonly error: unknown } & TransientMember)
  /**
   * The call ended, and the caller's code evaluated the result. `acceptor` is the index of the first acceptor that matched, `error`
   * is the thrown value or the name of the error. The `response` becomes part of the outcome.
   */
  | ({ readonly type: "verdict"; readonly acceptor?: number | null | undefined; readonly error?: unknown; readonly response?: Response | undefined } & TransientMember)
  /** The call was aborted because its deadline has passed. */
  | { readonly type: "deadlineReached" }
  /** The caller cancels the wait, which is valid at any time. The `reason` becomes the failure's `cause`. */
  | { readonly type: "cancelled"; readonly reason?: unknown };

interface TransientMember {
  /**
   * The caller's classification of the error; `false` for an error that is not transient. By default the error is classified as in
   * `Waiter#wait`: a string by its name, any other value by its members. See docs/rules.md#transient-errors.
   */
  readonly transient?: Transient | false | undefined;
}

/**
 * A wait in progress, which `Waiter#start` and `Waiter#resume` create. All times are in milliseconds since the wait started. A time
 * earlier than the latest one counts as the latest. An event out of order throws a `StateError` and leaves the wait unchanged.
 * After the wait has ended, every call returns its last step.
 *
 * @example
 * ```js
 * const wait = tableExists.start({ maxWaitTime: 300 });
 * const started = performance.now();
 * const now = () => performance.now() - started;
 * let step = wait.poll(now());
 * while (step.type !== "done") {
 *   if (step.type === "sleep") {
 *     await sleep(step.untilMs - now());
 *     step = wait.poll(now());
 *   } else {
 *     step = wait.handle({ type: "response", response: await describeTable() }, now());
 *   }
 * }
 * console.log(step.outcome());
 * ```
 */
export class Wait<Response = unknown> {
  readonly #engine: EngineWait;
  readonly #input: unknown;
  readonly #naming: Naming;
  readonly #predicate: Predicate<never> | undefined;
  readonly #latest = new LatestResult<Response>();
  #ended: Ended<Response> | undefined;
  #done: DoneStep<Response> | undefined;
  #state: "busy" | "freed" | "ready" = "ready";

  /** @internal */
  constructor(engine: EngineWait, input: unknown, naming: Naming, predicate: Predicate<never> | undefined) {
    this.#engine = engine;
    this.#input = input;
    this.#naming = naming;
    this.#predicate = predicate;
    // Not beside the class, which bundlers would then keep. Older platforms have no `Symbol.dispose`.
    if (Symbol.dispose !== undefined) Wait.prototype[Symbol.dispose] = Wait.prototype.free;
  }

  /**
   * The latest time that was passed to the wait, in milliseconds since the wait started. In a resumed wait it is initially the time
   * that the wait was resumed at.
   *
   * @throws StateError, code `freed`, if the wait was freed.
   */
  get nowMs(): number {
    this.#checkFreed();
    return this.#engine.nowMs;
  }

  /**
   * A readable line about the newest attempt that has ended; `undefined` before the first one has ended. It contains the waiter,
   * the attempt, the time, the state and its reason, and the next delay.
   *
   * @throws StateError, code `freed`, if the wait was freed.
   */
  get summary(): string | undefined {
    this.#checkFreed();
    return callEngine(() => this.#engine.summary());
  }

  /**
   * The hints that the newest attempt shows: probable mistakes in the definition, an option or the call. Each code is reported once
   * in a wait.
   */
  get hints(): readonly Hint[] {
    const text = this.#state === "freed" ? undefined : this.#engine.hints();
    return text === undefined ? [] : (JSON.parse(text) as Hint[]);
  }

  /**
   * The level at which the newest attempt is logged: `"info"` if its result is new or if the latest such line is 30 s old, otherwise
   * `"debug"`; `undefined` before the first one has ended.
   */
  get level(): "debug" | "info" | undefined {
    return this.#state === "freed" ? undefined : (this.#engine.level() as "debug" | "info" | undefined);
  }

  /** `true` if the newest attempt that has ended had another result than the one before it, or was the first one. */
  get changed(): boolean {
    return this.#state !== "freed" && this.#engine.changed;
  }

  /**
   * Returns the step that is due. Until a pause or a call has ended, it returns that step again.
   *
   * @param nowMs the current time, in milliseconds since the wait started.
   * @throws StateError if the time is invalid, the wait was freed or another step is in progress.
   */
  poll(nowMs: number): Step<Response> {
    return this.#done ?? this.#stepOf(this.pollStep(millis(nowMs)));
  }

  /**
   * Handles the end of the call in flight or the cancellation of the wait, and returns the next step.
   *
   * @param event the event.
   * @param nowMs the current time, in milliseconds since the wait started.
   * @throws StateError if the event is out of order, the deadline has not passed, the waiter has no such acceptor, the time is
   * invalid, the wait was freed or another step is in progress; TypeError if the type of the event is unknown.
   */
  handle(event: WaitEvent<Response>, nowMs: number): Step<Response> {
    return this.#done ?? this.#stepOf(this.handleStep(event, millis(nowMs)));
  }

  /**
   * Returns the state of the wait as data for `Waiter#resume`, in this process or another and in any language. `JSON.stringify`
   * calls this method. The data contains neither the history nor values of responses, unless an engine stores the wait. A resumed
   * wait repeats the call that was in flight.
   *
   * @throws StateError with the code `predicate` for a wait with a predicate, `freed` if the wait was freed, and `busy` if a step
   * is in progress.
   */
  toJSON(): SavedWait {
    this.#checkFreed();
    const snapshot = callEngine(() => this.#engine.snapshot());
    try {
      return JSON.parse(snapshot.text()) as SavedWait;
    } finally {
      snapshot.free();
    }
  }

  /**
   * Frees the engine's memory. Otherwise the memory is freed when the wait is garbage-collected.
   *
   * @throws StateError, code `busy`, if a step is in progress.
   */
  free(): void {
    // A getter of the response can call `free` while the engine reads it.
    if (this.#state === "busy") throw new StateError({ code: "busy", message: "another step of this wait is in progress" });
    if (this.#state === "ready") this.#engine.free();
    this.#state = "freed";
  }

  /**
   * The engine's wait. Its getters return the times of the step that is due.
   *
   * @internal
   */
  get engine(): EngineWait {
    return this.#engine;
  }

  /**
   * The last step; `undefined` until the wait has ended.
   *
   * @internal
   */
  get done(): DoneStep<Response> | undefined {
    return this.#done;
  }

  /**
   * Returns the newest attempt that has ended, its summary, and the label.
   *
   * @internal
   */
  progress(): AttemptRecord & { readonly summary: string; readonly label?: string } {
    return withoutNulls(callEngine(() => this.#engine.progress()!)) as AttemptRecord & { summary: string; label?: string };
  }

  /**
   * Returns the end of a stored wait as plain data, within the limit of its report.
   *
   * @internal
   */
  endJson(): EndJson {
    return this.#ended!.toJSON(this.#engine.reportLimit);
  }

  /**
   * Stores the result of a call that a cancellation overtakes: it is the newest one, although it is not evaluated.
   *
   * @internal
   */
  keep(result: { readonly response: Response } | { readonly error: unknown }): void {
    if ("error" in result) this.#latest.error = result.error;
    else this.#latest.response = result.response;
  }

  /**
   * Ends the wait without another attempt: as timed out after its deadline, otherwise as cancelled.
   *
   * @internal
   */
  conclude(reason: unknown, now: number): void {
    this.#step(() => this.#engine.conclude(now), () => (this.#latest.reason = reason));
  }

  /**
   * Returns the number of the step that is due.
   *
   * @internal
   */
  pollStep(now: number): number {
    return this.#step(() => this.#engine.poll(now));
  }

  /**
   * Returns the number of the step that is due in a wait that shares a limit, on whose clock it started at `startedAt`.
   *
   * @internal
   */
  pollWithin(now: number, limit: EngineRateLimit, startedAt: number): number {
    return this.#step(() => this.#engine.pollWithin(now, limit, startedAt));
  }

  /**
   * Handles an event and returns the number of the next step.
   *
   * @internal
   */
  handleStep(event: WaitEvent<Response>, now: number): number {
    const engine = this.#engine;
    switch (event?.type) {
      case "response": {
        const { response, notBeforeMs } = event;
        const read = evaluated(this.#predicate, response);
        const advance = (): number => engine.handleResponse(pushSlot(this.#input), pushSlot(read), optionalMillis(notBeforeMs), now);
        return this.#step(advance, () => (this.#latest.response = response));
      }
      case "error":
        return this.#handleError(event.error, this.#naming.ofErrorOrName(event.error), event.transient, now);
      case "verdict":
        return this.#handleVerdict(event, now);
      case "deadlineReached":
        return this.#step(() => engine.deadlineReached(now));
      case "cancelled":
        return this.#step(() => engine.cancelled(now), () => (this.#latest.reason = event.reason));
      default:
        throw new TypeError(`the \`type\` of an event must be response, error, verdict, deadlineReached or cancelled, got ${String((event as { type?: unknown } | null)?.type)}: pass \`{ type: "response", response }\``);
    }
  }

  /**
   * Handles the value that the call in flight threw, and returns the number of the next step. Here a string is a message, not a
   * name.
   *
   * @internal
   */
  handleException(error: unknown, now: number): number {
    return this.#handleError(error, this.#naming.ofException(error), undefined, now);
  }

  #handleError(error: unknown, metadata: ErrorMetadata, custom: TransientMember["transient"], now: number): number {
    const { by, name, message } = metadata;
    return this.#step(
      () => this.#engine.handleError(by, name, message, ...factsOf(custom, error, metadata, now), now),
      () => (this.#latest.error = error),
    );
  }

  #handleVerdict(event: WaitEvent<Response> & { readonly type: "verdict" }, now: number): number {
    const { error, response } = event;
    const failed = error !== undefined && error !== null;
    const metadata = failed ? this.#naming.ofErrorOrName(error) : undefined;
    const acceptor = acceptorIndex(event.acceptor);
    const facts = (): Facts => (metadata ? factsOf(event.transient, error, metadata, now) : [0, undefined]);
    return this.#step(
      () => this.#engine.handleVerdict(acceptor, metadata?.by, metadata?.name ?? "", metadata?.message ?? "", ...facts(), now),
      () => {
        if (failed) this.#latest.error = error;
        else if ("response" in event) this.#latest.response = response as Response;
      },
    );
  }

  /**
   * Advances the wait and returns the number of the next step. `store` stores the result of the call after the engine accepted it.
   */
  #step(advance: () => number, store?: () => unknown): number {
    this.#checkFreed();
    const before = this.#state;
    this.#state = "busy";
    try {
      const step = callEngine(advance);
      // After the engine has accepted the event: a rejected one must change nothing.
      store?.();
      if (step === DONE) this.#done ??= this.#end();
      return step;
    } finally {
      // Not `ready`: a getter of the response may have tried a step inside this one.
      this.#state = before;
    }
  }

  #stepOf(step: number): Step<Response> {
    const engine = this.#engine;
    if (step === CALL) return { type: "call", attempt: engine.attempt, deadlineMs: engine.deadlineMs };
    if (step === SLEEP) return { type: "sleep", untilMs: engine.untilMs, last: engine.last };
    return this.#done!;
  }

  #end(): DoneStep<Response> {
    this.#ended = new Ended(callEngine(() => this.#engine.report()!), this.#latest);
    return doneStep(this.#ended);
  }

  #checkFreed(): void {
    if (this.#state === "freed") throw new StateError({ code: "freed", message: "the wait was freed" });
  }
}

/** The state of a wait as data, for `Waiter#resume`. */
export interface SavedWait {
  /** The version of the format. A later version cannot be resumed. */
  readonly version: number;
}

export interface Wait<Response> {
  /** Frees the engine's memory at the end of a `using` declaration, as {@link Wait.free} does. */
  [Symbol.dispose](): void;
}

function acceptorIndex(acceptor: unknown): number | undefined {
  if (acceptor === undefined || acceptor === null) return undefined;
  // wasm-bindgen would wrap any other number around without an error.
  if (typeof acceptor === "number" && Number.isInteger(acceptor) && acceptor >= 0 && acceptor < 2 ** 32) return acceptor;
  throw new StateError({ code: "invalid_verdict", message: `acceptor ${String(acceptor)} does not exist` });
}
