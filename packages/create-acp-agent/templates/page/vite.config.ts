import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { defineConfig, type Plugin } from "vite";

/** The agent of the page while you develop it: put the command of another one here. */
const agent = ["fake-agent", "sample-agent.json"];
const acp = join(dirname(createRequire(import.meta.url).resolve("@acp/cli/package.json")), "dist/main.js");
const command = [process.execPath, acp, ...agent];

/** Starts `acp serve` beside the server of the page, and prints the address of the page with its secret. */
function serveAgent(): Plugin {
  return {
    name: "serve-agent",
    apply: "serve",
    configureServer(server) {
      const token = randomUUID();
      const port = "8001";
      server.httpServer?.once("listening", () => {
        const origin = `http://127.0.0.1:${server.config.server.port}`;
        const options = ["serve", "--port", port, "--origin", origin, "--files", process.cwd(), "--", ...command];
        const env = { ...process.env, ACP_TOKEN: token };
        const child = spawn(process.execPath, [acp, ...options], { env, stdio: ["ignore", "ignore", "inherit"] });
        server.httpServer?.once("close", () => child.kill());
        process.once("exit", () => child.kill());
        const values = new URLSearchParams({ url: `ws://127.0.0.1:${port}/acp`, token, cwd: process.cwd() });
        server.config.logger.info(`\n  Open ${origin}/#${values}\n`);
      });
    },
  };
}

export default defineConfig({
  plugins: [serveAgent()],
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  oxc: { jsx: { runtime: "automatic" } },
});
