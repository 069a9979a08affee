// An edge runtime as a process: the one that runs workers in production, from npm.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const require = createRequire(new URL("../../../runtimes/package.json", import.meta.url));

/** @throws if it is not there, in one line that says what to install. */
export function workerdExecutable(wanted: string | undefined = process.env["ACP_WORKERD"]): string {
  const executable = wanted ?? installedWorkerd();
  if (executable !== undefined && existsSync(executable)) return executable;
  throw new Error(
    `workerd is missing: run \`node tools/pnpm.mjs install\`, which installs it from npm, or set ACP_WORKERD to its executable (looked for ${executable ?? "the npm package workerd"})`,
  );
}

/** Where the package for this platform has it; `workerd` itself only starts that. */
function installedWorkerd(): string | undefined {
  const { platform, arch } = process;
  const names: Readonly<Record<string, string>> = { x64: "64", arm64: "arm64" };
  const target = `${platform === "win32" ? "windows" : platform}-${names[arch] ?? arch}`;
  try {
    const packageJson = createRequire(require.resolve("workerd")).resolve(`@cloudflare/workerd-${target}/package.json`);
    return join(dirname(packageJson), "bin", platform === "win32" ? "workerd.exe" : "workerd");
  } catch {
    return undefined;
  }
}

export interface EdgeServer {
  readonly port: number;
  /** What it wrote: uncaught errors of workers. */
  readonly output: () => string;
  close(): Promise<void>;
}

/** Runs `worker.js`, a module in `directory`, at a port that is free. `more` are further settings of the worker. */
export async function serveWorker(directory: string, more = ""): Promise<EdgeServer> {
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  # Workers may fetch from this machine: there the tests have their servers.
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["local", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2025-01-01",
  ${more}
);
`;
  writeFileSync(join(directory, "config.capnp"), config);
  const child = spawn(workerdExecutable(), ["serve", "config.capnp", "--control-fd=3"], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const port = await listeningPort(child).catch((error: unknown) => {
    throw new Error(`workerd did not start\n${output}`, { cause: error });
  });
  return {
    port,
    output: () => output,
    close: async () => {
      const ended = once(child, "close");
      // Asked more gently, it waits for its connections.
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function listeningPort(child: ChildProcess): Promise<number> {
  const control = child.stdio[3];
  if (control === null || control === undefined || !("read" in control)) throw new Error("There is no control channel");
  for await (const line of createInterface({ input: control })) {
    const event: { readonly event?: string; readonly port?: number } = JSON.parse(line);
    if (event.event === "listen" && event.port !== undefined) return event.port;
  }
  throw new Error("It ended");
}
