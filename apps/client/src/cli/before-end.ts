import { constants } from "node:os";
import { readFileSync } from "node:fs";

/** The signals that end this program where nobody listens to them. */
const endings = ["SIGHUP", "SIGTERM"] as const;

/** How long to wait for the end by a signal, in milliseconds. */
const signalGrace = 2_000;

/**
 * Calls `restore` before this process ends: by `exit`, by an exception that nobody catches, and by SIGTERM and SIGHUP, which
 * then end it as they would have. `restore` is told whether it is a signal; it must not wait, and what it throws is ignored.
 * Returns a function that stops this.
 *
 * For whoever changes the terminal, whose mode outlives this process.
 */
export function beforeEnd(restore: (isSignal: boolean) => void): () => void {
  const restoreFor = (isSignal: boolean): void => {
    try {
      restore(isSignal);
    } catch {
      // Then there is no terminal any more.
    }
  };
  const restoreAtExit = (): void => restoreFor(false);
  const stops = [
    ...endings.map((signal) => {
      const end = (): void => {
        process.off(signal, end);
        restoreFor(true);
        // Others who listen decide what happens then.
        if (process.listenerCount(signal) === 0) raise(signal);
      };
      process.on(signal, end);
      return () => process.off(signal, end);
    }),
    ...exitEvents().map(([events, name]) => {
      events.addListener(name, restoreAtExit);
      return () => events.removeListener(name, restoreAtExit);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

interface Events {
  addListener(name: string, listener: () => void): unknown;
  removeListener(name: string, listener: () => void): unknown;
}

/** Deno tells of an uncaught exception in a way of its own, and of no exit after that. */
function exitEvents(): readonly (readonly [Events, string])[] {
  if (process.versions["deno"] === undefined) return [[process, "exit"]];
  const page = globalThis as unknown as Pick<EventTarget, "addEventListener" | "removeEventListener">;
  const events: Events = {
    addListener: (name, listener) => page.addEventListener(name, listener),
    removeListener: (name, listener) => page.removeEventListener(name, listener),
  };
  return [
    [process, "exit"],
    [events, "error"],
    [events, "unhandledrejection"],
  ];
}

/** Ends this process by a signal without listeners. */
function raise(signal: (typeof endings)[number]): void {
  const status = 128 + constants.signals[signal];
  try {
    process.kill(process.pid, signal);
  } catch {
    process.exit(status);
  }
  setTimeout(() => process.exit(status), signalGrace);
}

/** Whether this program may change the terminal. In the background that would stop it. */
export function isInForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name, which may contain anything.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foreground;
  } catch {
    // Only Linux tells.
    return true;
  }
}
