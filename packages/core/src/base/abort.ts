/** What the code in here needs of a signal. An AbortSignal is one, and a {@link LazyAbort}. */
export interface Abortable {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Any number may listen; see `sharedAbort`. */
  readonly isShared?: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * Why something is aborted, as an `AbortError` that is made for whoever looks at it: it takes its stack, which is longer
 * than all the rest of ending a session.
 */
export class AbortReason {
  readonly #message: string;
  #error: DOMException | undefined;

  constructor(message: string) {
    this.#message = message;
  }

  /** The same one each time. */
  get error(): DOMException {
    return (this.#error ??= new DOMException(this.#message, "AbortError"));
  }
}

const none: readonly (() => void)[] = [];

/**
 * An AbortController whose signal is made when it is first asked for: most requests are never
 * cancelled, and most handlers never look. To make one and to free it takes Node longer than all the
 * rest of a prompt.
 */
export class LazyAbort implements Abortable {
  aborted = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  /** Replaced, not changed: whoever is being told may remove itself. */
  #listeners: readonly (() => void)[] = none;

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
    for (const listener of this.#listeners) listener();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners = this.#listeners === none ? [listener] : [...this.#listeners, listener];
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const isOnly = this.#listeners.length === 1 && this.#listeners[0] === listener;
    this.#listeners = isOnly ? none : this.#listeners.filter((other) => other !== listener);
  }
}
const shared = /* @__PURE__ */ new WeakMap<Abortable, Abortable>();

/**
 * The same signal with one listener for all who wait for it. A turn may have any number of calls under way with its
 * signal, but Node takes more than ten listeners for a leak, and says so on stderr.
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

  function tell(): void {
    for (const listener of listeners) {
      listeners.delete(listener);
      listener();
    }
  }

  return {
    isShared: true,
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.reason;
    },
    addEventListener(_type, listener) {
      if (listeners.size === 0) signal.addEventListener("abort", tell, { once: true });
      listeners.add(listener);
    },
    removeEventListener(_type, listener) {
      if (listeners.delete(listener) && listeners.size === 0) signal.removeEventListener("abort", tell);
    },
  };
}

/** What a promise gives, or the signal's reason as soon as it aborts. */
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
