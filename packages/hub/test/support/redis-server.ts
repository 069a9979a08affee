import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createClient } from "@redis/client";

import { freePort, retried } from "./free-port.ts";

/** A Redis server of a test, with its own data. */
export interface RedisServer {
  readonly url: string;
  /** Kills it and starts it again with what it has written to its disk. */
  restart(): Promise<void>;
  /** Copies what it has on its disk, as to a replica that gets no more. */
  copy(): Promise<string>;
  /** Kills it, and starts a server with the data of a copy in its place: with none, if it is `undefined`. */
  failOver(copy: string | undefined): Promise<void>;
  stop(): Promise<void>;
}

/** @param program Its path. Each write is on the disk before it is answered. */
export async function startRedis(program: string): Promise<RedisServer> {
  const place = await mkdtemp(join(tmpdir(), "acp-redis-"));
  let folder = join(place, "0");
  let folders = 1;
  await mkdir(folder);
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const settings = { port, bind: "127.0.0.1", dir: folder, appendonly: "yes", appendfsync: "always", save: "" };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const started = spawn(program, args, { stdio: "ignore" });
    await retried(
      async () => {
        const client = createClient({ url, socket: { reconnectStrategy: false } });
        client.on("error", () => {});
        await client.connect();
        try {
          // Refused until it has read its data.
          await client.ping();
        } finally {
          client.destroy();
        }
      },
      () => started.exitCode !== null,
    );
    return started;
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  return {
    url,
    restart: async () => {
      await kill();
      child = await start();
    },
    copy: async () => {
      const copy = join(place, String(folders++));
      await cp(folder, copy, { recursive: true });
      return copy;
    },
    failOver: async (copy) => {
      await kill();
      folder = join(place, String(folders++));
      await (copy === undefined ? mkdir(folder) : cp(copy, folder, { recursive: true }));
      child = await start();
    },
    stop: async () => {
      await kill();
      await rm(place, { recursive: true, force: true });
    },
  };
}
