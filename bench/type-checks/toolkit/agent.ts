import { createAgent, createClient } from "@acp/core";
import { serveStdio, spawnAgent } from "@acp/node";

const info = { name: "bench", version: "1.0.0" };

export const client = createClient({
  info,
  handlers: {
    "session/update": ({ update }) => void update.sessionUpdate,
    "session/request_permission": () => ({ outcome: { outcome: "cancelled" } }),
    "fs/read_text_file": ({ path }) => ({ content: path }),
  },
});

export const connected = spawnAgent(client, { command: "agent" });

await serveStdio(
  createAgent({
    info,
    handlers: {
      "session/prompt": async ({ prompt }, { turn, client: editor }) => {
        const { content } = await editor.request("fs/read_text_file", { path: "/project/a.txt" });
        await turn.message(`${content} ${prompt.length}`);
        return { stopReason: "end_turn" };
      },
    },
  }),
);
