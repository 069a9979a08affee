import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/**
 * Converts the request of a Node.js server to one of the web. `signal` aborts when nobody waits for its answer any more.
 */
export function webRequest(request: IncomingMessage | Http2ServerRequest, signal: AbortSignal): Request {
  const method = request.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  const init: RequestInit & { readonly duplex: "half" } = {
    method,
    headers: headersOf(request),
    signal,
    body: hasBody ? bodyOf(request) : null,
    duplex: "half",
  };
  return new Request(urlOf(request), init);
}

function headersOf(request: IncomingMessage | Http2ServerRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // Pseudo-headers of HTTP/2, such as `:path`.
    if (name.startsWith(":") || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  return headers;
}

/** Reads the URL, whatever the client calls this server: an invalid name counts as `localhost`. */
function urlOf(request: IncomingMessage | Http2ServerRequest): string {
  const path = request.url?.startsWith("/") === true ? request.url : "/";
  const host = request.headers[":authority"] ?? request.headers.host ?? "localhost";
  try {
    const url = new URL(`http://${String(host)}`);
    if (url.pathname === "/" && url.username === "" && url.search === "" && url.hash === "")
      return new URL(`http://${url.host}${path}`).href;
  } catch {
    // Below.
  }
  return `http://localhost${path}`;
}

/** Streams the body, no faster than it is read. */
function bodyOf(request: IncomingMessage | Http2ServerRequest): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (run: () => void): void => {
          if (!isOver) run();
          isOver = true;
        };
        request.on("data", (chunk: Uint8Array) => {
          if (isOver) return;
          controller.enqueue(new Uint8Array(chunk));
          request.pause();
        });
        request.on("end", () => end(() => controller.close()));
        request.on("error", (error) => end(() => controller.error(error)));
        request.on("close", () => end(() => controller.error(new Error("The request was broken off"))));
        request.pause();
      },
      pull: () => {
        request.resume();
      },
      // Discard the rest: a client that is still sending would not see the answer.
      cancel: () => {
        isOver = true;
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
