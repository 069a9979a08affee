// The agent and the client that projects outside of the workspace have.

/** An agent that answers with the name in its `package.json`, which it has the client read. */
export const agent = (runtime: string): string => `import "@acp/${runtime}/guard";
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/${runtime}";

console.log("noise, which the guard keeps out of the protocol");

const agent = createAgent({
  info: { name: "consumer-agent", version: "1" },
  handlers: {
    "session/prompt": async (_params, { turn, client, session }) => {
      const { content } = await client.request("fs/read_text_file", { path: \`\${session.cwd}/package.json\` });
      await turn.message(JSON.parse(content).name);
      return { stopReason: "end_turn" };
    },
  },
});
await serveStdio(agent);
`;

/** A client that starts it, and prints the answer. */
export const client = (runtime: string, executable: string, args: string, specifier = ""): string => `
import { createClient } from "${specifier}@acp/core";
import { fileSystem, spawnAgent, terminals } from "${specifier}@acp/${runtime}";

const client = createClient({
  info: { name: "consumer-client", version: "1" },
  handlers: { ...fileSystem(), ...terminals() },
});
const agent = await spawnAgent(client, { command: ${executable}, args: ${args} });
try {
  const session = await agent.newSession({ cwd: new URL(".", import.meta.url).pathname.slice(0, -1) });
  const turn = session.prompt("go");
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") console.log(update.content.text);
  }
  console.log((await turn.response).stopReason);
} finally {
  await agent.close();
}
`;
