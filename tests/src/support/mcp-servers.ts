import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(new URL("../../../apps/agent/package.json", import.meta.url));

/** A server of the MCP project over stdio, as files of other programs have it. */
export function mcpServer(name: "everything" | "filesystem", ...args: string[]): { command: string; args: string[] } {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), "dist/index.js"), ...args] };
}
