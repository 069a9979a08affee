/**
 * ACP on Bun: serve an agent over stdio, spawn an agent, run its terminals and file requests.
 *
 * @module
 */
import {
  createFileSystem,
  createServeStdio,
  createSpawnAgent,
  createSpawnTransport,
  createTerminalLogin,
  createTerminals,
  type CreateFileSystem,
  type CreateTerminals,
  type ServeStdio,
  type SpawnAgent,
  type SpawnTransport,
  type TerminalLogin,
} from "@acp/host";

import { bunRuntime } from "./runtime/bun-runtime.ts";
import { bunStdio } from "./stdio/bun-stdio.ts";

// Marked as pure, so that an agent that only serves does not bundle what a client needs.

/** {@inheritDoc ServeStdio} */
export const serveStdio: ServeStdio = /* @__PURE__ */ createServeStdio(bunStdio);

/** {@inheritDoc SpawnAgent} */
export const spawnAgent: SpawnAgent = /* @__PURE__ */ createSpawnAgent(bunRuntime);

/** {@inheritDoc SpawnTransport} */
export const spawnTransport: SpawnTransport = /* @__PURE__ */ createSpawnTransport(bunRuntime);

/** {@inheritDoc TerminalLogin} */
export const terminalLogin: TerminalLogin = /* @__PURE__ */ createTerminalLogin(bunRuntime);

/** {@inheritDoc CreateFileSystem} */
export const fileSystem: CreateFileSystem = /* @__PURE__ */ createFileSystem(bunRuntime);

/** {@inheritDoc CreateTerminals} */
export const terminals: CreateTerminals = /* @__PURE__ */ createTerminals(bunRuntime);

export { bunRuntime } from "./runtime/bun-runtime.ts";
export type {
  AgentLaunch,
  AgentProcess,
  AgentProgram,
  FileErrorReason,
  FileSystemHandlers,
  FileSystemOptions,
  LaunchInTerminal,
  ProcessExit,
  ServeStdioOptions,
  ShutdownOptions,
  SpawnAgentOptions,
  SpawnedAgent,
  SpawnTransport,
  SpawnTransportOptions,
  Terminal,
  TerminalExit,
  TerminalHandlers,
  TerminalLaunch,
  TerminalLogin,
  TerminalLoginMethod,
  TerminalLoginOptions,
  TerminalsOptions,
} from "@acp/host";
export { LoginError, ProcessStartError } from "@acp/host";
