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

// Marked as pure, so that an agent that only serves does not bundle what a client needs.

/** {@inheritDoc SpawnAgent} */
export const spawnAgent: SpawnAgent = /* @__PURE__ */ createSpawnAgent(nodeRuntime);

/** {@inheritDoc CreateFileSystem} */
export const fileSystem: CreateFileSystem = /* @__PURE__ */ createFileSystem(nodeRuntime);

/** {@inheritDoc CreateTerminals} */
export const terminals: CreateTerminals = /* @__PURE__ */ createTerminals(nodeRuntime);

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
