import { createPipe, type RuntimeStdio, withPauses } from "@acp/host";

import { fileSink } from "../runtime/file-sink.ts";
import { onExit } from "../runtime/on-exit.ts";
import { requireBun } from "../runtime/require-bun.ts";
import { turningSource } from "../runtime/turning-source.ts";
import { guardStdout } from "./stdout-guard.ts";
import { watchReader } from "./watch-reader.ts";

const later: RuntimeStdio["later"] = (task, milliseconds) => void setTimeout(task, milliseconds).unref();

/** The process of an agent on Bun. */
export const bunStdio: RuntimeStdio = {
  open() {
    requireBun();
    guardStdout();
    const pipe = createPipe((failed, unread) => {
      const source = turningSource(Bun.stdin.stream(), failed);
      const stop = watchReader(later, unread);
      const cancel = (): Promise<void> => {
        stop();
        return source.cancel();
      };
      return { source, sink: fileSink(Bun.stdout.writer(), unread), cancel };
    });
    return process.platform === "win32" ? withPauses(pipe, setImmediate) : pipe;
  },
  isTerminal: () => process.stdin.isTTY,
  writeError: (line) => void process.stderr.write(`${line}\n`),
  signals: {
    listen(signal, listener) {
      process.prependListener(signal, listener);
      return () => void process.off(signal, listener);
    },
    hasListener: (signal) => process.listenerCount(signal) > 0,
    // Windows cannot send all of them, and each of the others ends a process in the same way.
    raise: (signal) => void process.kill(process.pid, process.platform === "win32" ? "SIGKILL" : signal),
  },
  onExit,
  exit: () => process.exit(),
  later,
};
