import { once } from "node:events";
import { createServer } from "node:http";

import { WebSocketServer } from "ws";

import { nodeHttpHandler, nodeUpgradeHandler } from "#http";

import type { Listen } from "./listen.ts";

export const listenOnNode: Listen = async (server, { host, port }) => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 2 * server.maxMessageBytes });
  const listener = createServer(nodeHttpHandler(server));
  listener.on("upgrade", nodeUpgradeHandler(server, sockets));
  listener.listen(port, host);
  await once(listener, "listening");
  const address = listener.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async close() {
      const closed = once(listener, "close");
      listener.close();
      for (const socket of sockets.clients) socket.terminate();
      listener.closeAllConnections();
      await closed;
    },
  };
};
