import { UsageError } from "@acp/core";
import { connectionHeader, numberHeader } from "../wire-names.ts";
import { refusal } from "./answers.ts";

/** How long a browser may remember the answer to a preflight, in seconds. */
const preflightSeconds = "600";

/**
 * Decides which pages in browsers may use the server. Only browsers send `Origin`, and always with a POST and a WebSocket,
 * which every connection starts with. So a page of another origin gets no connection, even by DNS rebinding, where its own
 * host name leads to this server.
 */
export class Origins {
  readonly #allowed: ReadonlySet<string>;

  /** @throws {UsageError} for an origin that no browser sends, such as one that ends with a slash: it would match nothing. */
  constructor(allowed: readonly string[]) {
    for (const origin of allowed) {
      if (/^(?:[a-z][a-z\d+.-]*:\/\/[^/?#*]+|null)$/i.test(origin)) continue;
      throw new UsageError(
        `${origin} of allowedOrigins is no origin: expected scheme, host and port alone, as https://editor.example`,
      );
    }
    this.#allowed = new Set(allowed.map((origin) => origin.toLowerCase()));
  }

  /** The refusal of a request from a page whose origin is not allowed; `undefined` for other requests. */
  refuse(request: Request): Response | undefined {
    const origin = request.headers.get("Origin");
    if (origin === null || this.#allowed.has(origin.toLowerCase())) return undefined;
    return refusal(403, `Pages of ${origin} may not use this server: it is not among its allowedOrigins`);
  }

  /** The answer to the preflight request of a browser. */
  preflight(request: Request): Response {
    const headers = new Headers({
      Allow: "GET, POST, DELETE, OPTIONS",
      "Access-Control-Allow-Methods": "GET, POST, DELETE",
      "Access-Control-Max-Age": preflightSeconds,
    });
    setOrigin(headers, request);
    const requested = request.headers.get("Access-Control-Request-Headers");
    if (requested !== null) headers.set("Access-Control-Allow-Headers", requested);
    return new Response(null, { status: 204, headers });
  }

  /** Adds the headers that let a page read an answer. */
  expose(request: Request, response: Response): Response {
    if (!request.headers.has("Origin")) return response;
    const headers = new Headers(response.headers);
    setOrigin(headers, request);
    headers.set("Access-Control-Expose-Headers", `${connectionHeader}, ${numberHeader}`);
    return new Response(response.body, { status: response.status, headers });
  }
}

function setOrigin(headers: Headers, request: Request): void {
  const origin = request.headers.get("Origin");
  if (origin === null) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Vary", "Origin");
}
