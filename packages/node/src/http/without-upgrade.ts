import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The headers without meaning for a server that does not upgrade. */
const dropped = ["upgrade", "connection", "http2-settings"];

/**
 * Lets a Node.js server answer a request normally whose client would prefer another protocol, as that of Java asks for
 * HTTP/2 (`Upgrade: h2c`). A server with a listener for upgrades passes it such a request with its socket, and stops
 * reading it: so this puts the request back in front of the socket, without the upgrade.
 */
export function answerWithoutUpgrade(
  server: EventEmitter,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const [name = "", value] = rawHeaders.slice(n, n + 2);
    if (!dropped.includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  if (/\bclose\b/i.test(request.headers.connection ?? "")) lines.push("Connection: close");
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("encrypted" in socket ? "secureConnection" : "connection", socket);
}
