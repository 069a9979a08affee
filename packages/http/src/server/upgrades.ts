import { createWebSocketTransport } from "@acp/core";
import { connectionHeader } from "../wire-names.ts";
import { refusal } from "./answers.ts";
import type { Connections } from "./connections.ts";
import type { WebSocketUpgrade } from "./http-server.ts";
import type { Limits } from "./limits.ts";

/** Prepares upgrades to WebSockets, each a connection of its own. */
export function createUpgrades<Identity>(
  connections: Connections<Identity>,
  limits: Limits,
): (request: Request, identity: Identity) => Promise<WebSocketUpgrade | Response> {
  return async (request, identity) => {
    if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
      return refusal(426, "Expected the upgrade to a WebSocket", { Upgrade: "websocket" });
    const giveBack = connections.reserve();
    if (giveBack instanceof Response) return giveBack;
    try {
      const agent = await connections.agentFor(request, identity);
      return {
        headers: { [connectionHeader]: crypto.randomUUID() },
        accept: (socket) => connections.connect(agent, createWebSocketTransport(socket, limits), giveBack),
        discard: giveBack,
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  };
}
