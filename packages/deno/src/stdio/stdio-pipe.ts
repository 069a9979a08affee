import type { BytePipe } from "@acp/core";
import { createPipe, nodeSink, nodeSource, readerSource, type RuntimeSink } from "@acp/host";

import { requireDeno } from "../runtime/require-deno.ts";
import { fileSink, stdinReader } from "./deno-calls.ts";
import { nodeProcess, type Socket, type SocketClass } from "./node-process.ts";
import { guardStdout, type RealStdout } from "./stdout-guard.ts";
import { type StdoutSink, stdoutSink } from "./stdout-sink.ts";
import { watchReader } from "./watch-reader.ts";

/**
 * Opens stdin and stdout of this process, for the protocol alone.
 *
 * Pipes are read and written as sockets of Node, which wait on Deno's own thread: Deno's own calls block another thread
 * each, which makes a call and its answer slower.
 */
export function openStdio(): BytePipe {
  requireDeno();
  const stdout = guardStdout();
  const stdin = openSocket({ fd: 0, readable: true, writable: false });
  if (stdin === undefined) return callingPipe(stdout);
  return createPipe((failed, unread) => {
    const stop = watchReader(unread);
    return {
      source: nodeSource(stdin, failed),
      sink: openStdout(stdout, unread),
      cancel() {
        stop();
        stdin.destroy();
      },
    };
  });
}

/** The same if stdin is no pipe. */
function callingPipe(stdout: RealStdout): BytePipe {
  return createPipe((failed, unread) => {
    const source = readerSource(stdinReader(), failed);
    const stop = watchReader(unread);
    const cancel = (): Promise<void> => {
      stop();
      return source.cancel();
    };
    return { source, sink: openStdout(stdout, unread), cancel };
  });
}

/** Stdout, if another thread writes it. */
let waitingStdout: StdoutSink | undefined;

/** Runs the task that writes to stdout for the last time: everything is written when this returns. */
export function writeAtOnce(task: () => void): void {
  if (waitingStdout === undefined) task();
  else waitingStdout.now(task);
}

function openStdout(stdout: RealStdout, unread: (error: unknown) => void): RuntimeSink {
  const socket = openSocket({ fd: 1, readable: false, writable: true });
  if (socket !== undefined) return nodeSink(socket, unread);
  if (Deno.build.os !== "windows") return fileSink(stdout.writeSync, unread);
  waitingStdout = stdoutSink(stdout, unread);
  return waitingStdout;
}

/** Returns `undefined` if it is no pipe: a file, a terminal, or nothing at all. On Windows Deno's own calls are used. */
function openSocket(options: ConstructorParameters<SocketClass>[0]): Socket | undefined {
  if (Deno.build.os === "windows") return undefined;
  try {
    return new (nodeProcess().getBuiltinModule("node:net").Socket)(options);
  } catch {
    return undefined;
  }
}
