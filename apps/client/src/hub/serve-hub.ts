import type { Diagnostic } from "@acp/core";
import type { Hub, HubUser, NamedProgram } from "@acp/hub";
import { createHttpServer, type HttpServer } from "@acp/http";

import { resolveAgent } from "../agents/resolve-agent.ts";
import type { Streams } from "../cli/streams.ts";
import { createAdmission } from "../serve/admission.ts";
import type { Listening } from "../serve/listen/listen.ts";
import { listen, ownOrigins } from "../serve/serve.ts";
import { hasToken, type Token, tokensIn } from "../serve/token.ts";

export interface HubAddress {
  readonly host: string;
  readonly port: number;
  /** Whoever has it may do everything. */
  readonly token: Token;
  readonly origins: readonly string[];
  readonly serverNames: readonly string[];
}

interface Visitor {
  /** `undefined` for the owner of the hub. */
  readonly user: HubUser | undefined;
}

/** Serves a hub over HTTP and WebSockets: to its owner by the token of the hub, and to others by those of shares. */
export function serveHub(
  hub: Hub,
  { host, port, token, origins, serverNames }: HubAddress,
  streams: Streams,
  say: (line: string) => void,
): Promise<Listening> {
  const admit = async (request: Request): Promise<Visitor | undefined> => {
    if (hasToken(request, token.text)) return { user: undefined };
    for (const sent of tokensIn(request)) {
      const user = await hub.userOf(sent);
      if (user !== undefined) return { user };
    }
    return undefined;
  };
  const serve = (taken: number): HttpServer =>
    createHttpServer({
      authorize: createAdmission({
        admit,
        host,
        serverNames,
        mayList: ({ user }) => user === undefined,
      }),
      // The same share is the same user, in whatever object.
      sameIdentity: (owner: Visitor, sender: Visitor) => owner.user?.id === sender.user?.id,
      agent: async (request, { user }) =>
        hub.agent({ user, agent: user === undefined ? await programOf(request, streams) : undefined }),
      allowedOrigins: [...ownOrigins(host, taken), ...origins],
      onDiagnostic: ({ level, message }: Diagnostic) => {
        if (level === "error") say(`! ${message}`);
      },
    });
  return listen({ host, port }, serve, say);
}

/** The agent that the URL names, as on the command line. */
async function programOf(request: Request, streams: Streams): Promise<NamedProgram> {
  const name = new URL(request.url).searchParams.get("agent") ?? undefined;
  const launch = await resolveAgent({ name, cwd: process.cwd() }, streams);
  const { command, args, env, cwd = process.cwd() } = launch;
  return { name: launch.name ?? command, command, args, cwd, ...(env === undefined ? {} : { env }) };
}
