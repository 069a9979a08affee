/** Serves the agent of the story on Node.js; prints the port. Options of the server come as JSON. */
import { createServer } from "node:http";
import process from "node:process";

import { createHttpServer } from "@acp/http";
import { nodeHttpHandler, nodeUpgradeHandler } from "@acp/node/http";
import { WebSocketServer } from "ws";

import { createStoryAgent } from "../../../support/http/toolkit-story.ts";
import { readOptions } from "./server-options.ts";

const server = createHttpServer({ agent: createStoryAgent(console.error), ...readOptions() });
const listener = createServer({ connectionsCheckingInterval: 100 }, nodeHttpHandler(server));
listener.on("upgrade", nodeUpgradeHandler(server, new WebSocketServer({ noServer: true })));
// Every connection that is idle for a second ends, unless the handlers keep it. Those of attackers last longer.
if (process.argv.length === 2) {
  listener.timeout = 1000;
  listener.requestTimeout = 1000;
  listener.headersTimeout = 1000;
}
listener.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  console.log(typeof address === "object" ? address?.port : address);
});
