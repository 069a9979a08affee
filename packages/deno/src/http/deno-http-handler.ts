import type { HttpServer } from "@acp/core/http";

/**
 * A handler for `Deno.serve`: requests over HTTP, and WebSockets at the same path. It answers every request that it is
 * given, whatever its path.
 *
 * ```ts
 * const server = createHttpServer({ agent });
 * Deno.serve({ port: 8080, hostname: "127.0.0.1" }, denoHttpHandler(server));
 * ```
 */
export function denoHttpHandler(
  server: HttpServer,
): (request: Request, info: { readonly completed: Promise<void> }) => Promise<Response> {
  return async (request, info) => {
    if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
      // The request's own signal aborts after every answer, and Deno warns whoever looks at it.
      const gone = new AbortController();
      info.completed.catch((error: unknown) => gone.abort(error));
      return await server.handle(request, { signal: gone.signal });
    }
    const upgrade = await server.upgrade(request);
    if (upgrade instanceof Response) return upgrade;
    try {
      const { socket, response } = Deno.upgradeWebSocket(request);
      for (const [name, value] of Object.entries(upgrade.headers)) response.headers.set(name, value);
      upgrade.accept(socket);
      return response;
    } catch {
      upgrade.discard();
      return new Response("The request cannot be upgraded to a WebSocket", { status: 400 });
    }
  };
}
