/**
 * ACP on Bun: serve an agent over stdio, spawn an agent, run its terminals and file requests.
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

import { bunRuntime } from "./runtime/bun-runtime.ts";
import { bunStdio } from "./stdio/bun-stdio.ts";

// Marked as pure, so that an agent that only serves does not bundle the client's part. These comments are what an import
// shows: the first paragraph of the comment on the call.

/** Serves one client over stdin and stdout. Use it in an agent that a client starts. */
export const serveStdio: ServeStdio = /* @__PURE__ */ createServeStdio(bunStdio);

/**
 * Starts an agent and connects a client to it over stdio (TRAN-03). Closing the agent ends its process and every
 * process in its process group. If the process ends by itself, pending calls reject with a {@link ProcessExitError}
 * that describes its end and quotes its stderr.
 */
export const spawnAgent: SpawnAgent = /* @__PURE__ */ createSpawnAgent(bunRuntime);

/**
 * Starts a process and returns a transport over its stdio, before any message is sent. Use it in a proxy that connects
 * to its agent; in a client, use `spawnAgent`. Closing the transport ends the process and every process in its process
 * group.
 */
export const spawnTransport: SpawnTransport = /* @__PURE__ */ createSpawnTransport(bunRuntime);

/**
 * Logs in with a method of type `terminal`: runs the agent's program again, with the method's arguments and environment
 * variables added (AUTH-12), and waits until it ends. The login does not affect existing connections: connect and
 * initialize again (AUTH-14). The `login` method of a spawned agent does that for you.
 */
export const terminalLogin: TerminalLogin = /* @__PURE__ */ createTerminalLogin(bunRuntime);

/**
 * Creates handlers that read and write text files on this machine, in the session's directories. Spread them into a
 * client's `handlers`.
 */
export const fileSystem: CreateFileSystem = /* @__PURE__ */ createFileSystem(bunRuntime);

/**
 * Starts an agent like `spawnAgent`, and restarts it when it dies or a turn had to be abandoned. Iterate the supervisor
 * to get the first agent, then each later agent with the sessions that it has reopened. The supervisor never resends a
 * prompt.
 */
export const superviseAgent: SuperviseAgent = /* @__PURE__ */ createSuperviseAgent(bunRuntime);

/** Creates handlers that run an agent's commands on this machine. Spread them into a client's `handlers`. */
export const terminals: CreateTerminals = /* @__PURE__ */ createTerminals(bunRuntime);

/**
 * Creates a policy that decides by rules what an agent may do. Pass it to `terminals` and `fileSystem`, and let it
 * answer permission requests.
 */
export const permissionPolicy: CreatePermissionPolicy = /* @__PURE__ */ createPermissionPolicy(bunRuntime);

export { bunRuntime } from "./runtime/bun-runtime.ts";
export { LoginError, ProcessStartError } from "@acp/host";
export type * from "@acp/host/types";
