// A client that knows nothing of proxies: to it, a conductor is an agent like any other.
import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";

const client = createClient({ info: { name: "chain-client", version: "1.0.0" } });

const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [`${import.meta.dirname}/conductor.ts`],
});
try {
  console.log(`Connected with ${agent.info?.name}`);
  const session = await agent.newSession({ cwd: process.cwd() });
  for (const text of ["Good morning", "Good night"]) {
    const turn = session.prompt(text);
    for await (const update of turn.updates) {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
        console.log(update.content.text);
      }
    }
    await turn.response;
  }
} finally {
  // Ends the conductor, and with it the proxy and the agent.
  await agent.close();
}
