// What an editor starts instead of the agent: it starts the proxy and the agent, and carries their messages.
import { createConductor } from "@acp/proxy/chain";
import { serveStdio, spawnTransport } from "@acp/node";

const start = (program: string) => () =>
  spawnTransport({ command: process.execPath, args: [`${import.meta.dirname}/${program}`] });

const conductor = createConductor({
  // From the editor's side to the agent's.
  proxies: [{ name: "context", connect: start("proxy.ts") }],
  agent: { connect: start("../hello/agent.ts") },
});

await serveStdio(conductor);
