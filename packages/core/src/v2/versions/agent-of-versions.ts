import { type Decoder, isFields } from "@acp/schema";
import { createConnection } from "../../rpc/connection.ts";
import { createMethodIndex, type MethodIndex } from "../../rpc/method-index.ts";
import { refuseNow } from "../../rpc/refusal.ts";
import { type DiagnosticListener, guardListener } from "../../base/diagnostics.ts";
import { asyncDispose, createDeferred } from "../../base/promises.ts";
import { UsageError } from "../../base/errors.ts";
import { createHandedOverTransport } from "../../transport/handed-over-transport.ts";
import type { Transport } from "../../transport/transport.ts";
import type { AgentConnection } from "../../session/agent/agent-connection.ts";
import type { AgentDefinition } from "../../session/agent/agent-definition.ts";
import { isVersion, refuseVersion } from "./negotiation.ts";

/** An agent's definition for each version that it speaks, at least one. */
export interface AgentVersions {
  /** The agent that `createAgent` of `@acp/core` returned. */
  readonly v1?: AgentDefinition | undefined;
  /** The agent that `createAgent` of `@acp/core/v2` returned. */
  readonly v2?: AgentDefinition | undefined;
}

/**
 * Creates an agent that speaks several versions of the protocol, one per connection.
 *
 * ```ts
 * await serveStdio(agentOfVersions({ v1: agent, v2: agentOfVersion2 }));
 * ```
 *
 * The first `initialize` decides: the agent with the highest version up to the requested one responds and serves the
 * connection. If there is none, the client gets error `-32022` with the supported versions, and may try again. Earlier
 * requests are refused, as by any agent.
 *
 * Diagnostics of a connection go to the listener of its agent; before the version is known, to the listener of the
 * highest version. A listener that you pass to `connect` or `serveStdio` replaces them. The definitions are values, so
 * a bundle contains only the versions that you pass.
 *
 * @throws {UsageError} if you pass no agent.
 */
export function agentOfVersions(versions: AgentVersions): AgentDefinition {
  const { v1, v2 } = versions ?? {};
  const agents = new Map<number, AgentDefinition>();
  if (v1 != null) agents.set(1, v1);
  if (v2 != null) agents.set(2, v2);
  if (agents.size === 0) throw new UsageError("agentOfVersions needs an agent of one version at least");
  const onDiagnostic = v2?.onDiagnostic ?? v1?.onDiagnostic;
  return {
    role: "agent",
    onDiagnostic,
    connect: (transport, options) =>
      connectUndecided(agents, transport, options?.onDiagnostic ?? onDiagnostic, onDiagnostic),
  };
}

/** A connection whose version is not known yet: it refuses the same requests as an agent of any version. */
function connectUndecided(
  agents: ReadonlyMap<number, AgentDefinition>,
  transport: Transport,
  listener: DiagnosticListener | undefined,
  ownListener: DiagnosticListener | undefined,
): AgentConnection {
  const { first, handOver } = createHandedOverTransport(transport);
  const closed = createDeferred();
  let connection: Pick<AgentConnection, "closed" | "close">;
  const undecided = createConnection(
    {
      transport: first,
      methods: openingMethods(),
      report: guardListener(listener),
      answersNoise: true,
      closingGrace: 0,
    },
    {
      handles: (kind) => kind === "request",
      notification: () => {},
      request({ method, params }) {
        if (method !== "initialize") throw refuseNow("initialize must be called first");
        const { protocolVersion } = params as { readonly protocolVersion: number };
        const versions = [...agents.keys()];
        const version = versions.findLast((spoken) => spoken <= protocolVersion);
        const agent = version === undefined ? undefined : agents.get(version);
        if (agent === undefined) throw refuseVersion(protocolVersion, versions);
        // The listener of the agent, unless the caller gave another one.
        const onDiagnostic = listener === ownListener ? (agent.onDiagnostic ?? listener) : listener;
        use(agent.connect(handOver(), { onDiagnostic }));
        // The agent that has taken over answers.
        return new Promise<never>(() => {});
      },
      ended: () => {},
    },
  );
  use(undecided);
  undecided.start();
  const close = (): Promise<void> => connection.close();
  return { closed: closed.promise, close, [asyncDispose]: close };

  function use(made: Pick<AgentConnection, "closed" | "close">): void {
    connection = made;
    void made.closed.then(() => {
      if (connection === made) closed.resolve();
    });
  }
}

/** Reads the requested version. */
const params: Decoder<unknown> = (value, notes) => {
  if (!isFields(value)) return notes.fail("expected an object");
  if (isVersion(value["protocolVersion"])) return value;
  notes.fail("expected a version of the protocol");
  return notes.failAt("protocolVersion");
};

/** Every other method exists, since some version may have it. */
function openingMethods(): MethodIndex {
  const known = createMethodIndex({
    handles: { requests: { initialize: { params } }, notifications: {} },
    calls: { requests: {}, notifications: {} },
    variants: {},
  });
  return { ...known, isOpen: () => true };
}
