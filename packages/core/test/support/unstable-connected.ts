import { onTestFinished } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { type ConnectedAgent, createAgent, createClient } from "../../src/v1/unstable/entry.ts";

type AgentOptions = Parameters<typeof createAgent>[0];
type ClientOptions = Parameters<typeof createClient>[0];

/** Both sides of a connection, and what they had to tell. */
export interface Connected {
  readonly agent: ConnectedAgent;
  readonly agentDiagnostics: readonly Diagnostic[];
  readonly clientDiagnostics: readonly Diagnostic[];
}

/** An agent and a client of the unstable entry, connected by JSON texts. Closed when the test is over. */
export async function connected(
  agentOptions: Omit<Partial<AgentOptions>, "handlers"> & { readonly handlers?: Partial<AgentOptions["handlers"]> },
  clientOptions: Partial<ClientOptions> = {},
): Promise<Connected> {
  const agentDiagnostics: Diagnostic[] = [];
  const clientDiagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    onDiagnostic: (diagnostic) => agentDiagnostics.push(diagnostic),
    ...agentOptions,
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), ...agentOptions.handlers },
  });
  const client = createClient({
    info: { name: "client", version: "1.0.0" },
    onDiagnostic: (diagnostic) => clientDiagnostics.push(diagnostic),
    ...clientOptions,
  });
  const [own, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connection = await client.connect(own);
  onTestFinished(() => connection.close());
  return { agent: connection, agentDiagnostics, clientDiagnostics };
}
