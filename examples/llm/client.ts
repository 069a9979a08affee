// A client that prints what a model says, and asks the user before the model runs a command.
import { createClient } from "@acp/core";
import { spawnAgent, terminals } from "@acp/node";
import { createInterface } from "node:readline/promises";

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const client = createClient({
  info: { name: "llm-client", version: "1.0.0" },
  handlers: {
    ...terminals({ onCreate: (command) => command.onOutput((chunk) => process.stdout.write(chunk)) }),
    "session/request_permission": async ({ toolCall, options }, { signal }) => {
      const answer = await terminal.question(`\nRun ${toolCall.title}? (y/n) `, { signal });
      const wanted = answer === "y" ? "allow_once" : "reject_once";
      const option = options.find(({ kind }) => kind === wanted);
      if (option === undefined) return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    },
  },
});

const agent = await spawnAgent(client, { command: process.execPath, args: [`${import.meta.dirname}/agent.ts`] });
try {
  const session = await agent.newSession({ cwd: process.cwd() });
  // Ctrl-C cancels the turn.
  const cancel = new AbortController();
  process.once("SIGINT", () => cancel.abort());
  const turn = session.prompt(process.argv[2] ?? "Which version of Node.js is this?", { signal: cancel.signal });
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      process.stdout.write(update.content.text);
    }
  }
  console.log(`\nThe turn ended: ${(await turn.response).stopReason}`);
} finally {
  terminal.close();
  await agent.close();
}
