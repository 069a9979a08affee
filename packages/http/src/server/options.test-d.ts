// The inferred types of `authorize`.
import type { AgentDefinition } from "@acp/core";
import { expectTypeOf } from "vitest";

import { createHttpServer } from "./http-server.ts";

declare const agent: AgentDefinition;
declare const users: Map<string, { readonly name: string }>;
declare const names: Map<string, string>;

// The agent's function gets the identities that `authorize` returns, without the values that refuse.
createHttpServer({
  authorize: (request) => users.get(request.url),
  sameIdentity: (owner, sender) => owner.name === sender.name,
  agent: (_request, identity) => {
    expectTypeOf(identity).toEqualTypeOf<{ readonly name: string }>();
    return agent;
  },
});
createHttpServer({
  authorize: async (request) => (request.url === "" ? new Response(null, { status: 401 }) : { id: 1 }),
  agent: (_request, identity) => {
    expectTypeOf(identity).toEqualTypeOf<{ id: number }>();
    return agent;
  },
});
createHttpServer({
  authorize: (request) => request.url === "",
  agent: (_request, identity) => {
    expectTypeOf(identity).toEqualTypeOf<true>();
    return agent;
  },
});
createHttpServer({
  agent: (_request, identity) => {
    expectTypeOf(identity).toEqualTypeOf<true>();
    return agent;
  },
});

// A value that is not an identity does not compile.
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
