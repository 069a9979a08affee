// A client that passes an agent's questions on to the user, on the terminal.
import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { createInterface } from "node:readline/promises";

const client = createClient({
  info: { name: "asking-client", version: "1.0.0" },
  handlers: {
    "session/request_permission": async ({ toolCall, options }, { signal }) => {
      console.log(`The agent wants to do this: ${toolCall.title}`);
      for (const [index, { name }] of options.entries()) console.log(`  ${index + 1}: ${name}`);

      const terminal = createInterface({ input: process.stdin, output: process.stdout });
      try {
        // Gives up when the turn is cancelled: the agent gets its answer then without our doing.
        const answer = await terminal.question("Your choice: ", { signal });
        const choice = options[Number(answer) - 1] ?? options.find(({ kind }) => kind === "reject_once");
        if (choice === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId: choice.optionId } };
      } finally {
        terminal.close();
      }
    },
  },
});

const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [`${import.meta.dirname}/agent.ts`],
});
try {
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt("Clean up");
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "tool_call_update") console.log(`The tool call: ${update.status}`);
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      console.log(update.content.text);
    }
  }
  await turn.response;
} finally {
  await agent.close();
}
