/** The page's side of the worker. */

import type { Evaluation, Reply, Request, Schedule } from "./protocol.js";
import type { State } from "./state.js";

/** The time after which a new request replaces one that is still running, in milliseconds. */
const PATIENCE = 3_000;

export interface Handlers {
  evaluated(evaluation: Evaluation, schedule: Schedule | undefined): void;
  scheduled(schedule: Schedule | undefined): void;
  failed(message: string): void;
  /** The worker has been busy for a moment, or has become idle. */
  busy(isBusy: boolean): void;
}

/** Sends the newest content to the worker: at most one request runs, and at most one waits. */
export class Client {
  readonly #handlers: Handlers;
  #worker = this.#start();
  #running: { readonly request: Request; readonly since: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  #next: Request | undefined;
  #id = 0;
  #hasSubject = false;
  /** `true` once the worker listens; it loads the engine first. */
  #isReady = false;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** Evaluates the content and plays the wait. */
  evaluate({ subject, timing }: State): void {
    this.#send({ type: "evaluate", id: ++this.#id, subject, timing });
  }

  /** Plays the wait again with the content that was sent last. */
  schedule({ subject, timing }: State): void {
    // A waiting request for the whole must not get lost.
    const isWaiting = !this.#hasSubject || this.#next?.type === "evaluate";
    this.#send(isWaiting ? { type: "evaluate", id: ++this.#id, subject, timing } : { type: "schedule", id: ++this.#id, timing });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#receive(data);
    worker.onerror = () => this.#handlers.failed("The engine could not be loaded. Reload the page.");
    return worker;
  }

  #send(request: Request): void {
    this.#next = request;
    if (this.#running !== undefined && request.type === "evaluate" && performance.now() - this.#running.since > PATIENCE) this.#restart();
    this.#advance();
  }

  #restart(): void {
    this.#worker.terminate();
    this.#finish();
    this.#isReady = false;
    this.#worker = this.#start();
  }

  #advance(): void {
    if (!this.#isReady || this.#running !== undefined || this.#next === undefined) return;
    const request = this.#next;
    this.#next = undefined;
    this.#hasSubject = true;
    const timer = setTimeout(() => this.#handlers.busy(true), 250);
    this.#running = { request, since: performance.now(), timer };
    this.#worker.postMessage(request);
  }

  #finish(): void {
    clearTimeout(this.#running?.timer);
    this.#running = undefined;
  }

  #receive(reply: Reply): void {
    if (reply.type === "ready") {
      this.#isReady = true;
      return this.#advance();
    }
    this.#finish();
    this.#handlers.busy(false);
    if (reply.type === "failed") this.#handlers.failed(reply.message);
    // A newer request shows its own result soon.
    else if (reply.type === "evaluated") this.#handlers.evaluated(reply.evaluation, reply.schedule);
    else this.#handlers.scheduled(reply.schedule);
    this.#advance();
  }
}
