/**
 * The last step of a wait.
 *
 * @module
 */

import { failureOf } from "../errors.js";
import type { AttemptRecord, AttemptResult } from "./attempt-record.js";
import type { FailureCode, LatestResult, Outcome, WaitReport } from "./outcome.js";

/** The wait is over. `state` says how, to the compiler, too. */
export type DoneStep<Response = unknown> = FailureStep<Response> | SuccessStep<Response>;

/**
 * The end of a wait.
 *
 * @internal
 */
export interface End<Response> {
  readonly report: WaitReport;
  readonly explanation: string;
  readonly latest: LatestResult<Response>;
}

/**
 * The step that says so.
 *
 * @internal
 */
export function doneStep<Response>(end: End<Response>): DoneStep<Response> {
  const { code } = end.report;
  return code === undefined ? new SuccessStep(end) : new FailureStep(end, code);
}

/** What is known of every wait that is over. */
abstract class Done {
  readonly type = "done";
  /** What happened, for people. */
  readonly message: string;
  /** The index of the acceptor that decided. */
  readonly acceptor: number | undefined;
  /** That acceptor as the definition has it, as JSON text. */
  readonly acceptorText: string | undefined;
  /** The number of calls that were made. */
  readonly attempts: number;
  /** How long it took, in milliseconds. */
  readonly elapsedMs: number;
  /**
   * How late a success may have been noticed, in milliseconds: the time since the start of the newest call before it that did not end
   * with a transient error; `undefined` if there is none, and for a failure.
   */
  readonly noticedWithinMs: number | undefined;
  /** The end of the last attempt; `undefined` if there was none. */
  readonly lastResult: AttemptResult | undefined;
  /** The newest attempts, the oldest first; at most `historyLimit`. */
  readonly history: readonly AttemptRecord[];
  readonly #explanation: string;

  /** @internal */
  constructor({ report, explanation }: Omit<End<unknown>, "latest">) {
    this.message = report.message;
    this.acceptor = report.acceptor;
    this.acceptorText = report.acceptorText;
    this.attempts = report.attempts;
    this.elapsedMs = report.elapsedMs;
    this.noticedWithinMs = report.noticedWithinMs;
    this.lastResult = report.lastResult;
    this.history = report.history;
    this.#explanation = explanation;
  }

  /** The whole story for people: the message, then each attempt and each acceptor it was held against. */
  explain(): string {
    return this.#explanation;
  }
}

/** A wait that succeeded. */
export class SuccessStep<Response = unknown> extends Done {
  readonly state = "success";
  /** Only failures have one. */
  readonly code: undefined;
  readonly #latest: LatestResult<Response>;

  /** @internal */
  constructor(end: End<Response>) {
    super(end);
    this.code = undefined;
    this.#latest = end.latest;
  }

  /** Returns the outcome, with the response or error that the wanted state was seen in. */
  outcome(): Outcome<Response> {
    const { response, error } = this.#latest;
    const { attempts, noticedWithinMs, acceptor, acceptorText, history } = this;
    const noticedWithin = noticedWithinMs === undefined ? undefined : noticedWithinMs / 1000;
    const facts = { attempts, elapsed: this.elapsedMs / 1000, noticedWithin, acceptor, acceptorText, history };
    if (this.lastResult === "error") return { result: "error", response: undefined, error, ...facts };
    return { result: "response", response: response as Response, error: undefined, ...facts };
  }
}

/** A wait that did not succeed. */
export class FailureStep<Response = unknown> extends Done {
  readonly state = "failure";
  /** Why, for programs. */
  readonly code: FailureCode;
  readonly #end: End<Response>;

  /** @internal */
  constructor(end: End<Response>, code: FailureCode) {
    super(end);
    this.code = code;
    this.#end = end;
  }

  /** Throws the `WaiterError` that the wait ended with. */
  outcome(): never {
    throw failureOf({ ...this.#end, code: this.code }, this.outcome);
  }
}
