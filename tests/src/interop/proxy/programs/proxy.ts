/** A proxy over stdio; its agent is the command line behind it. */
import { createProxy } from "@acp/proxy";
import { serveStdio, spawnTransport } from "@acp/node";

const [command = "", ...args] = process.argv.slice(2);
await serveStdio(createProxy({ connect: () => spawnTransport({ command, args }) }));
