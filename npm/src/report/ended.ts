/**
 * An ended wait: the engine's report and the values that only JavaScript has.
 *
 * @module
 */

import { causeOf, endJson, explainReport, leavesWork } from "../engine/engine.js";
import { plain } from "../values/json-value.js";
import type { EndJson, LatestResult, Outcome, WaitReport } from "./outcome.js";

/** The end of a wait. The engine writes its texts. */
export class Ended<Response> {
  readonly report: WaitReport;
  readonly latest: LatestResult<Response>;
  /** The report as JSON text of the engine. */
  readonly #text: string;

  constructor(text: string, latest: LatestResult<Response>) {
    this.report = withoutNulls(text) as WaitReport;
    this.latest = latest;
    this.#text = text;
  }

  /** Returns a readable report of several lines. */
  explain(): string {
    return explainReport(this.#text);
  }

  /** `true` if the wait gave up on work that may still be running. */
  get leavesWork(): boolean {
    return leavesWork(this.#text);
  }

  /** Returns the cause of a failure: the reason of the cancellation, or the error of the last attempt. */
  cause(): ErrorOptions | undefined {
    const name = causeOf(this.#text) as "error" | "reason" | undefined;
    // A call may throw `undefined`, but a cancellation without a reason has no cause.
    if (name === undefined || (name === "reason" && this.latest.reason === undefined)) return undefined;
    return { cause: this.latest[name] };
  }

  /** Returns the end as plain data: for logs, or for storage with a JSON text of at most `limit` bytes if possible. */
  toJSON(limit?: number): EndJson {
    const { response, error, reason } = this.latest;
    const values = { response: plain(response), error: plain(error), reason: plain(reason) };
    return JSON.parse(endJson(this.#text, JSON.stringify(values), limit)) as EndJson;
  }

  /** Returns the outcome of a wait that succeeded. */
  outcome(): Outcome<Response> {
    const { response, error } = this.latest;
    const { result, attempts, elapsed, noticedWithin, acceptor, acceptorText, history } = this.report;
    const members = { attempts, elapsed, noticedWithin, acceptor, acceptorText, history };
    const outcome =
      result === "error"
        ? { result: "error", response: undefined, error, ...members }
        : { result: "response", response: response as Response, error: undefined, ...members };
    // Not enumerable, so that copies and comparisons only read data.
    const method = (value: () => unknown): PropertyDescriptor => ({ value, configurable: true });
    const line = method(() => this.report.message);
    // Without the response, which may be long or contain secrets.
    const methods = { toJSON: method(() => this.toJSON()), toString: line, [Symbol.for("nodejs.util.inspect.custom")]: line };
    return Object.defineProperties(outcome, methods) as Outcome<Response>;
  }
}

/** Returns data of the engine, without the members that are null. */
export function withoutNulls(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => value ?? undefined);
}
