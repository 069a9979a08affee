// The same with the official SDK of ACP, which puts the requests together itself.
import { Readable, Writable } from "node:stream";

import * as sdk from "@agentclientprotocol/sdk/unstable";

const mcp = new sdk.McpOverAcpCaller({ clientInfo: { name: "official-agent", version: "1.0.0" } });
const app = sdk.agent({ name: "official-agent" });
let server: sdk.McpServer | undefined;
app.onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { acp: true } } }));
app.onRequest("session/new", ({ params }) => {
  server = params.mcpServers[0];
  return { sessionId: "official" };
});
app.onNotification("mcp/message", mcp.handleNotification);
app.onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
  const [block] = prompt;
  const { tool, args } = JSON.parse(block?.type === "text" ? block.text : "") as { tool: string; args: object };
  const { serverId } = server as { readonly serverId: string };
  const progress: unknown[] = [];
  const onNotification = (told: sdk.McpNotification): void => void progress.push(told.params?.["progress"]);
  const params = { name: tool, arguments: args, _meta: { progressToken: "p" } };
  const outcome = await mcp
    .request(client, serverId, "tools/call", params, { onNotification })
    .catch((error) => ({ error }));
  const text = "error" in outcome ? outcome.error.message : JSON.stringify({ ...(outcome.result as object), progress });
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } as const;
  await client.notify("session/update", { sessionId, update });
  return { stopReason: "end_turn" };
});
app.connect(
  sdk.ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  ),
);
