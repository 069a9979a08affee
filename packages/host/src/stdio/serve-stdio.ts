import {
  type AgentDefinition,
  type BytePipe,
  type ByteTransportOptions,
  createByteTransport,
  type DiagnosticListener,
  UsageError,
} from "@acp/core";

import { onAbort } from "../on-abort.ts";
import { requireDefinition } from "../usage.ts";
import { timeLimit, within } from "../within.ts";
import { beforeEndingBySignal, type RuntimeSignals } from "./ending-signals.ts";
import { errorLine } from "./error-lines.ts";

/** How long a signal may be delayed to close the sessions and to write the queue, in milliseconds. */
const signalGrace = 1_500;

/** Shown to users who start an agent by hand, so that no client writes to its stdin. */
const terminalHint =
  "This is an ACP agent: it reads JSON-RPC messages from stdin. Start it from an ACP client. Ctrl-D ends it.";

/** Options of {@link ServeStdio}. */
export interface ServeStdioOptions extends ByteTransportOptions {
  /**
   * Called with the diagnostics of this connection. Default: the agent's own listener. Without one, diagnostics of
   * level `error` are written to stderr, one line each.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
  /**
   * How long the process may keep running after the client is gone, in milliseconds. Then it exits, even if a timer or
   * something else keeps it alive. Default: 5,000. `Infinity` for no limit.
   */
  readonly exitGrace?: number | undefined;
  /**
   * Whether to close the connection on SIGINT, SIGTERM and SIGHUP. Signals that the application listens to itself are
   * left alone. Default: `true`.
   */
  readonly handleSignals?: boolean | undefined;
  /**
   * Abort it to stop serving: sessions abort, running handlers may still respond, and the queue is written. The process
   * may keep running: `exitGrace` does not apply.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The parts of a runtime's process that serving needs. */
export interface RuntimeStdio {
  /** Redirects the application's stdout to stderr, and opens stdin and stdout as a pipe for the protocol. Called once. */
  open(): BytePipe;
  /** Whether stdin is a terminal. */
  isTerminal(): boolean;
  /** Writes a line to stderr, even without a reader. Never throws. */
  writeError(line: string): void;
  /** How this process receives signals. */
  readonly signals: RuntimeSignals;
  /**
   * Calls `listener` when this process is about to end, by `exit` or an uncaught exception; messages it writes before it
   * returns are sent. Returns an unsubscribe function.
   */
  onExit(listener: () => void): () => void;
  /** Ends this process, with the exit code that the application has set, if any. */
  exit(): void;
  /** Calls `task` later, without keeping this process alive for it. */
  later(task: () => void, milliseconds: number): void;
}

/** The type of `serveStdio`. Editors show the comment on its call signature. */
export interface ServeStdio {
  /**
   * Serves one client over stdin and stdout. Use it in an agent that a client starts.
   *
   * Resolves when the client closes stdin or is gone, or `signal` aborts, and the last responses are written. If the
   * client is gone, the process then ends by itself, after `exitGrace` at the latest.
   *
   * From this call on, stdout carries only the protocol (TRAN-06): `console` and the runtime's stdout write to stderr.
   * If modules print while they load, import `guard` from the same package before them.
   *
   * If the process calls `exit` or fails with an uncaught exception, the queue is still written as far as stdout
   * accepts it at once: on Linux, 64 KiB beyond what the client has read. To write all of it before you exit, await
   * `client.flush()` in a handler, or abort `signal` and await this promise.
   *
   * SIGINT, SIGTERM and SIGHUP close the connection, so that sessions abort, before they end the process. Signals that
   * the application listens to itself are left alone.
   *
   * @throws {UsageError} if the agent is missing, this is a second call, `exitGrace` is not a number of milliseconds
   * from 0 or `Infinity`, or the runtime is too old.
   */
  (agent: AgentDefinition, options?: ServeStdioOptions): Promise<void>;
}

/** Creates {@link ServeStdio} for a runtime. */
export function createServeStdio(stdio: RuntimeStdio): ServeStdio {
  let isServing = false;
  return async (agent, serveOptions) => {
    const options = serveOptions ?? {};
    requireDefinition(agent, "Agent");
    const exitGrace = timeLimit("exitGrace", options.exitGrace ?? 5_000);
    if (isServing) throw new UsageError("serveStdio was called twice: there is only one stdin");
    isServing = true;
    const { signal } = options;
    const endLater = (): void => {
      if (signal?.aborted !== true && exitGrace !== Infinity) stdio.later(() => stdio.exit(), exitGrace);
    };
    const transport = createByteTransport(notifyAtEnd(stdio.open(), endLater), options);
    if (stdio.isTerminal()) stdio.writeError(terminalHint);
    const printErrors: DiagnosticListener = (diagnostic) => {
      if (diagnostic.level === "error") stdio.writeError(errorLine(diagnostic));
    };
    const connection = agent.connect(transport, {
      onDiagnostic: options.onDiagnostic ?? agent.onDiagnostic ?? printErrors,
    });
    const close = async (): Promise<void> => {
      await connection.close();
      await transport.close();
    };
    const stopWatchingAbort = onAbort(signal, () => void close());
    const stopWatchingExit = stdio.onExit(() => void transport.flush?.());
    const stopWatchingSignals =
      options.handleSignals === false
        ? () => {}
        : beforeEndingBySignal(stdio.signals, async () => void (await within(close(), signalGrace)));
    await connection.closed;
    endLater();
    await transport.close();
    stopWatchingExit();
    stopWatchingAbort();
    stopWatchingSignals();
  };
}

/** Wraps a pipe. Calls `onEnd` at the end of the input, before the reader of the pipe learns of it. */
function notifyAtEnd(pipe: BytePipe, onEnd: () => void): BytePipe {
  return {
    ...pipe,
    start({ data, closed }) {
      pipe.start({
        data,
        closed(reason) {
          onEnd();
          closed(reason);
        },
      });
    },
  };
}
