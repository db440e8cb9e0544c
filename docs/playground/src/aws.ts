/** The dialog with the waiters of AWS. Its data is loaded when it opens. */

import { byId, element } from "./elements.js";

/** A result of the operation, of one of the roles `ready`, `pending`, `failed` and `throttled`. */
export type Example = { readonly output: unknown } | { readonly error: string; readonly status?: number };

export interface AwsWaiter {
  readonly operation: string;
  readonly definition: object;
  readonly input: unknown;
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
      byId("found").textContent = "The definitions of AWS could not be loaded.";
    }
  }

  #show(): void {
    const words = this.#filter.value.toLowerCase().split(/[\s.-]+/).filter((word) => word !== "");
    const isFound = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
    let count = 0;
    const groups = Object.entries(this.#index?.services ?? {}).flatMap(([service, names]) => {
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
    byId("found").textContent = `${count} ${count === 1 ? "waiter" : "waiters"}, from ${this.#index?.source}`;
    this.#list.replaceChildren(...groups);
  }

  async #pick(service: string, name: string): Promise<void> {
    const waiters = await load<Readonly<Record<string, AwsWaiter>>>(service);
    this.#dialog.close();
    const waiter = waiters[name];
    if (waiter !== undefined) this.#choose(service, name, waiter);
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

/** Returns the command of the AWS CLI for an operation. */
export function commandOf(service: string, operation: string): string {
  const name = operation.replace(/(.)([A-Z][a-z]+)/g, "$1-$2").replace(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase();
  return `aws ${service === "s3" ? "s3api" : service} ${name}`;
}
