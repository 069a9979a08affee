import { type AgentConnection, type AgentDefinition, type Transport, UsageError } from "@acp/core";
import { createCorrelationId, describeError, guardListener } from "@acp/core/internal";
import { refusal } from "./answers.ts";
import type { HttpServerOptions } from "./http-server.ts";
import type { Limits } from "./limits.ts";
import type { ServerChannel } from "./server-channel.ts";

/** All connections of a server. */
export interface Connections<Identity> {
  readonly size: number;
  /** Those over HTTP, by id. */
  readonly channels: Map<string, ServerChannel>;
  /** Takes a place for a connection; returns what gives it back, or the answer that there is none. */
  reserve(): (() => void) | Response;
  /** The agent for a connection. Throws what the factory throws. */
  agentFor(request: Request, identity: Identity): Promise<AgentDefinition>;
  /** Connects an agent, and calls `ended` when that is over. */
  connect(agent: AgentDefinition, transport: Transport, ended: () => void): void;
  /** The answer when something of the server's own has thrown; a diagnostic has the error. */
  failed(error: unknown): Response;
  close(): Promise<void>;
}

export function createConnections<Identity>(
  options: HttpServerOptions<Identity>,
  limits: Limits,
): Connections<Identity> {
  const onDiagnostic = options.onDiagnostic ?? undefined;
  const report = guardListener(onDiagnostic);
  const channels = new Map<string, ServerChannel>();
  const running = new Set<AgentConnection>();
  let size = 0;
  let isClosed = false;
  return {
    channels,
    get size() {
      return size;
    },
    reserve() {
      if (isClosed) return refusal(503, "The server is closed");
      if (size >= limits.maxConnections)
        return refusal(503, `There are ${size} connections, which is all there may be (maxConnections)`);
      size++;
      let isReserved = true;
      return () => {
        if (isReserved) size--;
        isReserved = false;
      };
    },
    async agentFor(request, identity) {
      const agent = typeof options.agent === "function" ? await options.agent(request, identity) : options.agent;
      // Told now: a WebSocket that is open already could not be refused any more.
      if (typeof agent?.connect === "function") return agent;
      throw new UsageError(
        "There is no agent: the option agent is to be one of createAgent, or a function that returns it",
      );
    },
    connect(agent, transport, ended) {
      const connection = agent.connect(transport, onDiagnostic && { onDiagnostic });
      running.add(connection);
      void connection.closed.then(() => {
        running.delete(connection);
        ended();
      });
      // The server was closed while the agent was chosen.
      if (isClosed) void connection.close();
    },
    failed(error) {
      const id = createCorrelationId();
      report({
        type: "handler-failed",
        level: "error",
        message: `A request over HTTP failed (${id}): ${describeError(error)}`,
        method: "initialize",
        error,
        correlationId: id,
      });
      return refusal(500, `Internal error (${id})`);
    },
    async close() {
      isClosed = true;
      await Promise.all([...running].map((connection) => connection.close()));
    },
  };
}
