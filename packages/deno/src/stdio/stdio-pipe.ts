import type { BytePipe } from "@acp/core";
import { joinPipe, nodeSink, nodeSource, readerSource, type RuntimeSink } from "@acp/host";

import { requireDeno } from "../runtime/require-deno.ts";
import { fileSink, stdinReader } from "./deno-calls.ts";
import { nodeProcess, type Socket, type SocketClass } from "./node-process.ts";
import { guardStdout, type RealStdout } from "./stdout-guard.ts";
import { type StdoutSink, stdoutSink } from "./stdout-sink.ts";

/**
 * The stdin and stdout of this process, for the protocol alone.
 *
 * Pipes are read and written as sockets of Node's, which wait for them on Deno's own thread: Deno's calls have another
 * thread wait for each, and a call of the agent's with its answer takes 1.6 times as long. Loading them takes 15 ms,
 * once.
 */
export function openStdio(): BytePipe {
  requireDeno();
  const stdout = guardStdout();
  const stdin = openSocket({ fd: 0, readable: true, writable: false });
  if (stdin === undefined) return callingPipe(stdout);
  return joinPipe((failed, unread) => ({
    source: nodeSource(stdin, failed),
    sink: openStdout(stdout, unread),
    cancel: () => void stdin.destroy(),
  }));
}

/** The same where stdin is no pipe. */
function callingPipe(stdout: RealStdout): BytePipe {
  return joinPipe((failed, unread) => {
    const source = readerSource(stdinReader(), failed);
    return { source, sink: openStdout(stdout, unread), cancel: () => source.cancel() };
  });
}

/** Stdout, where another thread writes it. */
let waitingStdout: StdoutSink | undefined;

/** Runs what writes to stdout for the last time: it is written when this returns. */
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

/** `undefined` where it is no pipe: a file, a terminal, or nothing at all. On Windows Deno's own calls are left to it. */
function openSocket(options: ConstructorParameters<SocketClass>[0]): Socket | undefined {
  if (Deno.build.os === "windows") return undefined;
  try {
    return new (nodeProcess().getBuiltinModule("node:net").Socket)(options);
  } catch {
    return undefined;
  }
}
