import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

import type { HttpServer } from "@acp/core/http";

import { type ResponseLike, sendResponse } from "./send-response.ts";
import { webRequest } from "./web-request.ts";

/**
 * A listener for the requests of a Node.js server, also for one of `node:http2` with its compatibility API. It answers
 * every request that it is given, whatever its path.
 *
 * Bodies are read no faster than they are used, and answers written no faster than the client takes them. When a client
 * goes away, what it has asked for is given up.
 *
 * ```ts
 * import { createServer } from "node:http";
 *
 * const server = createHttpServer({ agent });
 * createServer(nodeHttpHandler(server)).listen(8080, "127.0.0.1");
 * ```
 */
export function nodeHttpHandler(
  server: HttpServer,
): (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void {
  return (request, response) => {
    void answer(server, request, response);
  };
}

async function answer(
  server: HttpServer,
  request: IncomingMessage | Http2ServerRequest,
  response: ResponseLike,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  // What a socket fails with is told by its end, too; without a listener, it would end the process.
  response.on("error", () => {});
  let made: Request;
  try {
    made = webRequest(request, gone.signal);
  } catch {
    // A method or a header that the web does not know.
    response.statusCode = 400;
    response.end();
    return;
  }
  await sendResponse(response, await server.handle(made));
}
