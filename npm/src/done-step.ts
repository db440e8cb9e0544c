/**
 * The last step of a wait.
 *
 * @module
 */

import { failureOf } from "./errors/waiter.js";
import type { AttemptRecord, AttemptResult } from "./report/attempt-record.js";
import type { Ended } from "./report/ended.js";
import type { FailureCode, Outcome } from "./report/outcome.js";

/** The step after the end of a wait. Its `state` narrows the type. */
export type DoneStep<Response = unknown> = FailureStep<Response> | SuccessStep<Response>;

/**
 * Returns the last step of a wait.
 *
 * @internal
 */
export function doneStep<Response>(ended: Ended<Response>): DoneStep<Response> {
  const { code } = ended.report;
  return code === undefined ? new SuccessStep(ended) : new FailureStep(ended, code);
}

/** The members that successful and failed waits share. */
abstract class Done<Response> {
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
  readonly #ended: Ended<Response>;

  /** @internal */
  constructor(ended: Ended<Response>) {
    const { report } = ended;
    this.message = report.message;
    this.acceptor = report.acceptor;
    this.acceptorText = report.acceptorText;
    this.attempts = report.attempts;
    this.elapsedMs = millisOf(report.elapsed);
    this.noticedWithinMs = report.noticedWithin === undefined ? undefined : millisOf(report.noticedWithin);
    this.lastResult = report.result;
    this.history = report.history;
    this.#ended = ended;
  }

  /**
   * The end of the wait.
   *
   * @internal
   */
  protected get ended(): Ended<Response> {
    return this.#ended;
  }

  /** Returns a readable report of several lines: the message, then each attempt and the acceptors that were evaluated for it. */
  explain(): string {
    return this.#ended.explain();
  }
}

/** The last step of a wait that succeeded. */
export class SuccessStep<Response = unknown> extends Done<Response> {
  /** Always `"success"`. */
  readonly state = "success";
  /** Always `undefined`; only failures have a code. */
  readonly code: undefined;

  /** @internal */
  constructor(ended: Ended<Response>) {
    super(ended);
    this.code = undefined;
  }

  /** Returns the outcome, with the response or the error that matched. */
  outcome(): Outcome<Response> {
    return this.ended.outcome();
  }
}

/** The last step of a wait that failed. */
export class FailureStep<Response = unknown> extends Done<Response> {
  /** Always `"failure"`. */
  readonly state = "failure";
  /** The stable code of the failure. */
  readonly code: FailureCode;

  /** @internal */
  constructor(ended: Ended<Response>, code: FailureCode) {
    super(ended);
    this.code = code;
  }

  /** @throws WaiterError always: the error of the failed wait. */
  outcome(): never {
    throw failureOf(this.ended, this.outcome);
  }
}

/** Returns whole milliseconds: the engine reports them as seconds. */
function millisOf(seconds: number): number {
  return Math.round(seconds * 1000);
}
