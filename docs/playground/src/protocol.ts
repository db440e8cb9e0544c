/** The messages between the page and the worker that has the engine. */

import type { Subject, Timing } from "./state.js";

export type Request =
  | { readonly type: "evaluate"; readonly id: number; readonly subject: Subject; readonly timing: Timing }
  | { readonly type: "schedule"; readonly id: number; readonly timing: Timing };

export type Reply =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "evaluated"; readonly id: number; readonly evaluation: Evaluation; readonly schedule: Schedule | undefined }
  | { readonly type: "scheduled"; readonly id: number; readonly schedule: Schedule | undefined };

/** A range of a document, in UTF-16 units. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Problem extends Range {
  readonly message: string;
}

/** A problem of a field of the short form, with the column in its text, from 1. */
export interface FieldProblem {
  readonly field: string;
  readonly column: number | undefined;
  readonly message: string;
}

/** The parts of a document that belong to an acceptor. */
export interface Parts {
  /** The values that the path selects. */
  readonly selected: readonly Range[];
  /** The values that the engine reads for a path with a computed result. */
  readonly read: readonly Range[];
}

export type AcceptorState = "success" | "failure" | "retry";

export interface AcceptorView {
  readonly index: number;
  readonly state: AcceptorState;
  /** The matcher in words. */
  readonly matcher: string;
  readonly outcome: "matched" | "not matched" | "not reached";
  /** The engine's reason; empty if the acceptor was not reached. */
  readonly reason: string;
  readonly response: Parts;
  readonly input: Parts;
  /** The acceptor in the text of the definition. */
  readonly definition: Range | undefined;
}

export interface VerdictView {
  readonly state: AcceptorState;
  readonly acceptor: number | undefined;
  /** `true` if the error is transient, so that a wait calls again. */
  readonly isTransient: boolean;
}

export interface Evaluation {
  readonly definitionProblems: readonly Problem[];
  readonly fieldProblems: readonly FieldProblem[];
  readonly responseProblems: readonly Problem[];
  readonly inputProblems: readonly Problem[];
  readonly usesInput: boolean;
  /** The depth to which objects and arrays of the response are nested. */
  readonly depth: number;
  /** The definition as JSON; absent if it is invalid. */
  readonly definition: string | undefined;
  /** The acceptors to show: the first ones, and the one that matches. */
  readonly acceptors: readonly AcceptorView[];
  /** The number of all acceptors. */
  readonly count: number;
  readonly verdict: VerdictView | undefined;
}

export interface Schedule {
  /** The times of the calls, in milliseconds since the wait started. */
  readonly calls: readonly number[];
  readonly end: {
    readonly state: "success" | "failure";
    readonly code: string | undefined;
    readonly message: string;
    readonly atMs: number;
    readonly noticedWithinMs: number | undefined;
  } | undefined;
  readonly minDelay: number;
  readonly maxDelay: number;
  /** The message of invalid options. */
  readonly problem: string | undefined;
}
