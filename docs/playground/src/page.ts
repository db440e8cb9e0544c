/** The page: its fields, and what follows from them. */

import { AwsDialog, type AwsWaiter, commandOf, type Example } from "./aws.js";
import { Client } from "./client.js";
import { codeOf, type Language, LANGUAGES } from "./code.js";
import { JsonEditor } from "./editor.js";
import { byId, copy, element, limit, press } from "./elements.js";
import type { Engine } from "./engine.js";
import type { Evaluation, Parts, Problem, Schedule } from "./protocol.js";
import { fragmentOf, isLink, LinkError, stateOf } from "./share.js";
import { createFields, readFields, showProblems, writeFields } from "./short-form.js";
import { FORMS, INITIAL, LONGEST, MAX_WAITS, type Pace, PACES, RESULTS, type State, type Subject, type Timing } from "./state.js";
import { draw, duration, sentence } from "./timeline.js";
import { showVerdict, waitingFor } from "./verdict.js";

const LANGUAGE_NAMES = { shell: "Shell", python: "Python", typescript: "TypeScript", rust: "Rust" } as const;
const NO_PARTS: Parts = { selected: [], read: [] };

/** The fields beside the editors and the short form, with their lengths. */
const FIELDS = { name: LONGEST.name, "error-code": LONGEST.code, "error-status": LONGEST.status, "error-message": LONGEST.message, command: LONGEST.command } as const;

/** A longer definition or input belongs into a file, in characters. */
const LONGEST_CODE = 100_000;

/** The delay after a key before the text is evaluated, in milliseconds. */
const TYPING = 120;

export class Page {
  #state: State = INITIAL;
  /** The content at the address without a link. */
  #plain: State = INITIAL;
  #evaluation: Evaluation | undefined;
  /** What was evaluated; the fields may be newer. */
  #subject = INITIAL.subject;
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
      evaluated: (subject, evaluation, schedule) => this.#show(subject, evaluation, schedule),
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
    for (const [id, length] of Object.entries(FIELDS)) {
      limit(byId<HTMLInputElement>(id), length);
      byId(id).addEventListener("input", () => this.#edited());
    }
    for (const id of ["max-wait", "pace"]) byId(id).addEventListener("input", () => this.#retime());
    byId("change").addEventListener("input", () => this.#retime({ changeAt: Math.round(Number(byId<HTMLInputElement>("change").value)) }));
    byId("seed").addEventListener("click", () => this.#retime({ seed: this.#state.timing.seed + 1 }));
    byId("share").addEventListener("click", () => void this.#share());
    byId("copy").addEventListener("click", () => void copy(byId<HTMLButtonElement>("copy"), byId("code").textContent ?? ""));
    window.addEventListener("hashchange", (event) => void this.#openLink(event));
    // The fragment of the address belongs to links.
    document.querySelector(".skip")!.addEventListener("click", (event) => {
      event.preventDefault();
      byId("verdict-heading").focus();
    });
    new ResizeObserver(() => this.#draw()).observe(byId("chart"));
  }

  #createLanguages(): void {
    for (const language of LANGUAGES) {
      const tab = element("button", { type: "button", role: "tab", id: `language-${language}`, "aria-controls": "code" }, LANGUAGE_NAMES[language]);
      tab.addEventListener("click", () => this.#showCode(language));
      tab.addEventListener("keydown", ({ key }) => {
        const at = LANGUAGES.indexOf(language);
        const to = { ArrowRight: (at + 1) % LANGUAGES.length, ArrowLeft: at - 1, Home: 0, End: -1 }[key];
        if (to !== undefined) this.#showCode(LANGUAGES.at(to)!).focus();
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

  #retime(change: Partial<Timing> = {}): void {
    const state = this.#read();
    this.#state = { ...state, timing: { ...state.timing, ...change } };
    this.#client.schedule(this.#state);
    this.#draw();
    this.#showCode(this.#language);
  }

  #read(): State {
    const value = (id: string): string => byId<HTMLInputElement>(id).value;
    const { subject, timing } = this.#state;
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
      timing: { ...timing, maxWaitTime: Number(value("max-wait")), pace: value("pace") as Pace },
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
    byId<HTMLSelectElement>("max-wait").value = String(timing.maxWaitTime);
    this.#setSlider(state);
    writeFields(subject.short);
    for (const note of document.querySelectorAll<HTMLElement>(".limit")) note.hidden = true;
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
    slider.value = String(timing.changeAt);
  }

  // From the worker to the page

  #show(subject: Subject, evaluation: Evaluation, schedule: Schedule | undefined): void {
    this.#subject = subject;
    this.#evaluation = evaluation;
    showProblems(evaluation.fieldProblems);
    list("definition-problems", this.#definition, evaluation.definitionProblems);
    list("response-problems", this.#response, evaluation.responseProblems);
    list("input-problems", this.#input, evaluation.inputProblems);
    byId("input-panel").hidden = !evaluation.usesInput;
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
    const code = this.#code();
    byId("command-label").hidden = language !== "shell";
    byId("code").setAttribute("aria-labelledby", `language-${language}`);
    byId("code").textContent = code.text;
    byId<HTMLButtonElement>("copy").disabled = !code.isComplete;
    return byId(`language-${language}`);
  }

  /** Returns the code, or why there is none. */
  #code(): { readonly text: string; readonly isComplete: boolean } {
    const evaluation = this.#evaluation;
    if (evaluation?.verdict === undefined || evaluation.definition === undefined) {
      return { text: evaluation === undefined ? "" : waitingFor(evaluation), isComplete: false };
    }
    const { definition, usesInput } = evaluation;
    if (definition.length + (usesInput ? this.#subject.input.length : 0) > LONGEST_CODE) {
      return { text: `The ${usesInput ? "definition and the input are" : "definition is"} too long to show as code.`, isComplete: false };
    }
    return { text: codeOf(this.#language, { ...this.#state, subject: this.#subject }, evaluation, definition), isComplete: true };
  }

  // AWS and links

  #choose(service: string, name: string, { operation, definition, input, examples }: AwsWaiter): void {
    const state = this.#read();
    const subject = { ...state.subject, form: "definition" as const, name, definition: pretty(definition), input: pretty(input) };
    this.#state = { ...state, subject, command: commandOf(service, operation, input) };
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
      this.#notify("");
      history.replaceState(null, "", fragment);
      await copy(byId<HTMLButtonElement>("share"), location.href);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.#notify(error.message);
    }
  }

  async #openLink(event?: HashChangeEvent): Promise<void> {
    if (event !== undefined && !isLink(new URL(event.oldURL).hash)) this.#plain = this.#read();
    const { hash } = location;
    this.#notify("");
    try {
      const state = isLink(hash) ? await stateOf(hash) : this.#plain;
      if (hash !== location.hash) return;
      byId("examples").hidden = true;
      this.#write(state);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.#notify(error.message);
      this.#write(this.#state);
    }
  }

  #notify(message: string): void {
    byId("notice").hidden = message === "";
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
