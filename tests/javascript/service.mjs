import { failureOf } from "./failures.mjs";
import { errorOf, resolve } from "./values.mjs";
import { millis } from "./results.mjs";
import { ANSWER } from "./virtual-time.mjs";

/** A scripted service with a virtual clock, which records the calls and the delays between them. */
export class Service {
  #script;
  #time;
  #cancel;
  #calls = [];
  #sleeps = [];
  #idleSince = 0;

  /** `cancel` cancels the caller's wait. */
  constructor(script, time, cancel) {
    this.#script = script;
    this.#time = time;
    this.#cancel = cancel;
  }

  call = async ({ number, remaining, signal }) => {
    this.#endPause();
    this.#calls.push({ attempt: number, atMs: this.#time.now, remainingMs: remaining === Number.POSITIVE_INFINITY ? null : millis(remaining) });
    signal.addEventListener("abort", () => this.#end());
    const entry = this.#script[Math.min(number, this.#script.length) - 1];
    if (entry.hangs) await new Promise(() => {});
    await this.#time.until(this.#time.now + entry.takes, ANSWER, signal);
    this.#end();
    if (entry.cancels) this.#cancel();
    if (entry.error) throw errorOf(entry.error);
    if (entry.failure) throw failureOf(entry.failure);
    return resolve(entry.response);
  };

  seen() {
    this.#endPause();
    return { calls: this.#calls, sleeps: this.#sleeps };
  }

  #end() {
    this.#idleSince = this.#time.now;
  }

  #endPause() {
    const pause = this.#time.now - this.#idleSince;
    if (pause > 0) this.#sleeps.push(pause);
  }
}
