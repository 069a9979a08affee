// An agent that runs a command in a terminal of the client, where the user can watch it.
import { createAgent } from "@acp/core";
import { runCommand } from "@acp/core/agent";
import { serveStdio } from "@acp/node";

const agent = createAgent({
  info: { name: "calculating-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async (_params, { turn }) => {
      // Shown as a tool call; ended after ten seconds, or when the turn is cancelled; its terminal is released in any case.
      const { exitCode, output } = await runCommand(turn, {
        command: "node",
        args: ["-p", "6 * 7"],
        timeout: 10_000,
        call: { title: "Calculate 6 * 7" },
      });
      await turn.message(exitCode === 0 ? `It is ${output.trim()}.` : "That did not work.");
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
