import { Readable, Writable } from "node:stream";

import * as acp from "@agentclientprotocol/sdk";

export const client = acp
  .client({ name: "bench" })
  .onNotification("session/update", ({ params }) => void params.update.sessionUpdate)
  .onRequest("session/request_permission", () => ({ outcome: { outcome: "cancelled" } }))
  .onRequest("fs/read_text_file", ({ params }) => ({ content: params.path }));

acp
  .agent({ name: "bench" })
  .onRequest("initialize", () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest("session/new", () => ({ sessionId: crypto.randomUUID() }))
  .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client: editor }) => {
    const { content } = await editor.request("fs/read_text_file", { sessionId, path: "/project/a.txt" });
    const text = `${content} ${prompt.length}`;
    await editor.notify("session/update", {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });
    return { stopReason: "end_turn" };
  })
  .connect(
    acp.ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
