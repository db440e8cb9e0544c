/// <reference lib="esnext.disposable" preserve="true" />

/**
 * A wait that is driven step by step: the engine says what to do, the caller does it and tells what came of it.
 *
 * @module
 */

import { type DoneStep, doneStep } from "./done.js";
import type { EngineWait } from "./engine.js";
import type { ErrorFacts, Naming } from "./error-facts.js";
import { asked, StateError } from "./errors.js";
import { told } from "./json.js";
import { filled, hold, release } from "./kernel.js";
import { type AttemptRecord, type Ending, LastSeen } from "./outcome.js";
import { STATES } from "./packed.js";
import type { Transients } from "./transients.js";
import type { State } from "./verdict.js";

/** What to do next. */
export type Step<Response = unknown> = CallStep | SleepStep | DoneStep<Response>;

/** Call the operation, then tell what came of it. */
export interface CallStep {
  readonly type: "call";
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The milliseconds that the call may take: cut it then and `expire`. */
  readonly remainingMs: number;
}

/** Sleep, then ask for the next step. */
export interface SleepStep {
  readonly type: "sleep";
  /** The milliseconds to sleep. */
  readonly delayMs: number;
  /** Whether the attempt after it is the last that fits. */
  readonly last: boolean;
}

/** There is no compiled matcher; -1 is one that found nothing. */
const UNMATCHED = -2;

/**
 * A wait that is under way. All times are milliseconds since it began; an elapsed smaller than an earlier one counts as
 * the earlier one. A step out of order is a `StateError` and changes nothing; after the last step every call gives it
 * again.
 */
export class Wait<Response = unknown> {
  readonly #engine: EngineWait;
  readonly #input: unknown;
  readonly #naming: Naming;
  readonly #seen = new LastSeen<Response>();
  #done: DoneStep<Response> | undefined;
  #state: "ready" | "busy" | "freed" = "ready";

  /** @internal */
  constructor(engine: EngineWait, input: unknown, naming: Naming) {
    this.#engine = engine;
    this.#input = input;
    this.#naming = naming;
  }

  /** The step that is due. */
  next(elapsedMs: number): Step<Response> {
    return this.#step(() => this.#engine.next(millis(elapsedMs)));
  }

  /** Takes the response of the call that is in flight. */
  observeResponse(response: Response, elapsedMs: number): Step<Response> {
    return this.observeMatched(response, UNMATCHED, elapsedMs);
  }

  /**
   * The same by the acceptor that a compiled matcher found.
   *
   * @internal
   */
  observeMatched(response: Response, matched: number, elapsedMs: number): Step<Response> {
    return this.#step(
      () => this.#engine.observeResponse(hold(this.#input), hold(response), matched, millis(elapsedMs)),
      () => this.#seen.keepResponse(response),
    );
  }

  /** Takes the error of the call that is in flight; a text is the error's name. */
  observeError(error: unknown, elapsedMs: number): Step<Response> {
    return this.#observeError(error, this.#naming.ofGiven(error), elapsedMs);
  }

  /**
   * Takes what the call that is in flight threw; a text is only a message. A retry strategy is asked about what no acceptor
   * matches.
   *
   * @internal
   */
  observeThrown(error: unknown, elapsedMs: number, transients: Transients | undefined): Step<Response> {
    const facts = this.#naming.ofThrown(error);
    return transients === undefined
      ? this.#observeError(error, facts, elapsedMs)
      : transients.asked(error, () => this.#observeError(error, facts, elapsedMs));
  }

  /**
   * Takes a verdict that was made elsewhere, by a generated or hand-written matcher, on the call that is in flight.
   *
   * @param acceptor the index of the acceptor that matched; `undefined` where none did.
   * @param error what the call threw, or the error's name; `undefined` where it gave a response.
   */
  observeVerdict(
    state: State,
    acceptor: number | null | undefined,
    error: unknown,
    elapsedMs: number,
  ): Step<Response> {
    const failed = error !== undefined && error !== null;
    const facts = failed ? this.#naming.ofGiven(error) : undefined;
    return this.#step(
      () => {
        const [number, index] = [stateNumber(state), acceptorIndex(state, acceptor, failed)];
        return this.#engine.observeVerdict(number, index, facts?.by, facts?.name ?? "", facts?.message ?? "", millis(elapsedMs));
      },
      () => {
        if (failed) this.#seen.keepError(error);
      },
    );
  }

  /** Says that the call was cut at the deadline. */
  expire(elapsedMs: number): Step<Response> {
    return this.#step(() => this.#engine.expire(millis(elapsedMs)));
  }

  /** Ends the wait as cancelled, whatever it is doing. A reason becomes the failure's `cause`. */
  cancel(elapsedMs: number, reason?: unknown): Step<Response> {
    return this.#step(
      () => this.#engine.cancel(millis(elapsedMs)),
      () => this.#seen.keepReason(reason),
    );
  }

  /**
   * The wait as data, which `JSON.stringify` asks for and `Waiter#resume` goes on with, also elsewhere and in another
   * language. It holds no response and no error: of these only the reasons in the history remain. A wait that is saved
   * while a call is in flight hands out the same attempt again.
   */
  toJSON(): SavedWait {
    return JSON.parse(this.#taken(() => this.#engine.save())) as SavedWait;
  }

  /**
   * The newest attempt that has ended, and the milliseconds that remain.
   *
   * @internal
   */
  latest(): [AttemptRecord, number] | undefined {
    return told(this.#engine.latest());
  }

  /** Gives the engine's memory back at once; without it that happens when the wait is garbage. */
  free(): void {
    if (this.#state === "busy") throw busy();
    if (this.#state === "ready") this.#engine.free();
    this.#state = "freed";
  }

  #observeError(error: unknown, { by, name, message }: ErrorFacts, elapsedMs: number): Step<Response> {
    return this.#step(
      () => this.#engine.observeError(hold(this.#input), by, name, message, millis(elapsedMs)),
      () => this.#seen.keepError(error),
    );
  }

  /** Takes a step; `keep` remembers what it was taken for, once the engine has accepted it. */
  #step(take: () => string, keep?: () => void): Step<Response> {
    if (this.#done !== undefined) return this.#done;
    const text = this.#taken(take);
    keep?.();
    return this.#told(told<EngineStep>(text));
  }

  #taken(take: () => string): string {
    if (this.#state === "freed") throw new StateError({ code: "freed", message: "the wait was freed" });
    // A getter of the response may take a step too: the engine refuses it.
    const before = this.#state;
    this.#state = "busy";
    const base = filled();
    try {
      return asked(take);
    } finally {
      release(base);
      this.#state = before;
    }
  }

  #told(step: EngineStep): Step<Response> {
    if (step.type !== "done") return step;
    this.#done = doneStep({ ending: step.ending, explanation: step.explanation, seen: this.#seen });
    return this.#done;
  }
}

/** A wait as data: for `Waiter#resume`, and of no interest to anything else. */
export interface SavedWait {
  /** The version of the format; a later one is refused. */
  readonly version: number;
  /** Of the definition that the wait belongs to. */
  readonly fingerprint: string;
  /** Against damage. */
  readonly checksum: string;
  readonly state: object;
}

export interface Wait<Response> {
  /** The same as `free`, for `using`. */
  [Symbol.dispose](): void;
}

// Where there is no `Symbol.dispose` yet, nothing can ask for it.
if (Symbol.dispose !== undefined) Wait.prototype[Symbol.dispose] = Wait.prototype.free;

type EngineStep =
  | CallStep
  | SleepStep
  | { readonly type: "done"; readonly ending: Ending; readonly explanation: string };

function busy(): StateError {
  return new StateError({ code: "busy", message: "another step of this wait is being taken" });
}

function stateNumber(state: unknown): number {
  const number = STATES.indexOf(state as State);
  if (number >= 0) return number;
  throw invalidVerdict(`\`${String(state)}\` is no state: \`success\`, \`failure\` or \`retry\``);
}

function acceptorIndex(state: State, acceptor: unknown, failed: boolean): number | undefined {
  if (acceptor === undefined || acceptor === null) return undefined;
  if (typeof acceptor === "number" && Number.isInteger(acceptor) && acceptor >= 0 && acceptor < 2 ** 32) {
    return acceptor;
  }
  throw invalidVerdict(`this waiter never gives the verdict \`${state}\` by acceptor ${String(acceptor)} for ${failed ? "an error" : "a response"}`);
}

function invalidVerdict(message: string): StateError {
  return new StateError({ code: "invalid_verdict", message });
}

/** Numbers only: the engine would read a text as one. @internal */
export function millis(elapsed: unknown): number {
  return typeof elapsed === "number" ? elapsed : Number.NaN;
}
