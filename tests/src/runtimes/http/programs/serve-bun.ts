/** Serves the agent of the story on Bun; prints the port. Options of the server come as JSON. */
import { createHttpServer, type HttpServer } from "@acp/http";

import { createStoryAgent } from "../../../support/http/toolkit-story.ts";
import { readOptions } from "./server-options.ts";

declare const Bun: { serve(options: object): { readonly port: number } };

// By a name that the compiler does not follow: it would want the types of Bun.
const name: string = "@acp/bun/http";
const { bunHttpHandlers }: { bunHttpHandlers(server: HttpServer): object } = await import(name);

const server = createHttpServer({ agent: createStoryAgent(console.error), ...readOptions() });
const handlers = bunHttpHandlers(server);
// Every connection that is idle for a second ends, unless the handlers keep it.
console.log(Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 1, ...handlers }).port);
