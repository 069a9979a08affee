import {
  type ClientHandlers,
  type ConnectedAgent,
  createClient,
  createWebSocketTransport,
  type SessionUpdate,
} from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { WebSocket } from "ws";

/** A client of a hub over a network. */
export interface RemoteClient {
  readonly agent: ConnectedAgent;
  readonly shown: readonly SessionUpdate[];
  /** The texts of the agent, as one. */
  text(): string;
}

export type Way = "HTTP" | "WebSocket";

/** Connects to a hub on the loopback. */
export async function connectRemotely(
  way: Way,
  port: number,
  token: string,
  handlers?: ClientHandlers,
): Promise<RemoteClient> {
  const shown: SessionUpdate[] = [];
  const client = createClient({
    info: { name: `client over ${way}`, version: "1.0.0" },
    handlers: { ...handlers, "session/update": ({ update }) => void shown.push(update as SessionUpdate) },
  });
  const headers = { Authorization: `Bearer ${token}` };
  const transport =
    way === "HTTP"
      ? createHttpTransport(`http://127.0.0.1:${port}`, { headers })
      : createWebSocketTransport(`ws://127.0.0.1:${port}`, { open: (url) => new WebSocket(url, { headers }) });
  return { agent: await client.connect(transport), shown, text: () => shown.map(textOf).join("") };
}

function textOf(update: SessionUpdate): string {
  return update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "";
}
