import type { McpFetch } from "@acp/mcp";
import { randomId } from "@acp/core/internal";

/** An MCP server on the loopback, for agents that reach servers over HTTP alone. */
export interface LoopbackServer {
  readonly url: string;
  /** Only who sends this as `Authorization` is served. */
  readonly authorization: string;
  stop(): void;
}

interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: Uint8Array): unknown;
  end(): unknown;
  once(event: "close", listener: () => void): unknown;
}

interface NodeServer {
  listen(port: number, host: string, listening: () => void): unknown;
  once(event: "error", listener: (error: Error) => void): unknown;
  address(): { readonly port: number };
  unref(): unknown;
  close(): unknown;
  closeAllConnections(): unknown;
}

/** The part of `node:http` that is used here; Deno and Bun have it as well. */
interface NodeHttp {
  createServer(listener: (request: NodeRequest, response: NodeResponse) => void): NodeServer;
}

const largestBody = 64 * 2 ** 20;

/** Serves a server until it is stopped, on a free port, to who has a random token. */
export async function serveLoopback(server: McpFetch): Promise<LoopbackServer> {
  const name: string = "node:http";
  const { createServer } = (await import(name)) as NodeHttp;
  const authorization = `Bearer ${randomId()}`;
  const listener = createServer((request, response) => {
    void answer(request, response, server, authorization).catch(() => response.end());
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(0, "127.0.0.1", resolve);
  });
  // The agent's process keeps the program alive, not this.
  listener.unref();
  const stop = (): void => {
    listener.close();
    listener.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${listener.address().port}/mcp`, authorization, stop };
}

async function answer(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  server: McpFetch,
  authorization: string,
): Promise<void> {
  const stop = new AbortController();
  outgoing.once("close", () => stop.abort());
  const { method = "GET" } = incoming;
  if (incoming.headers["authorization"] !== authorization) return refuse(outgoing, 403);
  const body = method === "POST" ? await readBody(incoming) : undefined;
  if (body === null) return refuse(outgoing, 413);
  const headers = Object.entries(incoming.headers).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  const init = { method, headers, signal: stop.signal, ...(body === undefined ? {} : { body }) };
  const response = await server(new Request("http://127.0.0.1/mcp", init));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const chunk of response.body ?? []) outgoing.write(chunk);
  outgoing.end();
}

function refuse(outgoing: NodeResponse, status: number): void {
  outgoing.writeHead(status, { "content-length": "0", connection: "close" });
  outgoing.end();
}

async function readBody(incoming: NodeRequest): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of incoming) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > largestBody) return null;
  }
  return text + decoder.decode();
}
