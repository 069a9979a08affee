import { UsageError } from "@acp/core";
import { createPipe, nodeSink, nodeSource, type RuntimeStdio, withPauses } from "@acp/host";

import { onExit } from "../runtime/on-exit.ts";
import { requireNode } from "../runtime/require-node.ts";
import { guardStdout } from "./stdout-guard.ts";
import { watchReader } from "./watch-reader.ts";

const later: RuntimeStdio["later"] = (task, milliseconds) => void setTimeout(task, milliseconds).unref();

/** The process of an agent on Node. */
export const nodeStdio: RuntimeStdio = {
  open() {
    // Nothing would redirect its stdout there.
    if ("Bun" in globalThis || "Deno" in globalThis)
      throw new UsageError("serveStdio of @acp/node needs Node: on Bun and Deno take that of @acp/bun and @acp/deno");
    requireNode();
    const { stdin, stdout, stderr } = process;
    // A client that is gone reads no stderr either, and a log line must not stop the cleanup.
    stderr.on("error", () => {});
    const pipe = createPipe((failed, unread) => {
      const stop = watchReader(later, unread);
      return {
        source: nodeSource(stdin, failed),
        sink: nodeSink(stdout, unread, guardStdout()),
        cancel() {
          stop();
          stdin.destroy();
        },
      };
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
