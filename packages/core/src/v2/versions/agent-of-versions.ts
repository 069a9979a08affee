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

/** An agent's definition for each version that it speaks: one at least. */
export interface AgentVersions {
  /** Made by `createAgent` of `@acp/core`. */
  readonly v1?: AgentDefinition | undefined;
  /** Made by `createAgent` of `@acp/core/v2`. */
  readonly v2?: AgentDefinition | undefined;
}

/**
 * An agent that speaks several versions of the protocol, each connection one of them.
 *
 * ```ts
 * await serveStdio(agentOfVersions({ v1: agent, v2: agentOfVersion2 }));
 * ```
 *
 * The first `initialize` decides: the connection belongs to the agent of the highest version at or below the one that is
 * asked for, which answers it. If there is none, the answer is `-32022`, with the versions there are, and the client may
 * ask again. What comes before is refused as any agent does.
 *
 * Diagnostics of a connection go to the listener of its agent, and before that is known to that of the highest version;
 * one that is given to `connect` or to `serveStdio` replaces them. The definitions are values, so nothing is bundled of a
 * version that is not given.
 *
 * @throws {UsageError} if no agent is given.
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

/** A connection whose version is not known yet: it refuses what an agent of any version would refuse. */
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
