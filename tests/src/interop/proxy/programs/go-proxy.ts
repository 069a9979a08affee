/** A proxy from clients to agents of the Go dialect, which are both translated: in between it is the official one. */
import { speakGoDialect, withGoClients } from "@acp/go-dialect";
import { createProxy } from "@acp/proxy";
import { serveStdio, spawnTransport } from "@acp/node";

const [command = "", ...args] = process.argv.slice(2);
const proxy = createProxy({ connect: async () => speakGoDialect(await spawnTransport({ command, args })) });
await serveStdio(withGoClients(proxy));
