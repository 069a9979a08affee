/**
 * ACP on Bun: serve an agent over stdio, spawn an agent, run its terminals and file requests.
 *
 * @module
 */
import {
  createFileSystem,
  createServeStdio,
  createSpawnAgent,
  createTerminals,
  type CreateFileSystem,
  type CreateTerminals,
  type ServeStdio,
  type SpawnAgent,
} from "@acp/host";

import { bunRuntime } from "./runtime/bun-runtime.ts";
import { bunStdio } from "./stdio/bun-stdio.ts";

// Marked as pure, so that an agent that only serves does not bundle what a client needs.

/** {@inheritDoc ServeStdio} */
export const serveStdio: ServeStdio = /* @__PURE__ */ createServeStdio(bunStdio);

/** {@inheritDoc SpawnAgent} */
export const spawnAgent: SpawnAgent = /* @__PURE__ */ createSpawnAgent(bunRuntime);

/** {@inheritDoc CreateFileSystem} */
export const fileSystem: CreateFileSystem = /* @__PURE__ */ createFileSystem(bunRuntime);

/** {@inheritDoc CreateTerminals} */
export const terminals: CreateTerminals = /* @__PURE__ */ createTerminals(bunRuntime);

export { bunRuntime } from "./runtime/bun-runtime.ts";
export type {
  AgentProcess,
  FileErrorReason,
  FileSystemHandlers,
  FileSystemOptions,
  ProcessExit,
  ServeStdioOptions,
  ShutdownOptions,
  SpawnAgentOptions,
  SpawnedAgent,
  Terminal,
  TerminalExit,
  TerminalHandlers,
  TerminalsOptions,
} from "@acp/host";
export { ProcessStartError } from "@acp/host";
