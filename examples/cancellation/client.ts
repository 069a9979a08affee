// A client that cancels a turn.
import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";

const client = createClient({ info: { name: "impatient-client", version: "1.0.0" } });

const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [`${import.meta.dirname}/agent.ts`],
});
try {
  const session = await agent.newSession({ cwd: process.cwd() });

  // Any AbortSignal will do: `AbortSignal.timeout(60_000)` limits the time of a turn.
  const controller = new AbortController();
  const turn = session.prompt("Count", { signal: controller.signal });
  for await (const update of turn.updates) {
    if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") continue;
    console.log(update.content.text);
    // The agent may still send what it has under way; the loop goes on until it has answered.
    if (update.content.text === "3") controller.abort();
  }

  // A cancelled turn is no error: it resolves with the agent's answer.
  const { stopReason } = await turn.response;
  console.log(`The turn ended: ${stopReason}`);
} finally {
  await agent.close();
}
