import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setImmediate, setTimeout } from "node:timers/promises";

import { anthropicMessages } from "./anthropic-messages.ts";
import { type ModelReply, type ModelRequest, type PlayedTurn, replyTo } from "./conversation.ts";
import { geminiContent } from "./gemini-content.ts";
import { type ModelFormat, type ServerEvent, toObject } from "./model-format.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";

const formats = [
  openAiResponses,
  anthropicMessages,
  openAiChat,
  ...geminiContent,
] as const satisfies readonly ModelFormat[];

/** One exchange with the model. */
export interface ModelExchange {
  readonly path: string;
  readonly request: ModelRequest;
  readonly reply: ModelReply;
}

/** A model that plays turns, on the loopback. */
export interface ModelServer extends AsyncDisposable {
  /** Without a path: put `/v1` behind it where an agent expects that. */
  readonly url: string;
  /** What was asked of it so far. */
  readonly exchanges: readonly ModelExchange[];
}

/**
 * Serves a model that plays `turns`, in the format that the path of a request ends with: `/responses`, `/messages`,
 * `/chat/completions`, or `:generateContent`. It has no key and takes any.
 *
 * ```ts
 * await using model = await serveModel([{ prompt: "list", begins: "I look.", command: "ls", ends: "Done." }]);
 * ```
 */
export async function serveModel(turns: readonly PlayedTurn[]): Promise<ModelServer> {
  const exchanges: ModelExchange[] = [];
  const server = createServer((request, response) => {
    answer(request, response, turns, exchanges).catch((error: unknown) => response.destroy(toError(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server of the model has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  turns: readonly PlayedTurn[],
  exchanges: ModelExchange[],
): Promise<void> {
  const path = new URL(incoming.url ?? "/", "http://localhost").pathname;
  if (path.endsWith("/count_tokens")) return sendJson(response, { input_tokens: 100 });
  const format = formats.find((one) => path.endsWith(one.path));
  // Lists of models and the like: agents go on without.
  if (incoming.method !== "POST" || format === undefined) return sendJson(response, { error: "Not played" }, 404);
  const request = format.readRequest(toObject(await json(incoming)));
  const reply = replyTo(request, turns);
  exchanges.push({ path, request, reply });
  if (!request.stream) return sendJson(response, format.writeWhole(reply, request));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of format.writeEvents(reply, request)) {
    response.write(toText(event));
    // Each piece travels alone, as those of a model do.
    await (reply.pause ? setTimeout(reply.pause) : setImmediate());
  }
  if (!reply.hangs) response.end();
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function toText({ event, data }: ServerEvent): string {
  const line = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${line}\n\n`;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
