import type { ClientConnector, ConnectedAgent } from "@acp/core";
import type { Terminal } from "@acp/host/types";

import { bridgeClient } from "../bridge/agent/bridge-client.ts";
import type { NamedProgram } from "../front/program.ts";
import type { AgentConnector, MachineHandlers } from "./v1-agent.ts";

/** What a hub uses of the runtime: `import * as runtime from "@acp/node"`, or of Deno or Bun. */
export interface HubRuntime {
  spawnAgent(
    client: ClientConnector<ConnectedAgent>,
    options: {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: { readonly [name: string]: string };
      readonly cwd?: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<ConnectedAgent>;
  fileSystem(): MachineHandlers;
  terminals(options: { onCreate(terminal: Terminal): void }): MachineHandlers;
}

/** Starts a program and connects a client of version 1 to it, if need be over a bridge of versions. */
export function spawnProgram(
  runtime: HubRuntime,
  { command, args, env, cwd }: NamedProgram,
  client: ClientConnector<ConnectedAgent>,
  signal?: AbortSignal,
): Promise<ConnectedAgent> {
  return runtime.spawnAgent(bridgeClient(client), {
    command,
    ...(args !== undefined && { args }),
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
    ...(signal !== undefined && { signal }),
  });
}

/** Starts the agent of a session, with files and terminals of this machine. */
export function agentConnector(
  runtime: HubRuntime,
  program: NamedProgram,
  login: () => string | undefined,
): AgentConnector {
  return {
    connect: (client, signal) => spawnProgram(runtime, program, client, signal),
    machine: (onCreate) => ({ ...runtime.fileSystem(), ...runtime.terminals({ onCreate }) }),
    login,
  };
}
