// An agent as a program of its own, which prints before it serves.
// oxlint-disable-next-line import/no-unassigned-import
import "@acp/node/guard";
import { createAgent } from "@acp/core";
import { createNodePipe, serveStdio } from "@acp/node";

console.log(`noise, which the guard keeps out of the protocol: ${typeof createNodePipe}`);

const agent = createAgent({
  info: { name: "consumer-agent", version: "1" },
  handlers: {
    "session/prompt": async (_, { turn, client, session }) => {
      const { content } = await client.request("fs/read_text_file", { path: `${session.cwd}/package.json` });
      await turn.message(String(Reflect.get(JSON.parse(content), "name")));
      return { stopReason: "end_turn" };
    },
  },
});
// As a program passes on what it was given itself, or was not.
const unset = undefined;
await serveStdio(agent, { exitGrace: unset, framing: unset, onDiagnostic: unset, onTraffic: unset, signal: unset });
