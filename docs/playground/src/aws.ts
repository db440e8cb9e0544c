/** The dialog with the waiters of AWS. Its data is loaded when it opens. */

import { quoted } from "./code.js";
import { byId, element } from "./elements.js";

/** A result of the operation, of one of the roles `ready`, `pending`, `failed` and `throttled`. */
export type Example = { readonly output: unknown } | { readonly error: string; readonly status?: number };

export interface AwsWaiter {
  readonly operation: string;
  readonly definition: object;
  readonly input: object;
  readonly examples: Readonly<Record<string, Example>>;
}

interface Index {
  readonly source: string;
  readonly services: Readonly<Record<string, readonly string[]>>;
}

type Choose = (service: string, name: string, waiter: AwsWaiter) => void;

export class AwsDialog {
  readonly #dialog = byId<HTMLDialogElement>("waiters");
  readonly #filter = byId<HTMLInputElement>("filter");
  readonly #list = byId("list");
  readonly #choose: Choose;
  #index: Index | undefined;

  constructor(choose: Choose) {
    this.#choose = choose;
    byId("choose").addEventListener("click", () => void this.#open());
    byId("close-waiters").addEventListener("click", () => this.#dialog.close());
    this.#filter.addEventListener("input", () => this.#show());
    this.#dialog.addEventListener("keydown", (event) => this.#move(event));
    // A click on the backdrop has the dialog itself as its target.
    this.#dialog.addEventListener("click", ({ target }) => target === this.#dialog && this.#dialog.close());
  }

  async #open(): Promise<void> {
    this.#dialog.showModal();
    try {
      this.#index ??= await load<Index>("index");
      this.#show();
    } catch {
      byId("found").textContent = "The definitions of AWS could not be loaded. Close this dialog and open it again.";
    }
  }

  #show(): void {
    if (this.#index === undefined) return;
    const { source, services } = this.#index;
    const words = this.#filter.value.toLowerCase().split(/[\s.-]+/).filter((word) => word !== "");
    const isFound = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
    let count = 0;
    const groups = Object.entries(services).flatMap(([service, names]) => {
      const found = names.filter((name) => isFound(`${service} ${name}`));
      count += found.length;
      if (found.length === 0) return [];
      const buttons = found.map((name) => {
        const button = element("button", { type: "button" }, name);
        button.addEventListener("click", () => void this.#pick(service, name));
        return button;
      });
      return [element("section", { "aria-label": service }, element("h3", {}, service), ...buttons)];
    });
    byId("found").textContent = `${count} ${count === 1 ? "waiter" : "waiters"}, from ${source}`;
    this.#list.replaceChildren(...groups);
  }

  async #pick(service: string, name: string): Promise<void> {
    try {
      const waiter = (await load<Readonly<Record<string, AwsWaiter>>>(service))[name];
      this.#dialog.close();
      if (waiter !== undefined) this.#choose(service, name, waiter);
    } catch {
      byId("found").textContent = `The waiters of ${service} could not be loaded. Choose the waiter again.`;
    }
  }

  /** Moves between the search and the waiters with the arrow keys. */
  #move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) {
      if (event.key === "Enter" && event.target === this.#filter) this.#list.querySelector("button")?.click();
      return;
    }
    event.preventDefault();
    const stops: HTMLElement[] = [this.#filter, ...this.#list.querySelectorAll("button")];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  }
}

async function load<Content>(name: string): Promise<Content> {
  const answer = await fetch(`./aws/${name}.json`);
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()) as Content;
}

/** The names of services that the AWS CLI changes. */
const CLI_NAMES: Readonly<Record<string, string>> = { codedeploy: "deploy", s3: "s3api" };

/** Returns the command of the AWS CLI for an operation with its input. */
export function commandOf(service: string, operation: string, input: object): string {
  const options = Object.entries(input).map(([name, value]) => ` --${kebab(name)} ${quoted(typeof value === "string" ? value : JSON.stringify(value))}`);
  return `aws ${CLI_NAMES[service] ?? service} ${kebab(operation)}${options.join("")}`;
}

function kebab(name: string): string {
  return name.replace(/(.)([A-Z][a-z]+)/g, "$1-$2").replace(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase();
}
