import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

import { type WebSocket, WebSocketServer } from "ws";

/** Brings agents that speak over stdio to pages: every line is a text frame. */
export interface Bridge {
  readonly url: string;
  /** The agents that were started, the latest last. */
  readonly agents: readonly ChildProcess[];
  close(): Promise<void>;
}

/** Starts a server that runs an agent for every socket that connects. */
export async function startBridge(command: string, args: readonly string[]): Promise<Bridge> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const agents: ChildProcess[] = [];
  server.on("connection", (socket) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    agents.push(child);
    join(socket, child.stdin, child.stdout);
    child.on("close", () => socket.close(1000));
    socket.on("close", () => child.stdin.end());
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    agents,
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await Promise.all(agents.map(ended));
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
}

function join(socket: WebSocket, stdin: NodeJS.WritableStream, stdout: NodeJS.ReadableStream): void {
  socket.on("message", (data: Buffer) => stdin.write(`${data.toString()}\n`));
  stdin.on("error", () => {});
  createInterface({ input: stdout }).on("line", (line) => socket.send(line));
}
