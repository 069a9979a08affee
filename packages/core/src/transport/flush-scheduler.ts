// The runtime's own functions, as they were when this module was loaded. A test that fakes timers later means the limits of calls,
// not the delivery of messages.
export const microtask: typeof queueMicrotask = /* @__PURE__ */ (() => globalThis.queueMicrotask)();
export const immediate: unknown = /* @__PURE__ */ Reflect.get(globalThis, "setImmediate");

/** Calls one function later, however often it is asked to. */
export interface FlushScheduler {
  /** Asks for a call at the end of the microtask. */
  soon(): void;
  /** Asks for a call at the end of the macrotask. */
  later(): void;
  /** Cancels the calls and frees its resources. */
  dispose(): void;
}

/**
 * Creates a scheduler for `flush`, which must tolerate a call when there is nothing to do: a `soon` that overtakes a `later`
 * leaves it in place, since cancelling it would cost more.
 */
export function createFlushScheduler(flush: () => void): FlushScheduler {
  const macrotask = createMacrotask();
  let isDisposed = false;

  /** Asks for a call, unless the same kind of call is pending. */
  function once(ask: (task: () => void) => void): () => void {
    let isPending = false;
    const run = (): void => {
      isPending = false;
      if (!isDisposed) flush();
    };
    return () => {
      if (isPending || isDisposed) return;
      isPending = true;
      ask(run);
    };
  }

  return {
    soon: once(microtask),
    later: once(macrotask.request),
    dispose() {
      isDisposed = true;
      macrotask.dispose();
    },
  };
}

/** Calls a function once, when all microtasks have run. */
export function inNextMacrotask(task: () => void): void {
  const macrotask = createMacrotask();
  macrotask.request(() => {
    macrotask.dispose();
    task();
  });
}

interface Macrotask {
  /** Calls a function once. */
  readonly request: (task: () => void) => void;
  dispose(): void;
}

/**
 * Finds the fastest macrotask of the runtime. `setImmediate` (Node, Deno, Bun) has no delay and holds the process until it has
 * run, so nothing is lost. Browsers lack it, and clamp `setTimeout` to 4 ms, in hidden tabs to a second, but not messages on a
 * port. A port that listens would hold a Node process forever, so it comes second.
 */
function createMacrotask(): Macrotask {
  const ask = typeof MessageChannel === "function" ? immediate : (immediate ?? setTimeout);
  if (typeof ask === "function") return { request: (task) => void ask(task), dispose() {} };
  let channel: MessageChannel | undefined;
  return {
    request(task) {
      channel ??= new MessageChannel();
      channel.port1.addEventListener("message", task, { once: true });
      channel.port1.start();
      channel.port2.postMessage(undefined);
    },
    dispose: () => channel?.port1.close(),
  };
}
