import type { Diagnostic, DiagnosticListener } from "../base/diagnostics.ts";
import { UsageError } from "../base/errors.ts";
import { settledWithin } from "../base/timers.ts";
import type { Transport } from "../transport/transport.ts";
import type { ClientConnector, ConnectOptions } from "../session/client/client-connector.ts";
import { openInCommon } from "./common-opening.ts";

/** A client's definition for each version that it speaks. */
export interface ClientVersions<out Agent1, out Agent2> {
  /** Made by `createClient` of `@acp/core`. */
  readonly v1: ClientConnector<Agent1>;
  /** Made by `createClient` of `@acp/core/v2`. */
  readonly v2: ClientConnector<Agent2>;
}

/** An agent with the version that it speaks, which says what it can be asked. */
export type VersionedAgent<Agent1, Agent2> =
  | { readonly version: 1; readonly agent: Agent1 }
  | { readonly version: 2; readonly agent: Agent2 };

/**
 * A client that speaks two versions of the protocol, with each agent the newest that both know.
 *
 * ```ts
 * const client = clientOfVersions({ v1: createClient1({ … }), v2: createClient({ … }) });
 * const connected = await client.connect(transport);
 * if (connected.version === 2) await connected.agent.resumeSession({ … });
 * ```
 *
 * There is one `initialize`, which asks for version 2 and tells what both clients told in theirs: an agent of version 1
 * finds its members there, and answers with its version ("Version Negotiation" in the draft). The connection then is that
 * of the client of that version, and it alone.
 *
 * `spawnAgent` takes it as it takes any client; the process is then with the `agent`. Diagnostics go to the listener of the
 * client that speaks, and before that is known to that of version 2; one that is given to `connect` or to `spawnAgent`
 * replaces them, and so does, for `spawnAgent`, that of version 2. The definitions are values, so nothing is bundled of a
 * version that is not given.
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
  if (typeof transport?.start !== "function") throw new UsageError("connect takes a transport");
  const opening = openInCommon(transport);
  // Both hear of what ends the connection before it is known whose it is.
  const heard = (listener: DiagnosticListener | undefined, isOwn: () => boolean) => (diagnostic: Diagnostic) =>
    isOwn() ? listener?.(diagnostic) : undefined;
  const older = v1.connect(opening.ends[1], {
    ...options,
    onDiagnostic: heard(options?.onDiagnostic ?? v1.onDiagnostic, () => opening.version === 1),
  });
  const newer = v2.connect(opening.ends[2], {
    ...options,
    onDiagnostic: heard(options?.onDiagnostic ?? v2.onDiagnostic, () => opening.version !== 1),
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

/** Rejects if a promise does, and resolves never. */
function failure(promise: Promise<unknown>): Promise<never> {
  return promise.then(() => new Promise<never>(() => {}));
}
