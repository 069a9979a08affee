import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { IncomingMessage } from "node:http";

/** A server of Node.js on the loopback, at a port that is free. */
export interface Listener {
  /** Of the endpoint, for HTTP. */
  readonly url: string;
  /** The same for WebSockets. */
  readonly socketUrl: string;
  readonly server: Server;
  /** Breaks all its connections off. */
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
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `http://${host}/acp`,
    socketUrl: `ws://${host}/acp`,
    server,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
