import type { Diagnostic, DiagnosticListener } from "../../base/diagnostics.ts";
import { UsageError } from "../../base/errors.ts";
import { settledWithin } from "../../base/timers.ts";
import type { Transport } from "../../transport/transport.ts";
import type { ClientConnector, ConnectOptions } from "../../session/client/client-connector.ts";
import { openInCommon } from "./common-opening.ts";
import { requireStart } from "../../transport/require-start.ts";

/** A client's definition for each version that it speaks. */
export interface ClientVersions<out Agent1, out Agent2> {
  /** The client that `createClient` of `@acp/core` returned. */
  readonly v1: ClientConnector<Agent1>;
  /** The client that `createClient` of `@acp/core/v2` returned. */
  readonly v2: ClientConnector<Agent2>;
}

/** A connected agent, and the version that it speaks. */
export type VersionedAgent<Agent1, Agent2> =
  | { readonly version: 1; readonly agent: Agent1 }
  | { readonly version: 2; readonly agent: Agent2 };

/**
 * Creates a client that speaks two versions of the protocol. With each agent, it uses the newest version that both
 * support.
 *
 * ```ts
 * const client = clientOfVersions({ v1: createClient1({ … }), v2: createClient({ … }) });
 * const connected = await client.connect(transport);
 * if (connected.version === 2) await connected.agent.resumeSession({ … });
 * ```
 *
 * It sends one `initialize`, which requests version 2 and contains the members of both versions. An agent of version 1
 * reads its own members, and responds with its version ("Version Negotiation" in the draft). From then on, only the
 * client of the version in the response uses the connection.
 *
 * `spawnAgent` accepts it like any client; the process is then a member of `agent`. Diagnostics go to the listener of
 * the client that uses the connection; before the version is known, to the listener of version 2. A listener in the
 * options of `connect` or `spawnAgent` replaces both; with `spawnAgent`, the listener of version 2 replaces the other
 * one. The definitions are values, so a bundle contains only the versions that you pass.
 *
 * @throws {UsageError} if a client is missing.
 */
export function clientOfVersions<Agent1, Agent2>(
  versions: ClientVersions<Agent1, Agent2>,
): ClientConnector<VersionedAgent<Agent1, Agent2>> {
  if (typeof versions?.v1?.connect !== "function" || typeof versions.v2?.connect !== "function")
    throw new UsageError("clientOfVersions needs a client of each version: { v1, v2 }");
  const { v1, v2 } = versions;
  return {
    role: "client",
    onDiagnostic: v2.onDiagnostic ?? v1.onDiagnostic,
    connect: (transport, options) => connectEither(v1, v2, transport, options),
  };
}

async function connectEither<Agent1, Agent2>(
  v1: ClientConnector<Agent1>,
  v2: ClientConnector<Agent2>,
  transport: Transport,
  options: ConnectOptions | undefined,
): Promise<VersionedAgent<Agent1, Agent2>> {
  requireStart(transport, "connect takes a transport");
  const opening = openInCommon(transport);
  // Before the version is known, both clients report the reason for the end of the connection.
  const reportIf = (listener: DiagnosticListener | undefined, isOwn: () => boolean) => (diagnostic: Diagnostic) =>
    isOwn() ? listener?.(diagnostic) : undefined;
  const older = v1.connect(opening.ends[1], {
    ...options,
    onDiagnostic: reportIf(options?.onDiagnostic ?? v1.onDiagnostic, () => opening.version === 1),
  });
  const newer = v2.connect(opening.ends[2], {
    ...options,
    onDiagnostic: reportIf(options?.onDiagnostic ?? v2.onDiagnostic, () => opening.version !== 1),
  });
  try {
    await Promise.race([opening.decided, failure(newer), failure(older)]);
    if (opening.version === 1) return { version: 1, agent: await older };
    return { version: 2, agent: await newer };
  } catch (error) {
    opening.giveUp();
    await settledWithin(transport.close(), 1000);
    throw error;
  }
}

/** Rejects if a promise does, and never resolves. */
function failure(promise: Promise<unknown>): Promise<never> {
  return promise.then(() => new Promise<never>(() => {}));
}
