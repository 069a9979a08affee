// The smallest client: it starts an agent, sends one prompt, and prints the answer.
import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";

const client = createClient({ info: { name: "hello-client", version: "1.0.0" } });

const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [`${import.meta.dirname}/agent.ts`],
});
try {
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt("Good morning");
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      console.log(update.content.text);
    }
  }
  const { stopReason } = await turn.response;
  console.log(`The turn ended: ${stopReason}`);
} finally {
  // Ends the connection and the agent's process.
  await agent.close();
}
