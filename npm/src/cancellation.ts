/** The caller's signal, listened to once for a whole wait. */
export class Cancellation {
  readonly #signal: AbortSignal | undefined;
  #listener: (() => void) | undefined;
  readonly #fire = (): void => this.#listener?.();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener("abort", this.#fire);
  }

  get happened(): boolean {
    return this.#signal?.aborted ?? false;
  }

  get reason(): unknown {
    return this.#signal?.reason;
  }

  /** Settles as `task` does, or resolves with nothing once the caller cancels, whichever is first. */
  async orElse<T>(task: PromiseLike<T>): Promise<T | undefined> {
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        this.#listener = () => resolve(undefined);
        task.then(resolve, reject);
      });
    } finally {
      this.#listener = undefined;
    }
  }

  /** Leaves the caller's signal alone. */
  stop(): void {
    this.#signal?.removeEventListener("abort", this.#fire);
  }
}
