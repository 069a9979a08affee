import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";

/** A server on the loopback, at a port that is free. */
export interface Listener {
  readonly port: number;
  /** Of the endpoint, for HTTP. */
  readonly url: string;
  /** The same for WebSockets. */
  readonly socketUrl: string;
  readonly server: Server;
  /** Breaks all its connections off, and listens no more. */
  close(): Promise<void>;
}

export async function listen(
  onRequest: RequestListener,
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<Listener> {
  const server = createServer(onRequest);
  if (onUpgrade !== undefined) server.on("upgrade", onUpgrade);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen");
  const { port } = address;
  return {
    port,
    url: `http://127.0.0.1:${port}/acp`,
    socketUrl: `ws://127.0.0.1:${port}/acp`,
    server,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
