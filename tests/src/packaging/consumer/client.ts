// A client that starts that agent and lets it read one of its files.
import { fileURLToPath } from "node:url";

import { createClient } from "@acp/core";
import { fileSystem, spawnAgent, terminals } from "@acp/node";

const client = createClient({
  info: { name: "consumer-client", version: "1" },
  handlers: { ...fileSystem(), ...terminals() },
});
const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [fileURLToPath(new URL("agent.js", import.meta.url))],
});
try {
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt("go");
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      console.log(update.content.text);
    }
  }
  console.log((await turn.response).stopReason);
} finally {
  await agent.close();
}
