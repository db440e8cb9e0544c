/** What happens at the same moment, in this order. */
export const ANSWER = 0;
const CANCEL = 1;
const TIMER = 2;

/** Turns of the event loop after which nothing is left to do but to wait. */
const SETTLED = 2;

/** A clock that stands still until everything waits for it. */
export class VirtualTime {
  now = 0;
  #timers = [];

  clock = () => this.now;

  sleep = (ms, signal) => this.until(this.now + ms, TIMER, signal);

  /** Resolves at the moment; rejects with the signal's reason where that fires before. */
  until(moment, order, signal) {
    return new Promise((resolve, reject) => {
      const timer = { moment, order, resolve };
      this.#timers.push(timer);
      signal?.addEventListener("abort", () => {
        this.#remove(timer);
        reject(signal.reason);
      });
    });
  }

  /** A signal that is aborted at a moment, if there is one: at 0 before anything else. */
  abortedAt(moment, reason) {
    const controller = new AbortController();
    const abort = () => controller.abort(reason);
    if (moment === 0) abort();
    else if (moment !== undefined) this.until(moment, CANCEL).then(abort);
    return controller.signal;
  }

  /** Settles as the promise does, and lets the time pass that it waits for. */
  async run(promise) {
    let over = false;
    const note = () => (over = true);
    promise.then(note, note);
    for (;;) {
      await settle();
      if (over) return promise;
      this.#fire();
    }
  }

  #fire() {
    const sooner = (one, other) => one.moment - other.moment || one.order - other.order;
    const [timer] = this.#timers.toSorted(sooner);
    if (timer === undefined) throw new Error("nothing waits for the time any more");
    this.#remove(timer);
    this.now = Math.max(this.now, timer.moment);
    timer.resolve();
  }

  #remove(timer) {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }
}

/** Lets everything happen that needs no virtual time; a real timer of no length, too. */
async function settle() {
  for (let turn = 0; turn < SETTLED; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
