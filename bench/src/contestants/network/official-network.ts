import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { WebSocket, WebSocketServer } from "ws";

import type { Contestant } from "../contestant.ts";
import { agentOf, drive } from "../official.ts";
import { listenUntilGone, startServer, type Wire } from "./listening.ts";

/** The official SDK over a network, the way its documentation puts it together. */
export function officialNetwork(wire: Wire): Contestant {
  return {
    async serve(work) {
      const server = new AcpServer({ createAgent: () => agentOf(work) });
      const upgrade = createNodeWebSocketUpgradeHandler(server, new WebSocketServer({ noServer: true }));
      await listenUntilGone({ request: createNodeHttpHandler(server), upgrade });
    },
    async start(command, hooks) {
      const server = await startServer(command);
      const url = server.url(wire);
      const stream = wire === "http" ? createHttpStream(url) : createWebSocketStream(url, { WebSocket });
      return drive(stream, hooks, () => server.close());
    },
  };
}
