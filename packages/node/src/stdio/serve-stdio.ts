import {
  type AgentDefinition,
  type ByteTransportOptions,
  createByteTransport,
  type DiagnosticListener,
  UsageError,
} from "@acp/core";

import { pipeOf } from "../node-pipe.ts";
import { beforeEndingBySignal } from "../process-signals.ts";
import { printErrors } from "./error-lines.ts";
import { guardStdout } from "./stdout-guard.ts";

/** How long a signal may be held up to close the sessions and to write what is left, in milliseconds. */
const signalGrace = 1_500;

export interface ServeStdioOptions extends ByteTransportOptions {
  /** Receives diagnostics. Default: the agent's own listener; without one, errors go to stderr, one line each. */
  readonly onDiagnostic?: DiagnosticListener;
  /**
   * How long the process may go on after the client has gone, in milliseconds; whatever keeps it from
   * ending by itself, a timer perhaps, is cut short then by `process.exit`. Default: 5,000.
   * `Infinity` lets it live.
   */
  readonly exitGrace?: number;
}

let isServing = false;

/**
 * Serves one client over stdin and stdout, as an agent that a client has started does.
 *
 * Resolves once the client has closed stdin, or is gone, and what could be answered is answered and
 * written; the process then ends by itself, at the latest after `exitGrace`. From the call on stdout
 * carries nothing but the protocol (TRAN-06): `console` and `process.stdout` write to stderr. Import
 * `@acp/node/guard` first if modules print while they load.
 *
 * SIGINT, SIGTERM and SIGHUP close the connection, so that sessions abort, before they end the process;
 * where the application listens to one itself, it is left to the application.
 *
 * @throws {UsageError} on a second call.
 */
export async function serveStdio(agent: AgentDefinition, options: ServeStdioOptions = {}): Promise<void> {
  if (isServing) throw new UsageError("serveStdio was called twice, but there is only one stdin to read");
  isServing = true;
  const { stdin, stdout, stderr } = process;
  // A client that is gone does not read stderr either, and a log line must not end what is being cleaned up.
  stderr.on("error", () => {});
  const pipe = pipeOf(stdin, stdout, guardStdout());
  const transport = createByteTransport(pipe, options);
  const endLater = limitLife(options.exitGrace ?? 5_000);
  stdin.once("end", endLater);

  const connection = agent.connect(transport, {
    onDiagnostic: options.onDiagnostic ?? agent.onDiagnostic ?? printErrors,
  });
  const close = async (): Promise<void> => {
    await connection.close();
    await transport.close();
  };
  const stopListening = beforeEndingBySignal(() => atMost(signalGrace, close()));
  await connection.closed;
  endLater();
  await transport.close();
  stopListening();
}

/** Ends the process some time after the first call, without keeping it alive for that. */
function limitLife(milliseconds: number): () => void {
  let begun = false;
  return () => {
    if (begun || milliseconds === Number.POSITIVE_INFINITY) return;
    begun = true;
    setTimeout(() => process.exit(), milliseconds).unref();
  };
}

function atMost(milliseconds: number, task: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    task.then(resolve, resolve).finally(() => clearTimeout(timer));
  });
}
