/** The fields of the short form. */

import { byId, element, limit } from "./elements.js";
import type { FieldProblem } from "./protocol.js";
import { LONGEST, SHORT_LISTS, type ShortForm } from "./state.js";

const TEXTS: readonly (readonly [Exclude<keyof ShortForm, "any" | "text">, string, string])[] = [
  ["expression", "Path or condition", "Table.TableStatus"],
  ["expected", "Expected", "empty for a condition"],
  ["fail", "Fails with", "values, separated by commas"],
  ["pending", "May come before", "any other value then fails"],
  ["retryErrors", "Errors to retry", "codes, separated by commas"],
  ["successErrors", "Errors that are a success", "codes, separated by commas"],
];

const FLAGS: readonly (readonly ["any" | "text", string])[] = [
  ["any", "One item of a list is enough"],
  ["text", "Compare numbers and booleans by their texts"],
];

export function createFields(onChange: () => void): void {
  for (const [name, label, placeholder] of TEXTS) {
    const input = element("input", { id: `short-${name}`, placeholder, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": `short-${name}-problem` });
    input.addEventListener("input", onChange);
    const problem = element("span", { id: `short-${name}-problem`, class: "field-problem", hidden: "" });
    const isWide = name === "expression";
    byId("short-panel").append(element("div", isWide ? { class: "wide" } : {}, element("label", {}, label, input), problem));
    limit(input, LONGEST.short);
  }
  for (const [name, label] of FLAGS) {
    const input = element("input", { id: `short-${name}`, type: "checkbox" });
    input.addEventListener("change", onChange);
    byId("short-panel").append(element("label", { class: "check" }, input, label));
  }
}

export function readFields(): ShortForm {
  const text = (name: string): string => byId<HTMLInputElement>(`short-${name}`).value;
  const flag = (name: string): boolean => byId<HTMLInputElement>(`short-${name}`).checked;
  const [expected, fail, pending, retryErrors, successErrors] = SHORT_LISTS.map(text) as [string, string, string, string, string];
  return { expression: text("expression"), expected, fail, pending, retryErrors, successErrors, any: flag("any"), text: flag("text") };
}

export function writeFields(short: ShortForm): void {
  for (const [name] of TEXTS) byId<HTMLInputElement>(`short-${name}`).value = short[name];
  for (const [name] of FLAGS) byId<HTMLInputElement>(`short-${name}`).checked = short[name];
}

/** Shows each problem below its field, with the column marked. */
export function showProblems(problems: readonly FieldProblem[]): void {
  const fields = [...TEXTS.map(([name]) => `short-${name}`), "name", "error-status"];
  for (const id of fields) {
    const problem = problems.find(({ field }) => id === field || id === `short-${field}`);
    const place = byId(`${id}-problem`);
    place.hidden = problem === undefined;
    const input = byId<HTMLInputElement>(id);
    input.toggleAttribute("aria-invalid", problem !== undefined);
    place.replaceChildren(...(problem ? [problem.message, ...markOf(input.value, problem.column)] : []));
  }
}

function markOf(text: string, column: number | undefined): Node[] {
  if (column === undefined) return [];
  const characters = [...text];
  const mark = element("mark", {}, characters[column - 1] ?? "⏎");
  return [element("code", { class: "place" }, characters.slice(0, column - 1).join(""), mark, characters.slice(column).join(""))];
}
