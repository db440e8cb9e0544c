/** The order of events at the same time. */
export const ANSWER = 0;
const CANCEL = 1;
const TIMER = 2;

/** The number of turns of the event loop after which the program is idle. */
const SETTLED = 2;

/** A clock that advances only when the program is idle. */
export class VirtualTime {
  now = 0;
  #timers = [];

  clock = () => this.now;

  sleep = (ms, signal) => this.until(this.now + ms, TIMER, signal);

  /** Resolves at a time, or rejects with the signal's reason if that fires first. */
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

  /** Returns a signal that is aborted at a time, if given. */
  abortedAt(moment, reason) {
    const controller = new AbortController();
    this.abortAt(moment, () => controller.abort(reason));
    return controller.signal;
  }

  /** Calls `abort` at a time, if given. At 0, it is called before any other event. */
  abortAt(moment, abort) {
    if (moment === 0) abort();
    else if (moment !== undefined) this.until(moment, CANCEL).then(abort);
  }

  /** Advances the clock until a promise settles, and returns its result. */
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

/** Waits until the program is idle, including real timers of 0 ms. */
async function settle() {
  for (let turn = 0; turn < SETTLED; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
