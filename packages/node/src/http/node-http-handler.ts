import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

import { type ResponseLike, sendResponse } from "./send-response.ts";
import { webRequest } from "./web-request.ts";

/** What answers requests of the web. */
export interface WebHandler {
  handle(request: Request): Response | PromiseLike<Response>;
}

/**
 * A listener for the requests of a Node.js server, also for one of `node:http2` with its compatibility API. It answers
 * every request that it is given, whatever its path.
 *
 * `server` is one of `createHttpServer`, or anything else that answers requests of the web: what it rejects with is answered
 * with 500, and so is a `Response` that was sent before.
 *
 * Bodies are read no faster than they are used, and answers written no faster than the client takes them. When a client
 * goes away, what it has asked for is given up. Middleware that reads bodies, such as `express.json()`, has to stand behind
 * it.
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
  return (request, response) => {
    void answer(server, request, response);
  };
}

async function answer(
  server: WebHandler,
  request: IncomingMessage | Http2ServerRequest,
  response: ResponseLike,
): Promise<void> {
  const gone = new AbortController();
  let isAnswered = false;
  // One that has been answered has nothing to give up, and each abort would make an error with a stack.
  response.once("close", () => {
    if (!isAnswered) gone.abort();
  });
  // What a socket fails with is told by its end, too; without a listener, it would end the process.
  response.on("error", () => {});
  // Said in words: without its body, a message would look as if its client had broken it off.
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
  await sendResponse(response, await answerOf(server, made), gone.signal);
  isAnswered = true;
  // What was not looked at is taken off the socket, where the next request stands behind it.
  if (made.body?.locked === false) made.body.cancel().catch(() => {});
}

async function answerOf(server: WebHandler, request: Request): Promise<Response> {
  try {
    const made = await server.handle(request);
    // One that was sent before has nothing more to say.
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
