import type { Socket } from "node:net";

import { connectLocally } from "./local-server.ts";
import { hubSocketPath, type LocalHello, type LocalWelcome, readLine } from "./serve-local.ts";

/** How long a hub that was just started may take until it listens, in milliseconds. */
const startTime = 20_000;
/** How often to try, in milliseconds. */
const tryTime = 50;

/** The hub refuses a client, such as one with an agent that cannot be started. */
export class HubRefusal extends Error {
  override readonly name = "HubRefusal";
}

/**
 * Connects to the hub of a folder. What comes on the socket then is ACP.
 *
 * @param start Starts a hub, if none runs. Several may do so at once: one of them serves.
 * @throws {HubRefusal} the hub does not take the client.
 * @throws {Error} no hub listens.
 */
export async function connectToHub(folder: string, hello: LocalHello, start?: () => Promise<void>): Promise<Socket> {
  const path = hubSocketPath(folder);
  let socket = await connectLocally(path);
  if (socket === undefined && start !== undefined) {
    await start();
    const end = Date.now() + startTime;
    while (socket === undefined && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, tryTime));
      socket = await connectLocally(path);
    }
  }
  if (socket === undefined) throw new Error(`No hub listens at ${path}`);
  const welcome = await greet(socket, hello);
  if ("error" in welcome) throw new HubRefusal(welcome.error);
  return socket;
}

function greet(socket: Socket, hello: LocalHello): Promise<LocalWelcome> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error("The hub ended before it answered"));
    socket.once("close", gone);
    readLine(socket, (line) => {
      socket.off("close", gone);
      resolve(JSON.parse(line) as LocalWelcome);
    });
    socket.write(`${JSON.stringify(hello)}\n`);
  });
}
