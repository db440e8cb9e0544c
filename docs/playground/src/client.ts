/** The page's side of the worker. */

import { type Engine, startEngine } from "./engine.js";
import type { Evaluation, Reply, Request, Schedule } from "./protocol.js";
import type { State, Subject } from "./state.js";

/** The time after which a new request replaces one that is still running, in milliseconds. */
const PATIENCE = 3_000;

export interface Handlers {
  evaluated(subject: Subject, evaluation: Evaluation, schedule: Schedule | undefined): void;
  scheduled(schedule: Schedule | undefined): void;
  failed(message: string): void;
  /** The worker has been busy for a moment, or has become idle. */
  busy(isBusy: boolean): void;
}

/** Sends the newest content to the worker: at most one request runs, and at most one waits. */
export class Client {
  readonly #handlers: Handlers;
  #worker: Worker;
  #running: { readonly request: Request; readonly since: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  #next: Request | undefined;
  #id = 0;
  #hasSubject = false;
  #isReady = false;

  constructor(engine: Engine, handlers: Handlers) {
    this.#handlers = handlers;
    this.#worker = this.#use(engine);
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

  #use({ worker, ready }: Engine): Worker {
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#receive(data);
    this.#isReady = false;
    ready.then(
      () => {
        this.#isReady = true;
        this.#advance();
      },
      () => this.#handlers.failed("The engine could not be loaded. Reload the page."),
    );
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
    this.#worker = this.#use(startEngine());
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
    if (reply.type === "ready") return;
    const request = this.#running?.request;
    this.#finish();
    this.#handlers.busy(false);
    if (reply.type === "failed") this.#handlers.failed(reply.message);
    // A newer request shows its own result soon.
    else if (reply.type === "scheduled") this.#handlers.scheduled(reply.schedule);
    else if (request?.type === "evaluate") this.#handlers.evaluated(request.subject, reply.evaluation, reply.schedule);
    this.#advance();
  }
}
