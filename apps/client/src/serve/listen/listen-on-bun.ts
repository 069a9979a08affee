import type { HttpServer } from "@acp/http";

import type { Listen } from "./listen.ts";

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
