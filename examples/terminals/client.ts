// A client that runs commands for its agent and shows what they print.
import { createClient } from "@acp/core";
import { spawnAgent, terminals } from "@acp/node";

const client = createClient({
  info: { name: "terminal-client", version: "1.0.0" },
  handlers: {
    // The handlers of all five `terminal/*` methods. Commands run in the session's `cwd`.
    ...terminals({
      onCreate: (terminal) => {
        console.log(`$ ${terminal.command} ${terminal.args.join(" ")}`);
        terminal.onOutput((chunk) => process.stdout.write(chunk));
      },
    }),
  },
});

const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [`${import.meta.dirname}/agent.ts`],
});
try {
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt("What is 6 * 7?");
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      console.log(update.content.text);
    }
  }
  await turn.response;
} finally {
  await agent.close();
}
