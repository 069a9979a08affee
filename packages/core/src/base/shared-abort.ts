import type { Abortable } from "./lazy-abort.ts";

const shared = new WeakMap<Abortable, Abortable>();

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
