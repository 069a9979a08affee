import { chmod, mkdir, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import process from "node:process";

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
  connected: (socket: Socket) => void,
): Promise<LocalServer | undefined> {
  const isFile = process.platform !== "win32";
  if (isFile) {
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A folder that was there may be open to others.
    await chmod(folder, 0o700);
  }
  const living = await connectLocally(path);
  if (living !== undefined) {
    living.destroy();
    return undefined;
  }
  if (isFile) await rm(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // It is gone: its `close` follows.
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    connected(socket);
  });
  if (!(await startsToListen(server, path))) return undefined;
  if (isFile) await chmod(path, 0o600);
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
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
