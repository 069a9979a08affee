/**
 * ACP on Node.js: serve an agent over stdio, spawn an agent, run its terminals and file requests.
 *
 * @module
 */
import {
  createFileSystem,
  createSpawnAgent,
  createTerminals,
  type CreateFileSystem,
  type CreateTerminals,
  type SpawnAgent,
} from "@acp/host";

import { nodeRuntime } from "./runtime/node-runtime.ts";

/** {@inheritDoc SpawnAgent} */
export const spawnAgent: SpawnAgent = createSpawnAgent(nodeRuntime);

/** {@inheritDoc CreateFileSystem} */
export const fileSystem: CreateFileSystem = createFileSystem(nodeRuntime);

/** {@inheritDoc CreateTerminals} */
export const terminals: CreateTerminals = createTerminals(nodeRuntime);

export { createNodePipe } from "./node-pipe.ts";
export { nodeRuntime } from "./runtime/node-runtime.ts";
export { serveStdio, type ServeStdioOptions } from "./stdio/serve-stdio.ts";
export type {
  AgentProcess,
  FileErrorReason,
  FileSystemHandlers,
  FileSystemOptions,
  ProcessExit,
  ShutdownOptions,
  SpawnAgentOptions,
  SpawnedAgent,
  Terminal,
  TerminalExit,
  TerminalHandlers,
  TerminalsOptions,
} from "@acp/host";
export { ProcessStartError } from "@acp/host";
