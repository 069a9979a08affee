/** The toolkit's proxy, before the agent whose command it is given. */
import { createProxy } from "@acp/proxy";
import { serveStdio, spawnTransport } from "@acp/node";

const [command = "", ...args] = process.argv.slice(2);
const proxy = createProxy({ connect: () => spawnTransport({ command, args }) });
await serveStdio(proxy);
