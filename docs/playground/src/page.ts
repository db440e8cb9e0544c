/** The page: its fields, and what follows from them. */

import { AwsDialog, type AwsWaiter, commandOf, type Example } from "./aws.js";
import { Client } from "./client.js";
import { codeOf, type Language, LANGUAGES } from "./code.js";
import { JsonEditor } from "./editor.js";
import { byId, copy, element, press } from "./elements.js";
import type { Engine } from "./engine.js";
import type { Evaluation, Parts, Problem, Schedule } from "./protocol.js";
import { fragmentOf, LinkError, stateOf } from "./share.js";
import { createFields, readFields, showProblems, writeFields } from "./short-form.js";
import { INITIAL, type Pace, type State } from "./state.js";
import { draw, duration, sentence } from "./timeline.js";
import { showVerdict } from "./verdict.js";

const FORMS = { definition: "form-definition", short: "form-short" } as const;
const RESULTS = { response: "result-response", error: "result-error" } as const;
const MAX_WAITS = [60, 300, 600, 1800, 3600, 7200, 21600, 86400];
const PACES: readonly (readonly [Pace, string])[] = [
  ["default", "of the waiter"],
  ["specification", "specification"],
  ["doubling", "doubling"],
  ["every 5", "every 5 s"],
  ["every 15", "every 15 s"],
  ["every 60", "every 60 s"],
  ["proportional 0.1", "a tenth of the time so far"],
];
const LANGUAGE_NAMES = { shell: "Shell", python: "Python", typescript: "TypeScript", rust: "Rust" } as const;
const NO_PARTS: Parts = { selected: [], read: [] };

/** A longer definition belongs into a file, in characters. */
const LONGEST_CODE = 100_000;

/** The delay after a key before the text is evaluated, in milliseconds. */
const TYPING = 120;

export class Page {
  #state: State = INITIAL;
  #evaluation: Evaluation | undefined;
  #schedule: Schedule | undefined;
  #selected: number | undefined;
  #language: Language = "shell";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #client: Client;
  readonly #definition = new JsonEditor(byId("definition"), "Definition", INITIAL.subject.definition, () => this.#edited());
  readonly #response = new JsonEditor(byId("response"), "Response", INITIAL.subject.response, () => this.#edited());
  readonly #input = new JsonEditor(byId("input"), "Input of the operation", INITIAL.subject.input, () => this.#edited());

  constructor(engine: Engine) {
    this.#client = new Client(engine, {
      evaluated: (evaluation, schedule) => this.#show(evaluation, schedule),
      scheduled: (schedule) => this.#showSchedule(schedule),
      failed: (message) => this.#notify(message),
      busy: (isBusy) => byId("verdict-heading").classList.toggle("busy", isBusy),
    });
    createFields(() => this.#edited());
    fill("max-wait", MAX_WAITS.map((seconds) => [String(seconds), duration(seconds * 1000)]));
    fill("pace", PACES);
    this.#createLanguages();
    this.#listen();
    new AwsDialog((service, name, waiter) => this.#choose(service, name, waiter));
    void this.#openLink();
  }

  #listen(): void {
    for (const [form, id] of Object.entries(FORMS)) byId(id).addEventListener("click", () => this.#setSubject({ form: form as "short" }));
    for (const [result, id] of Object.entries(RESULTS)) byId(id).addEventListener("click", () => this.#setSubject({ result: result as "error" }));
    for (const id of ["name", "error-code", "error-status", "error-message", "command"]) byId(id).addEventListener("input", () => this.#edited());
    for (const id of ["max-wait", "pace", "change"]) byId(id).addEventListener("input", () => this.#retime());
    byId("seed").addEventListener("click", () => {
      this.#state = { ...this.#state, timing: { ...this.#state.timing, seed: this.#state.timing.seed + 1 } };
      this.#retime();
    });
    byId("share").addEventListener("click", () => void this.#share());
    byId("copy").addEventListener("click", () => void copy(byId<HTMLButtonElement>("copy"), byId("code").textContent ?? ""));
    window.addEventListener("hashchange", () => void this.#openLink());
    new ResizeObserver(() => this.#draw()).observe(byId("chart"));
  }

  #createLanguages(): void {
    for (const language of LANGUAGES) {
      const tab = element("button", { type: "button", role: "tab", id: `language-${language}`, "aria-controls": "code" }, LANGUAGE_NAMES[language]);
      tab.addEventListener("click", () => this.#showCode(language));
      tab.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const next = step && LANGUAGES.at((LANGUAGES.indexOf(language) + step) % LANGUAGES.length);
        if (next) this.#showCode(next).focus();
      });
      byId("languages").append(tab);
    }
  }

  // From the fields to the content

  #edited(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#evaluate(), TYPING);
  }

  #evaluate(): void {
    clearTimeout(this.#timer);
    this.#state = this.#read();
    this.#selected = undefined;
    this.#client.evaluate(this.#state);
  }

  #retime(): void {
    this.#state = this.#read();
    this.#client.schedule(this.#state);
    this.#draw();
    this.#showCode(this.#language);
  }

  #read(): State {
    const value = (id: string): string => byId<HTMLInputElement>(id).value;
    const { subject, timing } = this.#state;
    const maxWaitTime = Number(value("max-wait"));
    return {
      subject: {
        ...subject,
        name: value("name").trim(),
        definition: this.#definition.text,
        short: readFields(),
        response: this.#response.text,
        input: this.#input.text,
        error: { code: value("error-code"), status: value("error-status"), message: value("error-message") },
      },
      timing: { ...timing, maxWaitTime, pace: value("pace") as Pace, changeAt: Math.min(Number(value("change")), maxWaitTime) },
      command: value("command"),
    };
  }

  // From the content to the fields

  #setSubject(change: Partial<State["subject"]>): void {
    const state = this.#read();
    this.#write({ ...state, subject: { ...state.subject, ...change } });
  }

  #write(state: State): void {
    this.#state = state;
    const { subject, timing } = state;
    const texts = { name: subject.name, "error-code": subject.error.code, "error-status": subject.error.status, "error-message": subject.error.message, command: state.command, pace: timing.pace };
    for (const [id, text] of Object.entries(texts)) byId<HTMLInputElement>(id).value = text;
    if (!MAX_WAITS.includes(timing.maxWaitTime)) fill("max-wait", [[String(timing.maxWaitTime), duration(timing.maxWaitTime * 1000)]]);
    byId<HTMLSelectElement>("max-wait").value = String(timing.maxWaitTime);
    this.#setSlider(state);
    writeFields(subject.short);
    this.#definition.setText(subject.definition);
    this.#response.setText(subject.response);
    this.#input.setText(subject.input);
    press(FORMS, subject.form);
    press(RESULTS, subject.result);
    byId("definition-panel").hidden = subject.form !== "definition";
    byId("short-panel").hidden = subject.form !== "short";
    byId("response-panel").hidden = subject.result !== "response";
    byId("error-panel").hidden = subject.result !== "error";
    for (const editor of [this.#definition, this.#response]) editor.measure();
    this.#evaluate();
  }

  #setSlider({ timing }: State): void {
    const slider = byId<HTMLInputElement>("change");
    slider.max = String(timing.maxWaitTime);
    slider.step = String(Math.max(1, Math.round(timing.maxWaitTime / 600)));
    slider.value = String(timing.changeAt);
  }

  // From the worker to the page

  #show(evaluation: Evaluation, schedule: Schedule | undefined): void {
    this.#evaluation = evaluation;
    showProblems(evaluation.fieldProblems);
    list("definition-problems", this.#definition, evaluation.definitionProblems);
    list("response-problems", this.#response, evaluation.responseProblems);
    list("input-problems", this.#input, evaluation.inputProblems);
    byId("input-panel").hidden = !evaluation.usesInput || this.#state.subject.result !== "response";
    this.#select(evaluation.verdict?.acceptor, false);
    this.#showSchedule(schedule);
    this.#showCode(this.#language);
    if (performance.getEntriesByName("interactive").length === 0) performance.mark("interactive");
  }

  /** Highlights the parts of an acceptor; a click shows them. */
  #select(index: number | undefined, isClick: boolean): void {
    const evaluation = this.#evaluation;
    if (evaluation === undefined) return;
    this.#selected = index;
    const acceptor = evaluation.acceptors.find((candidate) => candidate.index === index);
    this.#response.setParts(acceptor?.response ?? NO_PARTS, isClick);
    this.#input.setParts(acceptor?.input ?? NO_PARTS);
    const definition = acceptor?.definition;
    this.#definition.setParts(definition ? { selected: [], read: [definition] } : NO_PARTS, isClick);
    const focused = [...byId("acceptors").querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    showVerdict(evaluation, this.#selected, (clicked) => this.#select(clicked, true));
    if (focused >= 0) byId("acceptors").querySelectorAll("button")[focused]?.focus();
  }

  #showSchedule(schedule: Schedule | undefined): void {
    this.#schedule = schedule;
    this.#draw();
  }

  #draw(): void {
    const { timing } = this.#state;
    const slider = byId<HTMLInputElement>("change");
    if (slider.max !== String(timing.maxWaitTime)) this.#setSlider(this.#state);
    slider.setAttribute("aria-valuetext", duration(timing.changeAt * 1000));
    const schedule = this.#schedule;
    byId("timeline").classList.toggle("empty", schedule === undefined);
    if (schedule === undefined) return byId("schedule").replaceChildren();
    draw(byId("chart"), timing, schedule);
    byId("schedule").textContent = sentence(timing, schedule);
    const shown = schedule.calls.slice(0, 1_000).map(duration).join(", ");
    byId("calls").querySelector("p")!.textContent = `${shown}. Before the change, no acceptor matches; then each call gives the result above. Calls take no time here.`;
  }

  #showCode(language: Language): HTMLElement {
    this.#language = language;
    for (const other of LANGUAGES) {
      const tab = byId(`language-${other}`);
      tab.setAttribute("aria-selected", String(other === language));
      tab.tabIndex = other === language ? 0 : -1;
    }
    const definition = this.#evaluation?.definition;
    const isLong = definition !== undefined && definition.length > LONGEST_CODE;
    byId("command-label").hidden = language !== "shell";
    byId("code").setAttribute("aria-labelledby", `language-${language}`);
    byId("code").textContent = definition === undefined ? "" : isLong ? "The definition is too long to show it as code." : codeOf(language, this.#state, definition);
    byId<HTMLButtonElement>("copy").disabled = definition === undefined || isLong;
    return byId(`language-${language}`);
  }

  // AWS and links

  #choose(service: string, name: string, { operation, definition, input, examples }: AwsWaiter): void {
    const state = this.#read();
    const subject = { ...state.subject, form: "definition" as const, name, definition: pretty(definition), input: pretty(input) };
    this.#state = { ...state, subject, command: commandOf(service, operation) };
    this.#write(this.#state);
    const buttons = Object.entries(examples).map(([role, example]) => {
      const button = element("button", { type: "button" }, role);
      button.addEventListener("click", () => this.#setSubject(resultOf(example)));
      return button;
    });
    byId("examples").replaceChildren(...buttons);
    byId("examples").hidden = false;
    buttons[0]?.click();
    byId("waiter-heading").scrollIntoView({ block: "nearest" });
  }

  async #share(): Promise<void> {
    try {
      const fragment = await fragmentOf(this.#read());
      history.replaceState(null, "", fragment);
      await copy(byId<HTMLButtonElement>("share"), location.href);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.#notify(error.message);
    }
  }

  async #openLink(): Promise<void> {
    try {
      if (!/^#v\d/.test(location.hash)) return this.#write(this.#state);
      this.#write(await stateOf(location.hash));
      byId("notice").hidden = true;
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.#notify(error.message);
      this.#write(this.#state);
    }
  }

  #notify(message: string): void {
    byId("notice").hidden = false;
    byId("notice").textContent = message;
  }
}

function fill(id: string, options: readonly (readonly [string, string])[]): void {
  byId(id).append(...options.map(([value, label]) => element("option", { value }, label)));
}

/** Marks problems in an editor and lists them below it. */
function list(id: string, editor: JsonEditor, problems: readonly Problem[]): void {
  const places = editor.setProblems(problems);
  const items = problems.map(({ from, message }, index) => {
    const { line, column } = places[index]!;
    const button = element("button", { type: "button" }, element("strong", {}, `Line ${line}, column ${column}`), ` ${message}`);
    button.addEventListener("click", () => editor.goTo(from));
    return element("li", {}, button);
  });
  byId(id).replaceChildren(...items);
}

function resultOf(example: Example): Partial<State["subject"]> {
  if ("output" in example) return { result: "response", response: pretty(example.output) };
  return { result: "error", error: { code: example.error, status: String(example.status ?? ""), message: "" } };
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
