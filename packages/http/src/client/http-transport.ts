import { type Transport, UsageError } from "@acp/core";
import { checkLimit, createTextTransport } from "@acp/core/internal";
import { HttpChannel } from "./http-channel.ts";
import type { HttpTransportOptions } from "./requester.ts";

/**
 * A client's transport to an agent behind an HTTP server (Streamable HTTP, which is a draft of the protocol). It only needs
 * `fetch`: it runs on Node.js, Deno and Bun, in browsers and in edge workers.
 *
 * On the wire, each message of the client is a POST, which waits for the answer to the previous one of its session. Messages
 * of the agent arrive as server-sent events: one stream for the connection, and one for each session. With a server of
 * this toolkit, a stream that ends or breaks continues where it was, and a message is posted again until it is answered: nothing is
 * lost, and nothing comes twice. Other servers cannot repeat messages in flight when a stream ended; a diagnostic reports that.
 *
 * `send` returns a promise while the server has not taken more than 256 Ki UTF-16 code units. A paused side stops reading,
 * which slows the server down. `close` waits until the server has accepted all messages, then ends the connection by a DELETE,
 * and waits for its answer: up to 5 seconds for each, and no longer after the first 5.
 *
 * If the server refuses a request, the call rejects with a {@link RequestError} of code `-32603` that names the status, and
 * has `{ status, body }` in `wire.data`. The connection ends with an {@link HttpError} for 401, 403, 404 and 410, if
 * the server refuses anything but a request, or if the network fails for longer than `resumeTimeout`; with other servers, as soon
 * as it fails. Redirects are not followed.
 *
 * @example
 * ```ts
 * const agent = await client.connect(createHttpTransport("https://agents.example/acp"));
 * ```
 *
 * @throws {UsageError} for anything but a URL of HTTP, or a `resumeTimeout` that is not a number of milliseconds.
 */
export function createHttpTransport(url: string | URL, options?: HttpTransportOptions): Transport {
  checkLimit("resumeTimeout", options?.resumeTimeout ?? 0);
  return createTextTransport(new HttpChannel(parseUrl(url), options ?? {}), options);
}

function parseUrl(url: string | URL): URL {
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {
    // Reported below.
  }
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new UsageError(`${String(url)} is no URL of HTTP; expected http://… or https://…, with host and path`);
}
