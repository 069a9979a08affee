import type { HttpServer } from "@acp/http";

import { bunHttpHandlers } from "./bun-http-handlers.ts";

declare const server: HttpServer;

// What Bun's own types want is what the handlers are.
Bun.serve({ port: 0, ...bunHttpHandlers(server) });
