import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";

/** How a client reaches its agent. */
export type Wire = "http" | "web-socket";

/** What a library answers requests with, and takes WebSockets by. */
export interface Handlers {
  readonly request: RequestListener;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Listens on the loopback, tells the port on stdout, and serves until stdin ends. */
export async function listenUntilGone({ request, upgrade }: Handlers): Promise<void> {
  const server = createServer(request).on("upgrade", upgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen");
  process.stdout.write(`${address.port}\n`);
  process.stdin.resume();
  await once(process.stdin, "end");
  // What is still open is the client's, which has seen everything.
  process.exit();
}

/** A server in a process of its own. */
export interface RunningServer {
  url(wire: Wire): string;
  /** Ends the process. */
  close(): Promise<void>;
}

/** Starts the program of a server, and waits until it listens. */
export async function startServer([command = "", ...args]: readonly string[]): Promise<RunningServer> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url: (wire) => `${wire === "http" ? "http" : "ws"}://127.0.0.1:${port}/acp`,
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
