import type { AgentDefinition, DiagnosticListener } from "@acp/core";
import { createProxy } from "@acp/proxy";

import { spawnTransport, type SpawnTransportOptions } from "#runtime";

import { createLender, type LendOptions } from "./lend/lender.ts";

export interface ServedAgentsOptions {
  readonly program: SpawnTransportOptions;
  /** What to lend to clients; `undefined` for nothing. */
  readonly lend: LendOptions | undefined;
  readonly verbose: boolean;
  /** Prints a line for whoever runs the server. */
  readonly say: (line: string) => void;
  readonly onDiagnostic: DiagnosticListener;
}

/** Makes an agent for each connection: a process of its own, which ends with the connection. */
export function createServedAgents(options: ServedAgentsOptions): () => AgentDefinition {
  const { program, lend, verbose, say, onDiagnostic } = options;
  let count = 0;
  return () => {
    const name = `Connection ${++count}`;
    const lender = lend && createLender(lend);
    const onStderr = (line: string): void => {
      if (verbose) say(`${name}: ${line}`);
    };
    const proxy = createProxy({
      connect: () => spawnTransport({ ...program, onStderr }),
      fromClient: lender?.fromClient,
      fromAgent: lender?.fromAgent,
      onDiagnostic,
    });
    return {
      ...proxy,
      connect(transport, connectOptions) {
        const connection = proxy.connect(transport, connectOptions);
        say(`${name} has opened`);
        void connection.closed.then(() => {
          lender?.close();
          say(`${name} has ended`);
        });
        return connection;
      },
    };
  };
}
