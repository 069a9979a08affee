// An agent of the official SDK that calls the tools of its session: each line of a prompt is a tool and its input.
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const servers = new Map<string, readonly acp.McpServer[]>();
let count = 0;

const app = acp.agent({ name: "official-tools-agent" });
app.onRequest("initialize", () => ({
  protocolVersion: acp.PROTOCOL_VERSION,
  agentCapabilities: { mcpCapabilities: { http: true } },
}));
app.onRequest("session/new", ({ params }) => {
  const sessionId = `s${++count}`;
  servers.set(sessionId, params.mcpServers);
  return { sessionId };
});
app.onRequest("session/prompt", async ({ params, client }) => {
  const { sessionId, prompt } = params;
  const say = (text: string): Promise<void> =>
    client.notify("session/update", {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });
  const [server] = servers.get(sessionId) ?? [];
  if (server === undefined || !("url" in server)) {
    await say("I have no tools");
    return { stopReason: "end_turn" };
  }
  const tools = new Client({ name: "official-tools-agent", version: "1.0.0" });
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  await tools.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  await say(`I have ${(await tools.listTools()).tools.map(({ name }) => name).join(", ")}. `);
  const lines = prompt.flatMap((block) => (block.type === "text" ? block.text.split("\n") : []));
  const results = await Promise.all(
    lines.flatMap((line) => {
      const [, name, input] = /^call (\w+) (.*)$/u.exec(line) ?? [];
      if (name === undefined) return [];
      return [tools.callTool({ name, arguments: JSON.parse(input ?? "") as Record<string, unknown> })];
    }),
  );
  await say(JSON.stringify(results.map(({ content, isError }) => ({ content, isError }))));
  await tools.close();
  return { stopReason: "end_turn" };
});
app.connect(
  acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
);
