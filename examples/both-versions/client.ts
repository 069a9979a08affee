// A client that speaks with each agent the newest version that both know.
import { createClient } from "@acp/core";
import * as v2 from "@acp/core/v2";
import { spawnAgent } from "@acp/node";

const info = { name: "both-client", version: "1.0.0" };
const older = createClient({ info });
const either = v2.clientOfVersions({ v1: older, v2: v2.createClient({ info }) });
const command = { command: process.execPath, args: [`${import.meta.dirname}/agent.ts`] };

/** What turns of both versions tell. */
type Told = { readonly sessionUpdate: unknown; readonly content?: unknown };

async function print(updates: AsyncIterable<Told>): Promise<void> {
  let text = "";
  for await (const { sessionUpdate, content } of updates) {
    if (sessionUpdate === "agent_message_chunk") text += (content as { text: string }).text;
  }
  console.log(text);
}

// Started by a client that knows both versions, the agent speaks version 2.
const { version, agent } = await spawnAgent(either, command);
if (version === 2) {
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt("Which version is this?");
  await print(turn.updates);
  // The prompt was answered long before: the session says how the turn has ended.
  console.log("The session is", session.state, "with", (await turn.finished).stopReason);
}
await agent.close();

// A client of version 1 finds what it knows.
const agentOfOld = await spawnAgent(older, command);
const turn = (await agentOfOld.newSession({ cwd: process.cwd() })).prompt("And this?");
await print(turn.updates);
console.log(`The turn ended: ${(await turn.response).stopReason}`);
await agentOfOld.close();
