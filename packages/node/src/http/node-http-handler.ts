import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

import { requireNode } from "../runtime/require-node.ts";
import { type ResponseLike, sendResponse } from "./send-response.ts";
import { webRequest } from "./web-request.ts";
import { requireObject } from "@acp/core/internal";

/** A server that handles web `Request`s. */
export interface WebHandler {
  handle(request: Request): Response | PromiseLike<Response>;
}

/**
 * Creates a request listener for a server of `node:http`, or of `node:http2` with its compatibility API. It handles
 * every request, whatever its path.
 *
 * `server` comes from `createHttpServer`, or is anything else that handles web requests. If it rejects, or returns a
 * `Response` that was already sent, the client gets status 500.
 *
 * The listener reads bodies no faster than they are used, and writes responses no faster than the client reads them.
 * When a client goes away, its request aborts. The listener drops requests on a connection that the server has ended.
 * The `timeout` of the server does not apply to these requests, because a stream is idle while an agent thinks. Put
 * middleware that reads bodies, such as `express.json()`, after this listener.
 *
 * ```ts
 * import { createServer } from "node:http";
 *
 * const server = createHttpServer({ agent });
 * createServer(nodeHttpHandler(server)).listen(8080, "127.0.0.1");
 * ```
 */
export function nodeHttpHandler(
  server: WebHandler,
): (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void {
  requireNode();
  requireObject(server, "nodeHttpHandler() takes what createHttpServer() returns", "handle");
  return (request, response) => {
    // The server has ended this network connection, and the request crossed that. The client sends it again on another one:
    // fetch does so by itself for a GET. The messages of a stream that is opened here would be lost.
    if (request.httpVersionMajor === 1 && !request.socket.writable) request.destroy();
    else void answer(server, request, response);
  };
}

async function answer(
  server: WebHandler,
  request: IncomingMessage | Http2ServerRequest,
  response: ResponseLike,
): Promise<void> {
  request.setTimeout(0);
  const gone = new AbortController();
  let isAnswered = false;
  // An answered request has nothing to abort, and each abort would make an error with a stack.
  response.once("close", () => {
    if (!isAnswered) gone.abort();
  });
  // The end of a socket reports its failure, too; without a listener, it would end the process.
  response.on("error", () => {});
  // With a body: without it, the message would look as if its client had broken it off.
  if (request.readableDidRead) return await sendResponse(response, alreadyRead(), gone.signal);
  let made: Request;
  try {
    made = webRequest(request, gone.signal);
  } catch {
    // A method or a header that the web does not know.
    response.statusCode = 400;
    response.end();
    return;
  }
  const given = await answerOf(server, made);
  // Discard the unread rest: a client that is still sending would not see the answer.
  if (made.body?.locked === false) made.body.cancel().catch(() => {});
  await sendResponse(response, given, gone.signal, () => restOf(request));
  isAnswered = true;
  await restOf(request);
  if (!request.complete) request.destroy();
}

/** How long a client may go on sending after its answer, in milliseconds. */
const restTimeout = 1_000;

/** Waits until the rest of the body has arrived, for a bounded time. */
async function restOf(request: IncomingMessage | Http2ServerRequest): Promise<void> {
  if (request.complete || request.destroyed) return;
  const signal = AbortSignal.timeout(restTimeout);
  await once(request, "close", { signal }).catch(() => {});
}

async function answerOf(server: WebHandler, request: Request): Promise<Response> {
  try {
    const made = await server.handle(request);
    // A response that was sent before has no body left.
    if (!made.bodyUsed && made.body?.locked !== true) return made;
  } catch {
    // Below.
  }
  return new Response(null, { status: 500 });
}

function alreadyRead(): Response {
  const words = "Something has read the body before: put nodeHttpHandler in front of it, such as express.json()";
  return new Response(words, { status: 500 });
}
