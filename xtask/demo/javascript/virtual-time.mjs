/** A clock that advances to the next timer when the program is idle. */
export class VirtualTime {
  #now = 0;
  #timers = new Set();

  clock = () => this.#now;

  sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = { at: this.#now + ms, resolve };
      this.#timers.add(timer);
      signal?.addEventListener("abort", () => {
        this.#timers.delete(timer);
        reject(signal.reason);
      });
      setImmediate(() => this.#jump());
    });

  #jump() {
    const [next] = [...this.#timers].sort((one, other) => one.at - other.at);
    if (!next) return;
    this.#timers.delete(next);
    this.#now = next.at;
    next.resolve();
  }
}
