/** A proxy of the toolkit's, for a chain: it passes everything on. */
import { createChainProxy } from "@acp/proxy/chain";
import { serveStdio } from "@acp/node";

await serveStdio(createChainProxy({}));
