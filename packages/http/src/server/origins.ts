import { UsageError } from "@acp/core";
import { refusal } from "./answers.ts";

/** Who may call from a page in a browser. */
export interface Origins {
  /** The refusal of a request from a page of an origin that is not allowed; `undefined` for any other. */
  refuse(request: Request): Response | undefined;
  /** The answer to what a browser asks before it makes a request of a page. */
  preflight(request: Request): Response;
  /** Lets the page have an answer. */
  expose(request: Request, response: Response): Response;
}

/** How long a browser may remember the answer to a preflight, in seconds. */
const preflightSeconds = "600";

/**
 * Only browsers send `Origin`, and they always do with a POST and with a WebSocket, without which there is no connection. So
 * a page of another origin cannot get one, also not by DNS rebinding, where its own name leads to this server.
 *
 * @throws {UsageError} for what no browser sends as an origin, such as one with a slash at its end: it would allow nobody.
 */
export function createOrigins(allowed: readonly string[]): Origins {
  for (const origin of allowed) {
    if (/^(?:[a-z][a-z\d+.-]*:\/\/[^/?#*]+|null)$/i.test(origin)) continue;
    throw new UsageError(
      `${origin} of allowedOrigins is no origin: expected scheme, host and port alone, as https://editor.example`,
    );
  }
  const origins = new Set(allowed.map((origin) => origin.toLowerCase()));
  const headersFor = (request: Request): Readonly<Record<string, string>> => {
    const origin = request.headers.get("Origin");
    if (origin === null) return {};
    return { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true", Vary: "Origin" };
  };
  return {
    refuse(request) {
      const origin = request.headers.get("Origin");
      if (origin === null || origins.has(origin.toLowerCase())) return undefined;
      return refusal(403, `Pages of ${origin} may not use this server: it is not among its allowedOrigins`);
    },
    preflight(request) {
      const headers = new Headers({
        ...headersFor(request),
        Allow: "GET, POST, DELETE, OPTIONS",
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
        "Access-Control-Max-Age": preflightSeconds,
      });
      const wanted = request.headers.get("Access-Control-Request-Headers");
      if (wanted !== null) headers.set("Access-Control-Allow-Headers", wanted);
      return new Response(null, { status: 204, headers });
    },
    expose(request, response) {
      const given = Object.entries(headersFor(request));
      if (given.length === 0) return response;
      const headers = new Headers(response.headers);
      for (const [name, value] of given) headers.set(name, value);
      headers.set("Access-Control-Expose-Headers", "Acp-Connection-Id");
      return new Response(response.body, { status: response.status, headers });
    },
  };
}
