import type { RuntimeStdio } from "@acp/host";

import { later } from "../runtime/later.ts";
import { nodeProcess } from "./node-process.ts";
import { raiseSignal } from "./raise-signal.ts";
import { writeText } from "./stderr.ts";
import { openStdio, writeAtOnce } from "./stdio-pipe.ts";

/** Deno reports uncaught exceptions before they end the process, and sends no `unload` after them. */
const exitEvents = ["unload", "error", "unhandledrejection"] as const;

/** The process of an agent on Deno. */
export const denoStdio: RuntimeStdio = {
  open: openStdio,
  isTerminal: () => Deno.stdin.isTerminal(),
  writeError: (line) => writeText(`${line}\n`),
  signals: {
    listen(signal, listener) {
      try {
        Deno.addSignalListener(signal, listener);
      } catch {
        // Windows knows only some of them.
        return () => {};
      }
      return () => Deno.removeSignalListener(signal, listener);
    },
    // Deno does not count its own listeners.
    hasListener: (signal) => nodeProcess().listenerCount(signal) > 0,
    raise: raiseSignal,
  },
  onExit(listener) {
    const lastWrites = (): void => writeAtOnce(listener);
    for (const event of exitEvents) globalThis.addEventListener(event, lastWrites);
    return () => {
      for (const event of exitEvents) globalThis.removeEventListener(event, lastWrites);
    };
  },
  exit: () => Deno.exit(),
  later,
};
