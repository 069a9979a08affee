/** The toolkit's conductor with two proxies, before the agent whose command it is given. */
import { createConductor } from "@acp/proxy/chain";
import { serveStdio, spawnTransport } from "@acp/node";
import { fileURLToPath } from "node:url";

const [command = "", ...args] = process.argv.slice(2);
const proxy = fileURLToPath(new URL("toolkit-chain-proxy.ts", import.meta.url));
const passingOn = { connect: () => spawnTransport({ command: process.execPath, args: [...process.execArgv, proxy] }) };
const conductor = createConductor({
  proxies: [passingOn, passingOn],
  agent: { connect: () => spawnTransport({ command, args }) },
});
await serveStdio(conductor);
