/**
 * What a runtime has for it, as it was when this module was loaded. Whoever puts timers of a test in place of it later means
 * the limits of calls and of what a program waits for: messages get through all the same.
 */
export const microtask: typeof queueMicrotask = /* @__PURE__ */ (() => globalThis.queueMicrotask)();
export const immediate: unknown = /* @__PURE__ */ Reflect.get(globalThis, "setImmediate");

/** Calls one function later, however often it is asked to. */
export interface FlushScheduler {
  /** Asks for a call at the end of the microtask. */
  soon(): void;
  /** Asks for a call at the end of the macrotask. */
  later(): void;
  /** Frees what it holds. Calls that were asked for are no longer made. */
  dispose(): void;
}

/**
 * A scheduler for `flush`, which has to tolerate a call when there is nothing to do: a `soon` that
 * overtakes a `later` leaves the latter in place, since taking it back would cost more.
 */
export function createFlushScheduler(flush: () => void): FlushScheduler {
  const macrotask = createMacrotask();
  let disposed = false;

  /** Asks for a call, unless there is one to come that was asked for in the same way. */
  function once(ask: (task: () => void) => void): () => void {
    let isAsked = false;
    const run = (): void => {
      isAsked = false;
      if (!disposed) flush();
    };
    return () => {
      if (isAsked || disposed) return;
      isAsked = true;
      ask(run);
    };
  }

  return {
    soon: once(microtask),
    later: once(macrotask.request),
    dispose() {
      disposed = true;
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
  /** Calls a function, once. Not asked for any more once it is disposed of. */
  readonly request: (task: () => void) => void;
  dispose(): void;
}

/**
 * The quickest macrotask at hand. `setImmediate` (Node, Deno, Bun) is no web global, but the only
 * one there without a delay; it holds the process until it has run, so that nothing is lost.
 * Browsers have it not, and clamp `setTimeout` to 4 ms, in hidden tabs to a second, but leave
 * messages on a port alone. A port that listens would hold a Node process for good, hence the order.
 */
function createMacrotask(): Macrotask {
  if (typeof immediate === "function") return { request: (task) => void immediate(task), dispose() {} };
  if (typeof MessageChannel !== "function") return { request: (task) => void setTimeout(task, 0), dispose() {} };
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
