/**
 * ACP on Deno: serve an agent over stdio, spawn an agent, run its terminals and file requests.
 *
 * @module
 */
import {
  createFileSystem,
  createPermissionPolicy,
  createServeStdio,
  createSpawnAgent,
  createSpawnTransport,
  createSuperviseAgent,
  createTerminalLogin,
  createTerminals,
  type CreateFileSystem,
  type CreatePermissionPolicy,
  type CreateTerminals,
  type ServeStdio,
  type SpawnAgent,
  type SpawnTransport,
  type SuperviseAgent,
  type TerminalLogin,
} from "@acp/host";

import { denoRuntime } from "./runtime/deno-runtime.ts";
import { denoStdio } from "./stdio/deno-stdio.ts";

// Marked as pure, so that an agent that only serves does not bundle the client's part. These comments are what an import
// shows: the first paragraph of the comment on the call.

/** Serves one client over stdin and stdout, as an agent does that a client has started. */
export const serveStdio: ServeStdio = /* @__PURE__ */ createServeStdio(denoStdio);

/**
 * Starts an agent and connects a client with it over stdio (TRAN-03). Closing the agent ends its process and everything
 * that it started in its process group. If the process ends first, pending calls reject with a {@link ProcessExitError}
 * that says how, and quotes its stderr.
 */
export const spawnAgent: SpawnAgent = /* @__PURE__ */ createSpawnAgent(denoRuntime);

/**
 * Starts a process and returns a transport over its stdio, on which nothing was sent yet: for a proxy that connects to
 * its agent. Closing the transport ends the process and everything that it started in its process group. For a client use
 * `spawnAgent`.
 */
export const spawnTransport: SpawnTransport = /* @__PURE__ */ createSpawnTransport(denoRuntime);

/**
 * Logs in by a method of type terminal: runs the agent's program once more, with the arguments and the environment of the
 * method added (AUTH-12), and waits for it to end. Existing connections do not notice the login: connect and initialize
 * again (AUTH-14), as `login` of a spawned agent does.
 */
export const terminalLogin: TerminalLogin = /* @__PURE__ */ createTerminalLogin(denoRuntime);

/**
 * Creates handlers that read and write text files on this machine, inside the session's directories. Spread them into a
 * client's `handlers`.
 */
export const fileSystem: CreateFileSystem = /* @__PURE__ */ createFileSystem(denoRuntime);

/**
 * Starts an agent as `spawnAgent` does, and again when it dies or when a turn had to be given up. Iterate the supervisor: it
 * returns the agent, and each later one with the sessions that it has opened again. It sends no prompt again.
 */
export const superviseAgent: SuperviseAgent = /* @__PURE__ */ createSuperviseAgent(denoRuntime);

/** Creates handlers that run an agent's commands on this machine. Spread them into a client's `handlers`. */
export const terminals: CreateTerminals = /* @__PURE__ */ createTerminals(denoRuntime);

/**
 * Creates a policy that decides by rules what an agent may do: pass it to `terminals` and `fileSystem`, and let it answer
 * questions for permission.
 */
export const permissionPolicy: CreatePermissionPolicy = /* @__PURE__ */ createPermissionPolicy(denoRuntime);

export { createDenoPipe } from "./deno-pipe.ts";
export { denoRuntime } from "./runtime/deno-runtime.ts";
export type {
  AgentLaunch,
  AgentLife,
  AgentProcess,
  AgentProgram,
  AgentSupervisor,
  AnswerOptions,
  AskedCall,
  AskedPermission,
  CreateFileSystem,
  CreatePermissionPolicy,
  CreateTerminalParams,
  CreateTerminals,
  FileErrorReason,
  FileSystemHandlers,
  FileSystemOptions,
  GatedAction,
  HostContext,
  HostSession,
  LaunchInTerminal,
  LostSession,
  PermissionAnswer,
  PermissionPolicy,
  PermissionPolicyOptions,
  PermissionRule,
  PolicyAction,
  PolicyCommand,
  PolicyDecision,
  ProcessExit,
  ProcessOptions,
  RestartOptions,
  Runtime,
  ServeStdio,
  ServeStdioOptions,
  SessionOf,
  ShutdownOptions,
  SpawnAgent,
  SpawnAgentOptions,
  SpawnedAgent,
  SpawnedTransport,
  SpawnTransport,
  SpawnTransportOptions,
  SuperviseAgent,
  SuperviseAgentOptions,
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
