// A program for an edge runtime. `GET /agent` upgrades to a WebSocket with an agent behind it; `GET /client` drives that
// agent from a client in the same worker, over Web Streams, and answers with what it saw.
import {
  createAgent,
  createClient,
  createStreamTransport,
  createWebSocketTransport,
  type Diagnostic,
  type WebSocketLike,
} from "@acp/core";

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

async function runClient(): Promise<Response> {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  agent.connect(createStreamTransport({ readable: there.readable, writable: back.writable }));
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
  const connected = await client.connect(createStreamTransport({ readable: back.readable, writable: there.writable }));
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
    return new URL(request.url).pathname === "/agent" ? acceptAgent() : runClient();
  },
};
