/** A clock that advances to the next timer when the program is idle. */
export class VirtualClock {
  now = 0;
  #timers = [];
  /** The durations of all sleeps. */
  slept = [];

  clock = () => this.now;

  sleep = (ms, signal) => {
    this.slept.push(ms);
    return new Promise((resolve, reject) => {
      const timer = { at: this.now + ms, resolve };
      this.#timers.push(timer);
      signal?.addEventListener("abort", () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        reject(signal.reason);
      });
    });
  };

  get pending() {
    return this.#timers.length;
  }

  /** Calls `action` at the time `ms`. */
  at(ms, action) {
    this.#timers.push({ at: ms, resolve: action });
  }

  /** Runs the clock until `promise` settles. */
  async run(promise) {
    let settled = false;
    const end = promise.finally(() => (settled = true));
    end.catch(() => {});
    for (let idle = 0; !settled; ) {
      await turns();
      if (settled) break;
      if (this.#jump()) idle = 0;
      else if (++idle > 100) throw new Error("nothing is scheduled and the promise is pending");
    }
    return end;
  }

  #jump() {
    const [next] = this.#timers.sort((a, b) => a.at - b.at);
    if (next === undefined) return false;
    this.#timers.shift();
    this.now = Math.max(this.now, next.at);
    next.resolve();
    return true;
  }
}

/** Waits until the program is idle. */
export async function turns() {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
