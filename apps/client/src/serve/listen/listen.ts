import type { HttpServer } from "@acp/http";

/** Where to listen. */
export interface Address {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A server that listens. */
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
 * Listens with the server of this runtime. `serve` makes the server of ACP for the port, which is known only then.
 *
 * Rejects if it cannot listen there.
 */
export async function createListener(address: Address, serve: (port: number) => HttpServer): Promise<Listening> {
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
    handle: (request, options) => current().handle(request, options),
    upgrade: (request) => current().upgrade(request),
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
  if (deno !== undefined) return (await import("./listen-on-deno.ts")).listenOnDeno;
  if (bun !== undefined) return (await import("./listen-on-bun.ts")).listenOnBun;
  return (await import("./listen-on-node.ts")).listenOnNode;
}
