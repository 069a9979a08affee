/** What runs in the next frame. */
const due = new Set<() => void>();
let cancel: (() => void) | undefined;
let watched: Document | undefined;

/** Runs a task once in the next frame, with all others. A hidden page has no frames: there it runs a little later. */
function nextFrame(task: () => void): void {
  due.add(task);
  const page = globalThis.document as Document | undefined;
  if (page !== watched) {
    watched = page;
    page?.addEventListener("visibilitychange", runTasks);
  }
  if (cancel !== undefined) return;
  if (page?.hidden === false) {
    const frame = requestAnimationFrame(runTasks);
    cancel = () => cancelAnimationFrame(frame);
  } else {
    const timer = setTimeout(runTasks, 16);
    cancel = () => clearTimeout(timer);
  }
}

function runTasks(): void {
  cancel?.();
  cancel = undefined;
  const tasks = [...due];
  due.clear();
  for (const task of tasks) task();
}

/** A value that components show. It changes at most once a frame, for all of them together. */
export interface Framed<T> {
  /** What the components see. */
  readonly value: T;
  /** Calls `listener` after each change of the value. Returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Shows what `read` returns, and `value` until then. Call `changed` when there is something new to read. */
export function createFramed<T>(value: T, read: () => T): Framed<T> & { readonly changed: () => void } {
  const listeners = new Set<() => void>();
  const update = (): void => {
    const before = value;
    value = read();
    if (value !== before) for (const listener of listeners) listener();
  };
  return {
    get value() {
      return value;
    },
    // Nobody sees it yet: whoever comes has the newest.
    changed: () => (listeners.size === 0 ? update() : nextFrame(update)),
    subscribe(listener) {
      // The same function may subscribe twice.
      const entry = (): void => listener();
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}
