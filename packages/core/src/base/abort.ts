/** What is used of a signal: an AbortSignal has it, and so has {@link LazyAbort}. */
export interface Abortable {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Whether any number of listeners may be added; see `sharedAbort`. */
  readonly isShared?: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** An `AbortError` that is created when someone reads it: its stack costs more than everything else in ending a session. */
export class AbortReason {
  readonly #message: string;
  #error: DOMException | undefined;

  constructor(message: string) {
    this.#message = message;
  }

  /** The same error each time. */
  get error(): DOMException {
    return (this.#error ??= new DOMException(this.#message, "AbortError"));
  }
}

/**
 * An AbortController that creates its signal when someone reads it. Most requests are never cancelled and most handlers never
 * look, while creating and freeing a signal takes Node longer than the rest of a prompt.
 */
export class LazyAbort implements Abortable {
  aborted = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  /** Hardly any has more than one listener. */
  #listener: (() => void) | undefined;
  /** The signal of a turn may have thousands. */
  #others: Set<() => void> | undefined;

  get isShared(): boolean {
    return true;
  }

  get reason(): unknown {
    return this.#reason instanceof AbortReason ? this.#reason.error : this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** @param reason May be an {@link AbortReason}. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#reason = reason;
    this.#controller?.abort(this.reason);
    this.#listener?.();
    for (const listener of this.#others ?? []) listener();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#listener === undefined) this.#listener = listener;
    else (this.#others ??= new Set()).add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others?.delete(listener);
  }
}

const shared = /* @__PURE__ */ new WeakMap<Abortable, Abortable>();

/**
 * Shares one listener on a signal among all callers. A turn may have any number of pending calls with its signal, but Node
 * warns of a leak above ten listeners.
 */
export function sharedAbort(signal: Abortable): Abortable {
  if (signal.isShared) return signal;
  let known = shared.get(signal);
  if (known === undefined) {
    known = share(signal);
    shared.set(signal, known);
  }
  return known;
}

function share(signal: Abortable): Abortable {
  const listeners = new Set<() => void>();
  const callAll = (): void => {
    for (const listener of listeners) {
      listeners.delete(listener);
      listener();
    }
  };
  return {
    isShared: true,
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.reason;
    },
    addEventListener(_type, listener) {
      if (listeners.size === 0) signal.addEventListener("abort", callAll, { once: true });
      listeners.add(listener);
    },
    removeEventListener(_type, listener) {
      if (listeners.delete(listener) && listeners.size === 0) signal.removeEventListener("abort", callAll);
    },
  };
}

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
export function orAborted<T>(promise: Promise<T>, abortable: Abortable | undefined): Promise<T> {
  if (abortable === undefined) return promise;
  const signal = sharedAbort(abortable);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
