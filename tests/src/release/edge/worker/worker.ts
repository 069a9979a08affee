// A program for an edge runtime. `GET /agent` upgrades to a WebSocket with an agent behind it; `GET /client` drives that
// agent from a client in the same worker, over Web Streams, and answers with what it saw; `GET /http-client` does so over
// HTTP, with a server in this worker or at the `url` that is given.
import {
  createAgent,
  createClient,
  createStreamTransport,
  createWebSocketTransport,
  type Diagnostic,
  type Transport,
  type WebSocketLike,
} from "@acp/core";
import { createHttpServer, createHttpTransport } from "@acp/http";

/** What edge runtimes have beyond the web: the two ends of a socket. */
declare const WebSocketPair: new () => { readonly 0: unknown; readonly 1: WebSocketLike & { accept(): void } };

const agent = createAgent({
  info: { name: "edge-agent", version: "1.0.0" },
  session: () => ({ turns: 0 }),
  handlers: {
    "session/prompt": async (_params, { client, session, signal, turn }) => {
      session.state.turns += 1;
      if (session.state.turns === 2) {
        await turn.message("waiting");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      }
      const call = await turn.toolCall({ title: "Read the file", kind: "read" });
      const { outcome } = await call.requestPermission();
      const { content } = await client.request("fs/read_text_file", { path: "/project/file" });
      await call.complete(content);
      for (let n = 0; n < 1000; n++) await turn.message(`${n} `);
      await turn.message(`${outcome}: ${content}`);
      return { stopReason: "end_turn" };
    },
  },
});

function acceptAgent(): Response {
  const { 0: theirs, 1: ours } = new WebSocketPair();
  ours.accept();
  agent.connect(createWebSocketTransport(ours));
  const init: ResponseInit & { webSocket: unknown } = { status: 101, webSocket: theirs };
  return new Response(null, init);
}

function overStreams(): Transport {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  agent.connect(createStreamTransport({ readable: there.readable, writable: back.writable }));
  return createStreamTransport({ readable: back.readable, writable: there.writable });
}

/** A server in this worker, as the requests of one client see it. */
function overOwnServer(): Transport {
  const server = createHttpServer({ agent });
  return createHttpTransport("http://localhost/acp", { fetch: (url, init) => server.handle(new Request(url, init)) });
}

async function runClient(transport: Transport): Promise<Response> {
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "edge-client", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": ({ options }) => ({
        outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
      }),
      "fs/read_text_file": ({ path }) => ({ content: `the text of ${path}` }),
    },
  });
  const connected = await client.connect(transport);
  const session = await connected.newSession({ cwd: "/project" });
  const turn = session.prompt("go");
  let text = "";
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text = update.content.text;
  }
  const { stopReason } = await turn.response;
  await connected.close();
  return Response.json({ agent: connected.info?.name, text, stopReason, diagnostics });
}

export default {
  fetch(request: Request): Response | Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/agent") return acceptAgent();
    if (pathname === "/client") return runClient(overStreams());
    const url = searchParams.get("url");
    return runClient(url === null ? overOwnServer() : createHttpTransport(url));
  },
};
