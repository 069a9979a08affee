/** Serves the agent of the story on Node.js; prints the port. Options of the server come as JSON. */
import { createServer } from "node:http";
import process from "node:process";

import { createHttpServer } from "@acp/http";
import { nodeHttpHandler, nodeUpgradeHandler } from "@acp/node/http";
import { WebSocketServer } from "ws";

import { createStoryAgent } from "../../../support/http/toolkit-story.ts";
import { readOptions } from "./server-options.ts";

const server = createHttpServer({ agent: createStoryAgent(console.error), ...readOptions() });
const listener = createServer(nodeHttpHandler(server));
listener.on("upgrade", nodeUpgradeHandler(server, new WebSocketServer({ noServer: true })));
// A stream that is idle for a second ends, unless the handler keeps it. A message may take longer to arrive on a busy machine.
if (process.argv.length === 2) {
  listener.prependListener("request", ({ method, socket }) => {
    if (method === "GET") socket.setTimeout(1000);
  });
}
listener.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  console.log(typeof address === "object" ? address?.port : address);
});
