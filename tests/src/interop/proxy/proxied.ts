import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";

import { LineEnd } from "./line-end.ts";

/** A program of a proxy with both its ends, which are played by hand. */
export interface Proxied {
  readonly client: LineEnd;
  readonly agent: LineEnd;
  /** Ends what the client sends; it reads on. */
  endInput(): void;
  /** Ends the client's side, and resolves with the exit code of the program. */
  stop(): Promise<number | null>;
}

export const program = (name: string): readonly string[] => [
  fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)),
];

/**
 * Starts a program of this folder that is given the command line of its agent. Three processes: this one plays the
 * client; the program; and its agent, which this one plays as well, over a socket.
 */
export async function startProxied(name: string): Promise<Proxied> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const relay = [process.execPath, ...program("relay"), String(port)];
  const child = spawn(process.execPath, [...program(name), ...relay], { stdio: ["pipe", "pipe", "inherit"] });
  const client = new LineEnd(child.stdout, child.stdin);
  const [socket] = (await once(server, "connection")) as [Socket];
  socket.setNoDelay(true);
  const agent = new LineEnd(socket, socket);
  server.close();
  return {
    client,
    agent,
    endInput: () => void child.stdin.end(),
    async stop() {
      child.stdin.end();
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    },
  };
}
