/**
 * Cancellation, by the caller's signal or by breaking out of a loop over attempts.
 *
 * @module
 */

/** The cancellation of a wait or a request. */
export class Cancellation {
  readonly #signal: AbortSignal | undefined;
  #closed: { readonly reason: unknown } | undefined;
  /** The call, the callback or the pause in progress. */
  pending: { interrupt(): void } | undefined;

  constructor(signal: AbortSignal | undefined) {
    // Callers in JavaScript also pass null for an absent option.
    this.#signal = signal ?? undefined;
  }

  get isCancelled(): boolean {
    return this.#closed !== undefined || this.#signal?.aborted === true;
  }

  get reason(): unknown {
    return this.#closed === undefined ? this.#signal?.reason : this.#closed.reason;
  }

  /** `true` if the caller broke out of the loop. */
  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Cancels because the caller broke out of the loop. */
  close(reason: unknown): void {
    // The first reason is the one that the call's signal was aborted with.
    this.#closed ??= { reason };
    this.pending?.interrupt();
  }

  /** Listens to the signal only while `run` is in progress, so that an abandoned loop does not leak a listener. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    const signal = this.#signal;
    if (signal === undefined) return run();
    const listener = (): void => this.pending?.interrupt();
    listen(signal, listener);
    try {
      return await run();
    } finally {
      stopListening(signal, listener);
    }
  }
}

interface Listeners {
  readonly all: Set<() => void>;
  readonly fire: () => void;
}

/**
 * The listeners of each signal. A signal receives a single event listener from this module, because many waits may share a signal
 * and Node warns about more than ten listeners.
 */
const listenersOf = new WeakMap<AbortSignal, Listeners>();

function listen(signal: AbortSignal, listener: () => void): void {
  const listeners = listenersOf.get(signal) ?? addListeners(signal);
  listeners.all.add(listener);
}

function addListeners(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const fire = (): void => {
    // A copy, because a listener ends its wait, which removes the listener from the set.
    for (const listener of [...all]) listener();
  };
  const listeners = { all, fire };
  listenersOf.set(signal, listeners);
  signal.addEventListener("abort", fire);
  return listeners;
}

function stopListening(signal: AbortSignal, listener: () => void): void {
  const listeners = listenersOf.get(signal);
  listeners?.all.delete(listener);
  if (listeners === undefined || listeners.all.size > 0) return;
  // Without a listener, the signal no longer keeps the waits of the past in memory.
  listenersOf.delete(signal);
  signal.removeEventListener("abort", listeners.fire);
}
