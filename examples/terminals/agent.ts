// An agent that runs a command in a terminal of the client, where the user can watch it.
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

const agent = createAgent({
  info: { name: "calculating-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async (_params, { turn, client }) => {
      const { terminalId } = await client.request("terminal/create", { command: "node", args: ["-p", "6 * 7"] });
      try {
        const call = await turn.toolCall({
          title: "Calculate 6 * 7",
          kind: "execute",
          content: [{ type: "terminal", terminalId }],
        });
        const { exitCode } = await client.request("terminal/wait_for_exit", { terminalId });
        const { output } = await client.request("terminal/output", { terminalId });
        if (exitCode !== 0) {
          await call.fail();
          await turn.message("That did not work.");
        } else {
          await call.complete();
          await turn.message(`It is ${output.trim()}.`);
        }
        return { stopReason: "end_turn" };
      } finally {
        // Also ends the command, if it still runs because the turn was cancelled.
        await client.request("terminal/release", { terminalId });
      }
    },
  },
});

await serveStdio(agent);
