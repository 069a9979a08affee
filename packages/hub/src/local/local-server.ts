import { chmod, mkdir, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { Duplex } from "node:stream";
import process from "node:process";
import { takeLock } from "@acp/sessions/internal";

/** A server on a local socket that only this user can reach. */
export interface LocalServer {
  close(): Promise<void>;
}

/**
 * Listens on a local socket. A socket that a dead process has left is replaced.
 *
 * @returns `undefined` if a living process listens there.
 */
export async function listenLocally(
  path: string,
  connected: (socket: Duplex) => void,
): Promise<LocalServer | undefined> {
  const isFile = process.platform !== "win32";
  if (isFile) {
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A folder that was there may be open to others.
    await chmod(folder, 0o700);
  }
  const sockets = new Set<Duplex>();
  const accept = (socket: Duplex): void => {
    sockets.add(socket);
    // It is gone: its `close` follows.
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    connected(socket);
  };
  const release = isFile ? await lock(path) : undefined;
  let stop: (() => Promise<void>) | undefined;
  try {
    const living = await connectLocally(path);
    living?.destroy();
    if (living !== undefined) return undefined;
    if (isFile) await rm(path, { force: true });
    stop = await (denoSockets() === undefined ? listen : listenOnDeno)(path, accept);
    if (stop !== undefined && isFile) await chmod(path, 0o600);
  } finally {
    release?.();
  }
  if (stop === undefined) return undefined;
  const end = stop;
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await end();
    },
  };
}

/** How long another process may take to listen, in milliseconds. */
const listenTime = 10_000;

/** Without a lock, one that has seen nobody would remove the socket of one that was a little faster. */
async function lock(path: string): Promise<() => void> {
  const end = Date.now() + listenTime;
  for (;;) {
    const taken = takeLock(`${path}.lock`);
    if ("release" in taken) return taken.release;
    if (Date.now() > end)
      throw new Error(`Process ${taken.heldBy} has begun to listen at ${path}, and does not go on: end it`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Returns what ends it; `undefined` if another process was faster. */
async function listen(path: string, accept: (socket: Duplex) => void): Promise<(() => Promise<void>) | undefined> {
  const server = createServer(accept);
  if (!(await startsToListen(server, path))) return undefined;
  return async () => {
    await new Promise((resolve) => server.close(resolve));
  };
}

/** What this file uses of Deno: its types are not there when this package is built. */
interface DenoSockets {
  listen(options: {
    readonly transport: "unix";
    readonly path: string;
  }): AsyncIterable<DenoConnection> & { close(): void };
}

interface DenoConnection {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

function denoSockets(): DenoSockets | undefined {
  return (globalThis as { readonly Deno?: DenoSockets }).Deno;
}

/**
 * A socket of `node:net` on which Deno listens stays open in all processes that it starts: others would wait for ever for one that
 * is dead.
 */
async function listenOnDeno(
  path: string,
  accept: (socket: Duplex) => void,
): Promise<(() => Promise<void>) | undefined> {
  const listener = denoSockets()?.listen({ transport: "unix", path });
  if (listener === undefined) return undefined;
  const accepting = (async () => {
    for await (const { readable, writable } of listener) {
      // The types of Node.js and of the web differ in what this does not use.
      accept(Duplex.fromWeb({ readable, writable } as Parameters<typeof Duplex.fromWeb>[0]));
    }
  })();
  return async () => {
    listener.close();
    await accepting.catch(() => {});
  };
}

/** `false` if another process was faster. */
function startsToListen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen(path, () => resolve(true));
  });
}

/** Connects to a local socket; `undefined` if nobody listens there. */
export function connectLocally(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const failed = (): void => resolve(undefined);
    socket.once("error", failed);
    socket.once("connect", () => {
      socket.off("error", failed);
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}
