/// <reference lib="esnext.disposable" preserve="true" />

/**
 * A wait that is driven step by step: the engine returns what to do, the caller does it and reports the result.
 *
 * @module
 */

import { type Transient, transientOf } from "./client/transient.js";
import { callEngine } from "./engine/call.js";
import { CALL, DONE, SLEEP } from "./engine/constants.js";
import type { EngineTransient, EngineWait } from "./engine/engine.js";
import { pushSlot } from "./engine/slots.js";
import { StateError } from "./errors.js";
import type { AttemptRecord } from "./report/attempt-record.js";
import { type DoneStep, doneStep } from "./report/done-step.js";
import { LatestResult, type WaitReport } from "./report/outcome.js";
import { evaluated, type Predicate } from "./until.js";
import type { ErrorMetadata, Naming } from "./values/error-metadata.js";
import { millis, optionalMillis } from "./values/millis.js";

/** The next thing to do. All times are milliseconds since the wait started. */
export type Step<Response = unknown> = CallStep | SleepStep | DoneStep<Response>;

/** Call the operation, then `handle` the end of the call. */
export interface CallStep {
  readonly type: "call";
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** When to cut the call and report `deadlineReached`; `Infinity` if nothing limits it. */
  readonly deadlineMs: number;
}

/** Sleep, then `poll`. */
export interface SleepStep {
  readonly type: "sleep";
  /** When the pause ends. */
  readonly untilMs: number;
  /** Whether the attempt after it is the last one that fits before the deadline. */
  readonly last: boolean;
}

/** The end of a call, a deadline or a cancellation. */
export type WaitEvent<Response = unknown> =
  /** The call returned a response. `notBeforeMs` is the earliest time of the next attempt, if the service asked for one. */
  | { readonly type: "response"; readonly response: Response; readonly notBeforeMs?: number | undefined }
  /** The call threw an error; a string is the error's name. */
  | ({ readonly type: "error"; readonly error: unknown } & TransientMember)
  /**
   * The call ended, and compiled or hand-written code evaluated the result: `acceptor` is the index of the first acceptor that matched,
   * `error` what the call threw, or the error's name. The `response` is for the outcome, and for the reasons of a failure.
   */
  | ({ readonly type: "verdict"; readonly acceptor?: number | null | undefined; readonly error?: unknown; readonly response?: Response | undefined } & TransientMember)
  /** The call was cut because its deadline has passed. */
  | { readonly type: "deadlineReached" }
  /** The caller cancels the wait: legal at any time. The `reason` is the failure's `cause`. */
  | { readonly type: "cancelled"; readonly reason?: unknown };

interface TransientMember {
  /**
   * The caller's own classification of the error; `false` for an error that waiting does not cure. Without it the error is
   * classified as `wait` does: by its shape, a string by its name.
   */
  readonly transient?: Transient | false | undefined;
}

/**
 * A wait in progress. All times are milliseconds since it started; an earlier one than before counts as the latest. An event out
 * of order throws a `StateError` and changes nothing. After the last step every call returns the same one.
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
  /** The newest response of which the engine has seen only the verdict. */
  #unexplained: { readonly response: Response } | undefined;
  #done: DoneStep<Response> | undefined;
  #state: "busy" | "freed" | "ready" = "ready";

  /** @internal */
  constructor(engine: EngineWait, input: unknown, naming: Naming, predicate: Predicate<never> | undefined) {
    this.#engine = engine;
    this.#input = input;
    this.#naming = naming;
    this.#predicate = predicate;
  }

  /** The latest time that was passed to the wait. A resumed wait starts with the time that had passed. */
  get nowMs(): number {
    return this.#engine.nowMs;
  }

  /**
   * The newest attempt that has ended in one line for people, such as
   * `TableExists: attempt 3 after 12.1 s: retry: Table.TableStatus gave "CREATING", expected "ACTIVE"; next in 4 s`; `undefined` before
   * the first.
   */
  get summary(): string | undefined {
    this.#checkFreed();
    return callEngine(() => this.#engine.summary());
  }

  /** Returns the step that is due: the same pause or call again if that is not over. */
  poll(nowMs: number): Step<Response> {
    return this.#done ?? this.#stepOf(this.pollStep(millis(nowMs)));
  }

  /**
   * Takes the end of the call in flight, or the cancellation of the wait, and returns the next step.
   *
   * @throws StateError for an event out of order, an early `deadlineReached`, a verdict that this waiter never gives, or an
   * invalid time; TypeError for any other event.
   */
  handle(event: WaitEvent<Response>, nowMs: number): Step<Response> {
    return this.#done ?? this.#stepOf(this.handleStep(event, millis(nowMs)));
  }

  /**
   * Returns the state of the wait as data, which `JSON.stringify` calls and `Waiter#resume` takes, in this process or another and
   * in any language. It has no history and no values; a call in flight is handed out again.
   *
   * @throws StateError, code `predicate`, for a wait by a predicate.
   */
  toJSON(): SavedWait {
    this.#checkFreed();
    return JSON.parse(callEngine(() => this.#engine.snapshot())) as SavedWait;
  }

  /** Frees the engine's memory at once; otherwise that happens when the wait is garbage. */
  free(): void {
    if (this.#state === "busy") throw new StateError({ code: "busy", message: "another step of this wait is in progress" });
    if (this.#state === "ready") this.#engine.free();
    this.#state = "freed";
  }

  /**
   * The engine's wait, whose getters have the times of the step that is due.
   *
   * @internal
   */
  get engine(): EngineWait {
    return this.#engine;
  }

  /**
   * The last step, once the wait is over.
   *
   * @internal
   */
  get done(): DoneStep<Response> | undefined {
    return this.#done;
  }

  /**
   * The newest attempt that has ended, its summary, and the label.
   *
   * @internal
   */
  progress(): [AttemptRecord, summary: string, label: string | undefined] {
    return callEngine(() => this.#engine.progress() as [AttemptRecord, string, string | undefined]);
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
   * Takes an event and returns the number of the next step.
   *
   * @internal
   */
  handleStep(event: WaitEvent<Response>, now: number): number {
    const engine = this.#engine;
    switch (event?.type) {
      case "response": {
        const { response, notBeforeMs } = event;
        const read = evaluated(this.#predicate, response);
        const take = (): number => engine.handleResponse(pushSlot(this.#input), pushSlot(read), optionalMillis(notBeforeMs), now);
        return this.#step(take, () => this.#setResponse(response, undefined));
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
        throw new TypeError(`an event must be a response, error, verdict, deadlineReached or cancelled, got the \`type\` ${String((event as { type?: unknown } | null)?.type)}: give \`{ type: "response", response }\``);
    }
  }

  /**
   * Takes the value that the call in flight threw: a string is only a message.
   *
   * @internal
   */
  handleException(error: unknown, now: number): number {
    return this.#handleError(error, this.#naming.ofException(error), undefined, now);
  }

  #handleError(error: unknown, metadata: ErrorMetadata, own: TransientMember["transient"], now: number): number {
    const { by, name, message } = metadata;
    return this.#step(
      () => this.#engine.handleError(by, name, message, transientOf(own, error, metadata, now), now),
      () => this.#latest.setError(error),
    );
  }

  #handleVerdict(event: WaitEvent<Response> & { readonly type: "verdict" }, now: number): number {
    const { error, response } = event;
    const failed = error !== undefined && error !== null;
    const facts = failed ? this.#naming.ofErrorOrName(error) : undefined;
    const acceptor = acceptorIndex(event.acceptor);
    const transient = (): EngineTransient | undefined => facts && transientOf(event.transient, error, facts, now);
    return this.#step(
      () => this.#engine.handleVerdict(acceptor, facts?.by, facts?.name ?? "", facts?.message ?? "", transient(), now),
      () => {
        if (failed) this.#latest.setError(error);
        else if ("response" in event) this.#setResponse(response as Response, { response: response as Response });
      },
    );
  }

  #setResponse(response: Response, unexplained: { readonly response: Response } | undefined): void {
    this.#latest.response = response;
    this.#unexplained = unexplained;
  }

  /** Takes a step; `store` stores the result of the call, once the engine has accepted it. */
  #step(take: () => number, store?: () => unknown): number {
    this.#checkFreed();
    const before = this.#state;
    this.#state = "busy";
    try {
      const step = callEngine(take);
      store?.();
      if (step === DONE) this.#done ??= this.#end();
      return step;
    } finally {
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
    let [report, explanation] = this.#report();
    const unexplained = this.#unexplained;
    // A late response is not evaluated.
    if (unexplained !== undefined && report.code !== undefined && report.lastResult !== "late") {
      const read = evaluated(this.#predicate, unexplained.response);
      callEngine(() => this.#engine.explainResponse(pushSlot(this.#input), pushSlot(read)));
      [report, explanation] = this.#report();
    }
    return doneStep({ report, explanation, latest: this.#latest });
  }

  #report(): [WaitReport, string] {
    return callEngine(() => this.#engine.report() as [WaitReport, string]);
  }

  #checkFreed(): void {
    if (this.#state === "freed") throw new StateError({ code: "freed", message: "the wait was freed" });
  }
}

/** A wait as data, for `Waiter#resume`. */
export interface SavedWait {
  /** The version of the format; a later one is refused. */
  readonly version: number;
}

export interface Wait<Response> {
  /** Frees the engine's memory as `free` does, for `using`. */
  [Symbol.dispose](): void;
}

// Older platforms have no `Symbol.dispose`.
if (Symbol.dispose !== undefined) Wait.prototype[Symbol.dispose] = Wait.prototype.free;

function acceptorIndex(acceptor: unknown): number | undefined {
  if (acceptor === undefined || acceptor === null) return undefined;
  if (typeof acceptor === "number" && Number.isInteger(acceptor) && acceptor >= 0 && acceptor < 2 ** 32) return acceptor;
  throw new StateError({ code: "invalid_verdict", message: `acceptor ${String(acceptor)} does not exist` });
}
