import { type ByteTransportOptions, createByteTransport, type Transport } from "@acp/core";

import { type ProcessOptions, superviseProcess } from "../process/supervise-process.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { requireCommand, requireRuntime } from "../usage.ts";
import { type AgentProcess, agentProcess } from "./agent-process.ts";

/** Options of {@link SpawnTransport}. */
export interface SpawnTransportOptions extends ProcessOptions, ByteTransportOptions {}

/** A transport over the stdio of a process that `spawnTransport` started. */
export interface SpawnedTransport extends Transport {
  /** The process. */
  readonly process: AgentProcess;
  /**
   * Flushes the queue, then ends the process and every process in its process group. With `"now"` it does not wait
   * after it has closed stdin, and neither does an earlier call. You may call it more than once.
   */
  close(patience?: "now"): Promise<void>;
}

/** The type of `spawnTransport`. Editors show the comment on its call signature. */
export interface SpawnTransport {
  /**
   * Starts a process and returns a transport over its stdio, before any message is sent. Use it in a proxy that
   * connects to its agent; in a client, use `spawnAgent`. Closing the transport ends the process and every process in
   * its process group.
   *
   * @throws {ProcessStartError} if the process cannot be started.
   * @throws {UsageError} if the command is missing, a time limit is not a number of milliseconds from 0 or `Infinity`,
   * or the version of Deno or Bun is too old.
   */
  (options: SpawnTransportOptions): Promise<SpawnedTransport>;
}

/** Creates {@link SpawnTransport} for a runtime. */
export function createSpawnTransport(runtime: Runtime): SpawnTransport {
  requireRuntime(runtime, "createSpawnTransport");
  return async (options) => {
    requireCommand(options);
    const supervised = await superviseProcess(runtime, options);
    const transport = createByteTransport(supervised.pipe, options);
    return {
      ...transport,
      process: agentProcess(supervised),
      async close(patience) {
        const closed = transport.close();
        if (patience === "now") void supervised.close(patience);
        await closed;
      },
    };
  };
}
