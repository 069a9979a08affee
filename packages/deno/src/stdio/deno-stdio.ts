import type { RuntimeStdio } from "@acp/host";

import { later } from "../runtime/later.ts";
import { nodeProcess } from "./node-process.ts";
import { raiseSignal } from "./raise-signal.ts";
import { writeText } from "./stderr.ts";
import { openStdio, writeAtOnce } from "./stdio-pipe.ts";

/** Deno tells of exceptions that nobody catches before they end the process, and of no `unload` behind them. */
const exitEvents = ["unload", "error", "unhandledrejection"] as const;

/** The process of an agent on Deno. */
export const denoStdio: RuntimeStdio = {
  open: openStdio,
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
    // Deno does not tell of its own listeners.
    isHeard: (signal) => nodeProcess().listenerCount(signal) > 0,
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
