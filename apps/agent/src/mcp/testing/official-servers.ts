import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import type { McpServer } from "@acp/schema/v1";
import { onTestFinished } from "vitest";

const require = createRequire(import.meta.url);
const everything = programIn(require.resolve("@modelcontextprotocol/server-everything/package.json"));
const filesystem = programIn(require.resolve("@modelcontextprotocol/server-filesystem/package.json"));

function programIn(manifest: string): string {
  return join(dirname(manifest), "dist/index.js");
}

/** The server of the MCP project that has a tool for each feature of the protocol, over stdio. */
export const everythingOverStdio: McpServer = {
  name: "everything",
  command: process.execPath,
  args: [everything, "stdio"],
  env: [],
};

/** The server of the MCP project that reads and writes files in a folder, over stdio. */
export function filesOverStdio(folder: string): McpServer {
  return { name: "files", command: process.execPath, args: [filesystem, folder], env: [] };
}

/** A server that listens until the test ends. */
export interface ListeningServer {
  readonly server: McpServer;
  /** Ends it, as a crash does, waits, and starts it again at the same address. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
}

/** Starts the server that has a tool for each feature, over HTTP or over SSE. */
export async function listenEverything(type: "http" | "sse"): Promise<ListeningServer> {
  const port = await freePort();
  const start = async (): Promise<ChildProcess> => {
    const mode = type === "http" ? "streamableHttp" : "sse";
    const child = spawn(process.execPath, [everything, mode], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    // It says so on stderr when it listens, and goes on writing there.
    await new Promise<void>((resolve) => {
      child.stderr.on("data", (text) => {
        if (String(text).includes(`port ${port}`)) resolve();
      });
    });
    return child;
  };
  let running = await start();
  const end = async (): Promise<void> => {
    if (running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  };
  onTestFinished(end);
  return {
    server: {
      type,
      name: "everything",
      url: `http://127.0.0.1:${port}/${type === "http" ? "mcp" : "sse"}`,
      headers: [],
    },
    async restart(meanwhile) {
      await end();
      await meanwhile?.();
      running = await start();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no port");
  return address.port;
}
