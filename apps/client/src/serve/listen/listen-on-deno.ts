import type { HttpServer } from "@acp/http";

import type { Address, Listen } from "./listen.ts";

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
