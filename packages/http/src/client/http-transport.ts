import { type Transport, type TransportOptions, UsageError } from "@acp/core";
import { createTextTransport } from "@acp/core/internal";
import type { CookieJar } from "./cookie-jar.ts";
import { HttpChannel } from "./http-channel.ts";

/** Options of {@link createHttpTransport}. */
export interface HttpTransportOptions extends TransportOptions {
  /**
   * Headers of every request, such as `Authorization`, or what makes them before each request: for a token that has to be
   * renewed. Default: none.
   */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /**
   * Where cookies are kept, as the protocol asks for: a jar of {@link createCookieJar} that several transports share, or
   * `omit` to keep none. Default: a jar of its own. Browsers have their own jar, and use that.
   */
  readonly cookies?: CookieJar | "omit" | undefined;
  /** Makes the requests. Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/**
 * A transport to an agent behind an HTTP server, for a client (Streamable HTTP, which is a draft of the protocol). It uses
 * nothing but `fetch`: it runs on Node.js, Deno, Bun, in browsers and in edge workers.
 *
 * On the wire: each message of the client is a POST, and waits for the answer of the one before in its session. What comes
 * from the agent comes as server-sent events: one stream for the connection, and one for each session. A stream that ends
 * in an orderly way is opened again.
 *
 * `send` returns a promise while more than 256 Ki UTF-16 code units are not taken by the server. A side that pauses stops
 * reading, which slows the server down. `close` waits until what was sent is taken, then ends the connection by a DELETE and waits
 * for its answer: up to 5 seconds for each, and after the first 5 for nothing more.
 *
 * If the server refuses a request, the call rejects with a {@link RequestError} of code `-32603` that names the status, and
 * has it in `wire.data`: `{ status, body }`. The connection ends with an {@link HttpError} for 401, 403, 404 and 410, if the
 * network fails, or if the server refuses anything that is no request. Redirects are not followed.
 *
 * @example
 * ```ts
 * const agent = await client.connect(createHttpTransport("https://agents.example/acp"));
 * ```
 *
 * @throws {UsageError} for what is no URL of HTTP.
 */
export function createHttpTransport(url: string | URL, options?: HttpTransportOptions): Transport {
  return createTextTransport(new HttpChannel(parseUrl(url), options ?? {}), options);
}

function parseUrl(url: string | URL): URL {
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {
    // Told below.
  }
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new UsageError(`${String(url)} is no URL of HTTP; expected http://… or https://…, with host and path`);
}
