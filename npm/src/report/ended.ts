/**
 * An ended wait: the engine's report and the values that only JavaScript has.
 *
 * @module
 */

import { explainReport, reportJson } from "../engine/engine.js";
import { plain } from "../values/json-value.js";
import type { EndJson, LatestResult, Outcome, WaitReport } from "./outcome.js";

/** The end of a wait. The engine writes its texts. */
export class Ended<Response> {
  readonly report: WaitReport;
  readonly latest: LatestResult<Response>;

  constructor(report: WaitReport, latest: LatestResult<Response>) {
    this.report = report;
    this.latest = latest;
  }

  /** Returns a readable report of several lines. */
  explain(): string {
    return explainReport(JSON.stringify(this.report));
  }

  /** Returns the response and the errors as plain data. A success has only the result that matched. */
  values(): Pick<EndJson, "cause" | "error" | "response"> {
    const { report, latest } = this;
    const failed = report.code !== undefined;
    const byError = report.result === "error";
    return {
      response: failed || !byError ? plain(latest.response) : null,
      error: failed || byError ? plain(latest.error) : null,
      cause: plain(latest.causeOf(report)?.cause),
    };
  }

  /** Returns the end as plain data. */
  toJSON(): EndJson {
    return { ...(JSON.parse(reportJson(JSON.stringify(this.report))) as EndJson), ...this.values() };
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
    return Object.defineProperty(outcome, "toJSON", { value: () => this.toJSON(), configurable: true }) as Outcome<Response>;
  }
}
