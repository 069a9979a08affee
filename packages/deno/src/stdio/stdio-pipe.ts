import type { BytePipe } from "@acp/core";
import { joinPipe, nodeSink, nodeSource, type PipeEnds, readerSource } from "@acp/host";

import { stdinReader, stdoutSink } from "./deno-calls.ts";
import { nodeProcess, type SocketClass } from "./node-process.ts";
import { guardStdout } from "./stdout-guard.ts";

/**
 * The stdin and stdout of this process, for the protocol alone.
 *
 * Pipes are read and written as sockets of Node's, which wait for them on Deno's own thread: Deno's calls have another
 * thread wait for each, and a call of the agent's with its answer takes 1.6 times as long. Loading them takes 15 ms,
 * once.
 */
export function openStdio(): BytePipe {
  const write = guardStdout();
  return joinPipe((failed) => ({ ...openStdin(failed), sink: openStdout(write, failed) }));
}

type Failed = (error: unknown) => void;

function openStdin(failed: Failed): Pick<PipeEnds, "source" | "cancel"> {
  const socket = openSocket({ fd: 0, readable: true, writable: false });
  if (socket !== undefined) return { source: nodeSource(socket, failed), cancel: () => void socket.destroy() };
  const source = readerSource(stdinReader(), failed);
  return { source, cancel: () => source.cancel() };
}

function openStdout(write: typeof Deno.stdout.write, failed: Failed): PipeEnds["sink"] {
  const socket = openSocket({ fd: 1, readable: false, writable: true });
  return socket === undefined ? stdoutSink(write, failed) : nodeSink(socket, failed);
}

/** `undefined` where it is no pipe: a file, a terminal, or nothing at all. On Windows Deno's own calls are left to it. */
function openSocket(options: ConstructorParameters<SocketClass>[0]): InstanceType<SocketClass> | undefined {
  if (Deno.build.os === "windows") return undefined;
  try {
    return new (nodeProcess().getBuiltinModule("node:net").Socket)(options);
  } catch {
    return undefined;
  }
}
