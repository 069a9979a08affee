import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { type WebSocket as WsSocket, WebSocketServer } from "ws";

import { createMessagePortTransport } from "../message-port-transport.ts";
import type { TransportOptions } from "../transport-options.ts";
import type { Transport } from "../transport.ts";
import { createWebSocketTransport } from "../web-socket-transport.ts";

/** Two transports over a real channel, with what is below them. */
export interface TextChannelPair {
  readonly left: Transport;
  readonly right: Transport;
  /** Puts something on the channel, past the left transport, that is no text. */
  postOther(): void;
}

/** Two sockets that are connected: that of the runtime, and one of a server. */
export async function socketPair(): Promise<{ readonly ours: WebSocket; readonly theirs: WsSocket }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 2 ** 30 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ours = new WebSocket(`ws://127.0.0.1:${port}`);
  const opened = new Promise((resolve) => ours.addEventListener("open", resolve));
  const [theirs]: WsSocket[] = await once(server, "connection");
  await opened;
  if (theirs === undefined) throw new Error("Nobody connected");
  // No more connections; the one that is there goes on.
  server.close();
  return { ours, theirs };
}

/** The right one, on the server's side, may have other options than the left one. */
export async function webSockets(
  options?: TransportOptions,
  right: TransportOptions | undefined = options,
): Promise<TextChannelPair> {
  const { ours, theirs } = await socketPair();
  return {
    left: createWebSocketTransport(ours, options),
    right: createWebSocketTransport(theirs, right),
    postOther: () => ours.send(new Uint8Array(7)),
  };
}

export function messagePorts(
  options?: TransportOptions,
  right: TransportOptions | undefined = options,
): Promise<TextChannelPair> {
  const { port1, port2 } = new MessageChannel();
  return Promise.resolve({
    left: createMessagePortTransport(port1, options),
    right: createMessagePortTransport(port2, right),
    postOther: () => port1.postMessage({ jsonrpc: "2.0" }),
  });
}
