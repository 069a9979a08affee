// A client that knows the agent's extension methods.
import { createClientFor } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { acme } from "./protocol.ts";

const client = createClientFor(acme)({
  info: { name: "acme-client", version: "1.0.0" },
  handlers: {
    "_acme/progress": ({ done, total }) => console.log(`${done} of ${total}`),
  },
});

const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [`${import.meta.dirname}/agent.ts`],
});
try {
  // Params and result are typed; an agent that does not have the method answers with error -32601.
  const { words } = await agent.request("_acme/count_words", { text: "four words in here" });
  console.log(`${words} words`);

  const session = await agent.newSession({ cwd: process.cwd() });
  const { stopReason } = await session.prompt("Go").response;
  console.log(`The turn ended: ${stopReason}`);
} finally {
  await agent.close();
}
