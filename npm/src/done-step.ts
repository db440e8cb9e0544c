/**
 * The last step of a wait.
 *
 * @module
 */

import { failureOf } from "./errors/waiter.js";
import type { AttemptRecord, AttemptResult } from "./report/attempt-record.js";
import type { FailureCode, LatestResult, Outcome, WaitReport } from "./report/outcome.js";

/** The step after the end of a wait. Its `state` narrows the type. */
export type DoneStep<Response = unknown> = FailureStep<Response> | SuccessStep<Response>;

/**
 * The data of the last step.
 *
 * @internal
 */
export interface End<Response> {
  readonly report: WaitReport;
  readonly explanation: string;
  readonly latest: LatestResult<Response>;
}

/**
 * Returns the last step of a wait.
 *
 * @internal
 */
export function doneStep<Response>(end: End<Response>): DoneStep<Response> {
  const { code } = end.report;
  return code === undefined ? new SuccessStep(end) : new FailureStep(end, code);
}

/** The members that successful and failed waits share. */
abstract class Done {
  /** Always `"done"`. */
  readonly type = "done";
  /** A readable message about the end of the wait. */
  readonly message: string;
  /** The index of the acceptor that ended the wait; `undefined` if none did. */
  readonly acceptor: number | undefined;
  /** The JSON text of that acceptor in the definition. */
  readonly acceptorText: string | undefined;
  /** The number of calls made. */
  readonly attempts: number;
  /** The duration of the wait, in milliseconds. */
  readonly elapsedMs: number;
  /**
   * The maximum time between the change of the resource and the end of the wait, in milliseconds. It is measured from the start of
   * the newest earlier call that did not end with a transient error; `undefined` if there was no such call, and for a failure.
   */
  readonly noticedWithinMs: number | undefined;
  /** The kind of the last call's result; `undefined` if no call was made. */
  readonly lastResult: AttemptResult | undefined;
  /** The newest attempts, at most `historyLimit`, in chronological order. */
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

  /** Returns a readable report of several lines: the message, then each attempt and the acceptors that were evaluated for it. */
  explain(): string {
    return this.#explanation;
  }
}

/** The last step of a wait that succeeded. */
export class SuccessStep<Response = unknown> extends Done {
  /** Always `"success"`. */
  readonly state = "success";
  /** Always `undefined`; only failures have a code. */
  readonly code: undefined;
  readonly #latest: LatestResult<Response>;

  /** @internal */
  constructor(end: End<Response>) {
    super(end);
    this.code = undefined;
    this.#latest = end.latest;
  }

  /** Returns the outcome, with the response or the error that matched. */
  outcome(): Outcome<Response> {
    const { response, error } = this.#latest;
    const { attempts, noticedWithinMs, acceptor, acceptorText, history } = this;
    const noticedWithin = noticedWithinMs === undefined ? undefined : noticedWithinMs / 1000;
    const members = { attempts, elapsed: this.elapsedMs / 1000, noticedWithin, acceptor, acceptorText, history };
    if (this.lastResult === "error") return { result: "error", response: undefined, error, ...members };
    return { result: "response", response: response as Response, error: undefined, ...members };
  }
}

/** The last step of a wait that failed. */
export class FailureStep<Response = unknown> extends Done {
  /** Always `"failure"`. */
  readonly state = "failure";
  /** The stable code of the failure. */
  readonly code: FailureCode;
  readonly #end: End<Response>;

  /** @internal */
  constructor(end: End<Response>, code: FailureCode) {
    super(end);
    this.code = code;
    this.#end = end;
  }

  /** @throws WaiterError always: the error of the failed wait. */
  outcome(): never {
    throw failureOf({ ...this.#end, code: this.code }, this.outcome);
  }
}
