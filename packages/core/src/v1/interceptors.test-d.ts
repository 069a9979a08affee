// Interceptors infer the types of params and results from the method.
import { expectTypeOf } from "vitest";
import type { Received } from "@acp/schema/v1/types";
import { createClient, createClientFor, extend, type Interceptor, request, v1 } from "./index.ts";
import type { ClientSession } from "./client-session.ts";

createClient({
  info: { name: "c", version: "1" },
  interceptors: [
    {
      async call(call) {
        expectTypeOf(call.method).toExtend<string>();
        expectTypeOf(call.session).toEqualTypeOf<ClientSession | undefined>();
        expectTypeOf(call.signal).toEqualTypeOf<AbortSignal>();
        if (call.method === "session/new") {
          expectTypeOf(call.params.cwd).toEqualTypeOf<string>();
          expectTypeOf(await call.next()).toEqualTypeOf<Received.NewSessionResponse>();
          // @ts-expect-error: the path is a number
          return call.next({ ...call.params, cwd: 1 });
        }
        // @ts-expect-error: there is no such method
        if (call.method === "session/nwe") return undefined;
        if (call.method === "_acme/ping") expectTypeOf(call.params).toBeUnknown();
        return call.next();
      },
      async handle({ method, params, next }) {
        if (method === "fs/read_text_file") {
          expectTypeOf(params.path).toEqualTypeOf<string>();
          expectTypeOf((await next()).content).toEqualTypeOf<string>();
        }
        // @ts-expect-error: that is a call of the client
        if (method === "session/new") return undefined;
        return next();
      },
    },
  ],
});

// It is declared on its own, too, and one that takes any method fits any client.
const timed: Interceptor = { call: async ({ method, next }) => (performance.mark(method), next()) };
const anyMethod = { call: ({ next }: { readonly method: string; readonly next: () => Promise<unknown> }) => next() };
createClient({ info: { name: "c", version: "1" }, interceptors: [timed, anyMethod] });

// Methods that were declared with extend have types.
const acme = extend(v1, { agent: { "_acme/count": request<{ readonly of: string }, { readonly count: number }>() } });
createClientFor(acme)({
  info: { name: "c", version: "1" },
  interceptors: [
    {
      async call(call) {
        if (call.method === "_acme/count") expectTypeOf((await call.next()).count).toEqualTypeOf<number>();
        return call.next();
      },
    },
  ],
});
