import { type AgentDefinition, type ClientDefinition, createAgent, createClient, type Diagnostic } from "@acp/core";
import { onTestFinished } from "vitest";

import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type HttpTransportOptions,
} from "../../src/index.ts";
import { type Exchange, fetchFrom } from "./in-process.ts";

const agent: AgentDefinition = createAgent({
  info: { name: "agent", version: "1" },
  handlers: {
    "session/prompt": async (_params, { turn, signal }) => {
      await turn.message("hello");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { stopReason: "cancelled" };
    },
    "session/close": () => ({}),
    "session/resume": () => ({}),
  },
});

/** What the client of the running test has reported. */
export const diagnostics: Diagnostic[] = [];

export const client: ClientDefinition = createClient({
  info: { name: "client", version: "1" },
  onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
});

export type Fetch = NonNullable<HttpTransportOptions["fetch"]>;
type Answer = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** A server, behind something that answers some of the requests in its place. */
export function serve(
  answer: Answer = () => undefined,
  options: Partial<HttpServerOptions> = {},
): { readonly fetch: Fetch; readonly exchanges: readonly Exchange[]; readonly server: HttpServer } {
  const server = createHttpServer({ agent, ...options });
  // For each test, and not once for the file: test files that run in one process share this module.
  onTestFinished(async () => {
    await server.close();
    diagnostics.length = 0;
  });
  const real = fetchFrom(server);
  const fetch: Fetch = async (url, init) =>
    (await answer(new Request(url, { ...init, signal: null }))) ?? (await real.fetch(url, init));
  return { fetch, exchanges: real.exchanges, server };
}

export const methodOf = async (request: Request): Promise<unknown> =>
  request.method === "POST" ? Reflect.get(await request.clone().json(), "method") : undefined;
export const cwd = "/";
