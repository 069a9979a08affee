// A client that starts that agent and lets it read one of its files.
import { fileURLToPath } from "node:url";

import { createClient } from "@acp/core";
import { fileSystem, spawnAgent, terminals } from "@acp/node";

// As a program passes on what it was given itself, or was not.
const unset = undefined;
const client = createClient({
  info: { name: "consumer-client", version: "1" },
  handlers: { ...fileSystem(), ...terminals() },
  authenticate: unset,
  onDiagnostic: unset,
});
const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [fileURLToPath(new URL("agent.js", import.meta.url))],
  cwd: unset,
  env: unset,
  framing: unset,
  maxMessageBytes: unset,
  onDiagnostic: unset,
  onStderr: unset,
  onTraffic: unset,
  shutdown: unset,
  signal: unset,
  startTimeout: unset,
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
