import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { onTestFinished } from "vitest";
import { anthropic, type Format, type Json, openAi, type Refusal, type Reply } from "./replies.ts";

/** A key that must never turn up anywhere. */
const secretKey = "sk-SECRET-KEY";

/** A model on the loopback that gives the answers of a list, one for each request. */
export interface ModelServer {
  readonly model: LanguageModel;
  /** What an agent has to be told to use it: the base URL. */
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: readonly Json[];
  /** The paths of the requests so far. */
  readonly paths: readonly string[];
  /** Resolves when the connection of a request was closed before its answer had ended. */
  readonly aborted: Promise<void>;
}

export const formats: readonly Format[] = [openAi, anthropic];

/** Serves the answers until the test ends. */
export async function serveModel(format: Format, replies: readonly (Reply | Refusal)[]): Promise<ModelServer> {
  const requests: Json[] = [];
  const paths: string[] = [];
  let setAborted = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    setAborted = resolve;
  });
  const server = createServer((request, response) => {
    response.once("close", () => {
      if (!response.writableEnded) setAborted();
    });
    void answer(request, response);
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    paths.push(incoming.url ?? "");
    requests.push((await json(incoming)) as Json);
    const reply = replies[requests.length - 1];
    if (reply === undefined) throw new Error(`The model is asked ${requests.length} times`);
    if ("status" in reply) {
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(JSON.stringify(reply.body ?? { error: { message: "SECRET-BODY", type: "some_error" } }));
      return;
    }
    await stream(response, format, reply, requests.length);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const url = `http://127.0.0.1:${address.port}/v1`;
  return { model: connectModel(format, url), url, requests, paths, aborted };
}

function connectModel(format: Format, baseURL: string): LanguageModel {
  if (format === anthropic) return createAnthropic({ baseURL, apiKey: secretKey })("stand-in");
  return createOpenAICompatible({ name: "stand-in", baseURL, apiKey: secretKey, includeUsage: true })("stand-in");
}

async function stream(response: ServerResponse, format: Format, reply: Reply, number: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let count = 0;
  for (const data of format.events(reply, number)) {
    if (count === reply.cutAfter) return void response.destroy();
    if (count === reply.hangsAfter) return;
    if (count === reply.errorAfter) return void response.end(toEvent(format.failure));
    response.write(toEvent(data));
    count += 1;
    // Each event travels alone, as those of a model do.
    await setImmediate();
  }
  response.end();
}

function toEvent(data: Json | "[DONE]"): string {
  if (data === "[DONE]") return "data: [DONE]\n\n";
  const { type } = data;
  return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
}
