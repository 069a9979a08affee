import { createWebSocketTransport } from "@acp/core";
import { createHttpServer, createHttpTransport } from "@acp/http";
import { nodeHttpHandler, nodeUpgradeHandler } from "@acp/node/http";
import { WebSocket, WebSocketServer } from "ws";

import type { Contestant } from "../contestant.ts";
import { agentOf, clientOf, port } from "../toolkit.ts";
import { listenUntilGone, startServer, type Wire } from "./listening.ts";

/** This toolkit over a network, on the server and the WebSockets that most have on Node. */
export function toolkitNetwork(wire: Wire): Contestant {
  return {
    async serve(work) {
      const server = createHttpServer({ agent: agentOf(work) });
      const upgrade = nodeUpgradeHandler(server, new WebSocketServer({ noServer: true }));
      await listenUntilGone({ request: nodeHttpHandler(server), upgrade });
    },
    async start(command, hooks) {
      const server = await startServer(command);
      const { client, sessions } = clientOf(hooks);
      const url = server.url(wire);
      const agent = port(
        await client.connect(wire === "http" ? createHttpTransport(url) : createWebSocketTransport(new WebSocket(url))),
        sessions,
      );
      return {
        ...agent,
        async close() {
          await agent.close();
          await server.close();
        },
      };
    },
  };
}
