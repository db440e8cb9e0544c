/** The verdict and its acceptors. */

import { byId, element } from "./elements.js";
import type { AcceptorView, Evaluation } from "./protocol.js";

const OUTCOMES = { matched: "✓ matched", "not matched": "no match", "not reached": "not reached" } as const;

/** Shows the verdict. A click on an acceptor calls `onSelect` with its index. */
export function showVerdict({ acceptors, count, verdict, ...problems }: Evaluation, selected: number | undefined, onSelect: (index: number) => void): void {
  byId("verdict").replaceChildren(...(verdict ? summary(verdict, acceptors) : [element("span", { class: "muted" }, waitingFor(problems))]));
  byId("acceptors").replaceChildren(
    ...acceptors.map((acceptor) => {
      const { index } = acceptor;
      const button = element(
        "button",
        { type: "button", class: "acceptor", "data-outcome": acceptor.outcome, "aria-pressed": String(index === selected) },
        element("span", { class: "index" }, String(index)),
        element("span", { class: `state ${acceptor.state}` }, acceptor.state),
        element("code", {}, acceptor.matcher),
        element("span", { class: "outcome" }, OUTCOMES[acceptor.outcome]),
      );
      if (acceptor.reason !== "") button.append(element("span", { class: "reason" }, acceptor.reason));
      button.addEventListener("click", () => onSelect(index));
      return element("li", {}, button);
    }),
    ...(count > acceptors.length && acceptors.length > 0 ? [element("li", { class: "more" }, `${count - acceptors.length} more acceptors are not shown.`)] : []),
  );
}

function summary(verdict: NonNullable<Evaluation["verdict"]>, acceptors: readonly AcceptorView[]): (Node | string)[] {
  const by = verdict.acceptor === undefined ? "" : `acceptor ${verdict.acceptor} matched`;
  const isError = acceptors.length > 0 && verdict.state === "failure" && verdict.acceptor === undefined;
  const none = isError ? (verdict.isTransient ? "no acceptor matches; the error is transient, so a wait calls again" : "no acceptor matches the error") : "no acceptor matches, so a wait calls again";
  return [element("strong", { class: `state ${verdict.state}` }, verdict.state), ` ${by || none}`];
}

/** Returns why there is no verdict. */
export function waitingFor({ definitionProblems, fieldProblems, responseProblems, inputProblems }: Pick<Evaluation, "definitionProblems" | "fieldProblems" | "responseProblems" | "inputProblems">): string {
  if (definitionProblems.length > 0 || fieldProblems.some(({ field }) => field !== "error-status")) return "The waiter has an error.";
  if (fieldProblems.length > 0) return "The HTTP status is not valid.";
  if (responseProblems.length > 0) return "The response is not JSON.";
  return inputProblems.length > 0 ? "The input is not JSON." : "";
}
