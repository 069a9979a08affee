import type { HttpServer } from "@acp/http";

export interface Address {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface Listening {
  readonly port: number;
  /** Stops listening, and ends what is left. */
  close(): Promise<void>;
}

/** Listens with the server of a runtime. Rejects if it cannot. */
export type Listen = (server: HttpServer, address: Address) => Promise<Listening>;

/** The largest message in either direction, in bytes. */
const maxMessageBytes = 16 * 1024 * 1024;

/**
 * Listens with the server of this runtime. `serve` makes the server of ACP for the port, which is known only then. `watch` gets
 * each answer.
 *
 * Rejects if it cannot listen there.
 */
export async function createListener(
  address: Address,
  serve: (port: number) => HttpServer,
  watch: <Answer extends object>(answer: Answer) => Promise<Answer>,
): Promise<Listening> {
  let server: HttpServer | undefined;
  const current = (): HttpServer => {
    if (server === undefined) throw new Error("The server does not listen yet");
    return server;
  };
  const close = async (): Promise<void> => server?.close();
  const later: HttpServer = {
    get connections() {
      return current().connections;
    },
    maxMessageBytes,
    handle: async (request, options) => watch(await current().handle(request, options)),
    upgrade: async (request) => watch(await current().upgrade(request)),
    close,
    [Symbol.asyncDispose]: close,
  };
  const listenHere = await listenerOfRuntime();
  const listening = await listenHere(later, address);
  server = serve(listening.port);
  return {
    port: listening.port,
    async close() {
      await close();
      await listening.close();
    },
  };
}

async function listenerOfRuntime(): Promise<Listen> {
  const { deno, bun } = process.versions;
  if (deno !== undefined) return (await import("./listen.ts")).listenOnDeno;
  if (bun !== undefined) return (await import("./listen.ts")).listenOnBun;
  return (await import("./listen-on-node.ts")).listenOnNode;
}

/** What this file uses of Bun: its types are not there when this program is built. */
interface BunServer {
  serve(options: { readonly hostname: string; readonly port: number }): {
    readonly port: number;
    stop(closesConnections: boolean): Promise<void>;
  };
}

interface BunHandlers {
  bunHttpHandlers(server: HttpServer): object;
}

export const listenOnBun: Listen = async (server, { host, port }) => {
  const { serve } = (globalThis as unknown as { readonly Bun: BunServer }).Bun;
  const { bunHttpHandlers } = (await import("#http")) as unknown as BunHandlers;
  const listening = serve({ hostname: host, port, ...bunHttpHandlers(server) });
  return { port: listening.port, close: () => listening.stop(true) };
};

/** What this file uses of Deno: its types are not there when this program is built. */
interface DenoServer {
  serve(
    options: { readonly hostname: string; readonly port: number; onListen(): void },
    handler: (request: Request, info: { readonly completed: Promise<void> }) => Promise<Response>,
  ): { readonly addr: Address; shutdown(): Promise<void> };
}

interface DenoHandlers {
  denoHttpHandler(server: HttpServer): Parameters<DenoServer["serve"]>[1];
}

export const listenOnDeno: Listen = async (server, { host, port }) => {
  const { serve } = (globalThis as unknown as { readonly Deno: DenoServer }).Deno;
  const { denoHttpHandler } = (await import("#http")) as unknown as DenoHandlers;
  const listening = serve({ hostname: host, port, onListen: () => {} }, denoHttpHandler(server));
  return { port: listening.addr.port, close: () => listening.shutdown() };
};
