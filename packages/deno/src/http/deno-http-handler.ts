import type { HttpServer } from "@acp/http";
import { requireObject } from "@acp/core/internal";

/**
 * Creates a handler for `Deno.serve`: requests over HTTP, and WebSockets at the same path. It answers every request that
 * it gets, whatever its path.
 *
 * ```ts
 * const server = createHttpServer({ agent });
 * Deno.serve({ port: 8080, hostname: "127.0.0.1" }, denoHttpHandler(server));
 * ```
 */
export function denoHttpHandler(
  server: HttpServer,
): (request: Request, info: { readonly completed: Promise<void> }) => Promise<Response> {
  requireObject(server, "denoHttpHandler() takes what createHttpServer() returns", "handle", "upgrade");
  return async (request, info) => {
    if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
      // The request's own signal aborts after every answer, and Deno warns when it is read.
      const gone = new AbortController();
      info.completed.catch((error: unknown) => gone.abort(error));
      return await server.handle(request, { signal: gone.signal });
    }
    const upgrade = await server.upgrade(request);
    if (upgrade instanceof Response) return upgrade;
    // Read before: the request is unusable once it is upgraded.
    const protocol = request.headers.get("Sec-WebSocket-Protocol")?.split(",")[0]?.trim();
    let upgraded: Deno.WebSocketUpgrade;
    try {
      upgraded = Deno.upgradeWebSocket(request);
    } catch {
      upgrade.discard();
      return new Response("The request cannot be upgraded to a WebSocket", { status: 400 });
    }
    const { socket, response } = upgraded;
    for (const [name, value] of Object.entries(upgrade.headers)) response.headers.set(name, value);
    // Browsers require one of the protocols that they offer, as pages do to send a token. (Deno's own option finds none
    // in a list without blanks.)
    if (protocol !== undefined) response.headers.set("Sec-WebSocket-Protocol", protocol);
    upgrade.accept(socket);
    return response;
  };
}
