// What the compiler makes of `authorize`.
import type { AgentDefinition } from "@acp/core";

import { createHttpServer } from "./http-server.ts";

declare const agent: AgentDefinition;
declare const users: Map<string, { readonly name: string }>;
declare const names: Map<string, string>;

/** Takes the type itself, not only one that fits. */
type Exactly<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? A : never;

// The agent's function gets what `authorize` returns, without what refuses.
createHttpServer({
  authorize: (request) => users.get(request.url),
  sameIdentity: (owner, sender) => owner.name === sender.name,
  agent: (_request, identity) => {
    identity satisfies Exactly<typeof identity, { readonly name: string }>;
    return agent;
  },
});
createHttpServer({
  authorize: async (request) => (request.url === "" ? new Response(null, { status: 401 }) : { id: 1 }),
  agent: (_request, identity) => {
    identity satisfies Exactly<typeof identity, { id: number }>;
    return agent;
  },
});
createHttpServer({
  authorize: (request) => request.url === "",
  agent: (_request, identity) => {
    identity satisfies Exactly<typeof identity, true>;
    return agent;
  },
});
createHttpServer({
  agent: (_request, identity) => {
    identity satisfies Exactly<typeof identity, true>;
    return agent;
  },
});

// What is no identity does not compile.
createHttpServer({
  // @ts-expect-error a string, which may be empty
  authorize: (request) => names.get(request.url),
  agent,
});
createHttpServer({
  // @ts-expect-error a number
  authorize: () => 1,
  agent,
});
createHttpServer({
  // @ts-expect-error no decision at all
  authorize: () => {},
  agent,
});
