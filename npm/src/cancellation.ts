/** That nobody wants a wait any more: the caller's signal has fired, or the caller has stopped to ask for attempts. */
export class Cancellation {
  readonly #signal: AbortSignal | undefined;
  #closed: { readonly reason: unknown } | undefined;
  #listener: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal ?? undefined;
  }

  get happened(): boolean {
    return this.#closed !== undefined || this.#signal?.aborted === true;
  }

  get reason(): unknown {
    return this.#closed === undefined ? this.#signal?.reason : this.#closed.reason;
  }

  /** Whether the caller has stopped to ask. */
  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Says that the caller has stopped to ask. */
  close(reason: unknown): void {
    this.#closed ??= { reason };
    this.#listener?.();
  }

  /**
   * Settles as `task` does, or resolves with nothing once the caller cancels, whichever is first. The signal is listened
   * to for so long and no longer: a wait that is forgotten half-way leaves nothing at it.
   */
  async orElse<T>(task: PromiseLike<T>): Promise<T | undefined> {
    let stop: (() => void) | undefined;
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        task.then(resolve, reject);
        stop = () => resolve(undefined);
        if (this.happened) stop();
        this.#listener = stop;
        if (this.#signal !== undefined) listen(this.#signal, stop);
      });
    } finally {
      this.#listener = undefined;
      if (stop !== undefined && this.#signal !== undefined) leave(this.#signal, stop);
    }
  }
}

interface Listeners {
  readonly all: Set<() => void>;
  readonly fire: () => void;
}

/** Those that listen to a signal. Many waits may share one: of more than ten listeners of its own Node would warn. */
const listenersOf = new WeakMap<AbortSignal, Listeners>();

function listen(signal: AbortSignal, listener: () => void): void {
  const listeners = listenersOf.get(signal) ?? listenedTo(signal);
  listeners.all.add(listener);
}

function listenedTo(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const fire = (): void => {
    for (const listener of [...all]) listener();
  };
  const listeners = { all, fire };
  listenersOf.set(signal, listeners);
  signal.addEventListener("abort", fire);
  return listeners;
}

function leave(signal: AbortSignal, listener: () => void): void {
  const listeners = listenersOf.get(signal);
  listeners?.all.delete(listener);
  if (listeners === undefined || listeners.all.size > 0) return;
  listenersOf.delete(signal);
  signal.removeEventListener("abort", listeners.fire);
}
