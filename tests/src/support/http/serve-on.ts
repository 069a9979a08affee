import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { commandOn, type RuntimeName } from "../runtimes.ts";

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number;
  /** What it has written to stderr: its diagnostics, too. */
  readonly errors: string;
  end(): Promise<void>;
}

/** The runtimes that serve, and their programs. */
export const serving: readonly (readonly [RuntimeName, string])[] = [
  ["node20", "serve-node"],
  ["node24", "serve-node"],
  ["deno", "serve-deno"],
  ["bun", "serve-bun"],
];

/** Serves the agent of the story on a runtime; `options` are those of the server. */
export async function serveOn(runtime: RuntimeName, name: string, options?: object): Promise<ServerProcess> {
  const file = fileURLToPath(new URL(`../../runtimes/http/programs/${name}.js`, import.meta.url));
  const built = file.replace(/([/\\]tests[/\\])src([/\\])/, "$1dist$2");
  const { command, args } = commandOn(runtime, built, options === undefined ? [] : [JSON.stringify(options)]);
  const server = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  server.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(server, "close");
  const [line] = (await Promise.race([
    once(server.stdout, "data"),
    ended.then(() => Promise.reject(new Error(`The server has ended: ${errors}`))),
  ])) as [Buffer];
  return {
    port: Number(line.toString()),
    get errors() {
      return errors;
    },
    async end() {
      server.kill("SIGKILL");
      await ended;
    },
  };
}
