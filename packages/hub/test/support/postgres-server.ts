import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

import { Client } from "pg";

import { freePort, retried } from "./free-port.ts";

/** The user and group `nobody`: PostgreSQL does not run as root. */
const nobody = 65_534;

/** A PostgreSQL server of a test, with its own data. */
export interface PostgresServer {
  readonly url: string;
  /** Sends its main process a signal. */
  signal(name: NodeJS.Signals): void;
  /** Kills it with all its processes and starts it again with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** @param bin The folder with `postgres` and `initdb`. */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "acp-postgres-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  await chmod(folder, 0o700);
  const user = isRoot ? { uid: nobody, gid: nobody } : {};
  const data = join(folder, "data");
  await promisify(execFile)(
    join(bin, "initdb"),
    ["-D", data, "-U", "hub", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...user, cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: "C" } },
  );
  const port = await freePort();
  const url = `postgres://hub@127.0.0.1:${port}/postgres`;
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const args = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"];
    const started = spawn(join(bin, "postgres"), args, { ...user, cwd: folder, stdio: "ignore" });
    await retried(
      async () => {
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.end();
      },
      () => started.exitCode !== null,
    );
    return started;
  }

  async function end(name: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(name);
    await ended;
  }

  return {
    url,
    signal: (name) => void child.kill(name),
    restart: async () => {
      await end("SIGKILL");
      // Until all processes of the one before have ended it refuses to start.
      let tries = 0;
      child = await retried(start, () => (tries += 1) > 200);
    },
    stop: async () => {
      await end("SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
