import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { freePort } from "./free-port.ts";

const require = createRequire(new URL("../../../apps/agent/package.json", import.meta.url));

/** A server of the MCP project over stdio, as files of other programs have it. */
export function mcpServer(name: "everything" | "filesystem", ...args: string[]): { command: string; args: string[] } {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), "dist/index.js"), ...args] };
}

/** Starts the server that has a tool for each feature, over HTTP or SSE, until it is disposed of. Returns its URL. */
export async function listeningServer(type: "http" | "sse"): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort();
  const { command, args } = mcpServer("everything", type === "http" ? "streamableHttp" : "sse");
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  // It says so on stderr when it listens.
  await new Promise<void>((resolve) => {
    child.stderr.on("data", (text) => {
      if (String(text).includes(`port ${port}`)) resolve();
    });
  });
  return {
    url: `http://127.0.0.1:${port}/${type === "http" ? "mcp" : "sse"}`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
