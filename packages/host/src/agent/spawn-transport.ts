import { type ByteTransportOptions, createByteTransport, type Transport } from "@acp/core";

import { type ProcessOptions, superviseProcess } from "../process/supervise-process.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { requireCommand } from "../usage.ts";
import { type AgentProcess, agentProcess } from "./agent-process.ts";

/** Options of {@link SpawnTransport}. */
export interface SpawnTransportOptions extends ProcessOptions, ByteTransportOptions {}

/** A transport over the stdio of a process that was started for it. */
export interface SpawnedTransport extends Transport {
  /** The process. */
  readonly process: AgentProcess;
  /**
   * Flushes the queue, then ends the process and everything that it started in its process group; `"now"` skips the wait
   * after closing its stdin, also that of an earlier call. May be called twice.
   */
  close(patience?: "now"): Promise<void>;
}

/** The type of `spawnTransport`. Editors look for the comment on its call. */
export interface SpawnTransport {
  /**
   * Starts a process and returns a transport over its stdio, on which nothing was sent yet: for a proxy that connects to
   * its agent. Closing the transport ends the process and everything that it started in its process group. For a client
   * use `spawnAgent`.
   *
   * @throws {ProcessStartError} if the process cannot be started.
   * @throws {UsageError} without a command, for a time limit that is neither milliseconds from 0 on nor `Infinity`, and
   * on a version of Deno or Bun that is too old.
   */
  (options: SpawnTransportOptions): Promise<SpawnedTransport>;
}

/** Creates {@link SpawnTransport} for a runtime. */
export function createSpawnTransport(runtime: Runtime): SpawnTransport {
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
