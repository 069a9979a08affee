import type { HttpServer } from "../../src/server/http-server.ts";

/** A request that was made, and how it was answered. */
export interface Exchange {
  readonly method: string;
  readonly session: string | null;
  readonly status: number;
}

/** A `fetch` whose requests go to a server in this process, and which keeps what was asked. */
export function fetchFrom(server: HttpServer): {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly exchanges: readonly Exchange[];
} {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      const response = await server.handle(request);
      const session = request.headers.get("Acp-Session-Id");
      exchanges.push({ method: request.method, session, status: response.status });
      init.signal?.throwIfAborted();
      return response;
    },
  };
}

export const endpoint = "http://localhost/acp";

/** A message, posted as a client does. */
export function posted(message: unknown, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request(endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

/** Asks for a stream. */
export function asked(headers: Readonly<Record<string, string>>): Request {
  return new Request(endpoint, { headers: { Accept: "text/event-stream", ...headers } });
}

export const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientInfo: { name: "client", version: "1" } },
};

/** Opens a connection; returns the header that names it. */
export async function open(server: HttpServer): Promise<{ readonly "Acp-Connection-Id": string }> {
  const response = await server.handle(posted(initialize));
  const id = response.headers.get("Acp-Connection-Id");
  if (response.status !== 200 || id === null) throw new Error(`${response.status}: ${await response.text()}`);
  await response.text();
  return { "Acp-Connection-Id": id };
}

/** The messages of a stream, one at a time. */
export async function* messagesOf(response: Response): AsyncGenerator<Record<string, unknown>, void> {
  if (response.body === null) return;
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events)
      if (event.startsWith("data: ")) yield JSON.parse(event.slice(6)) as Record<string, unknown>;
  }
}
