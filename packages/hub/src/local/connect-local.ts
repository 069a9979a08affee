import type { Socket } from "node:net";
import { describeError } from "@acp/core/internal";

import { connectLocally } from "./local-server.ts";
import { hubSocketPath, type LocalHello, type LocalWelcome, readLine } from "./serve-local.ts";
import { startDetached } from "./start-detached.ts";

/** How long a hub may take until it answers, in milliseconds, from its start. */
const startTime = 30_000;
/** How long to wait between two attempts, in milliseconds. */
const tryTime = 50;

/** The hub refuses a client, such as one with an agent that cannot be started. */
export class HubRefusal extends Error {
  override readonly name = "HubRefusal";
}

/**
 * Connects to the hub of a folder. What comes on the socket then is ACP.
 *
 * @param program Starts a hub, if none runs. Several may do so at once: one of them serves.
 * @throws {HubRefusal} the hub does not take the client.
 * @throws {Error} no hub answers.
 */
export async function connectToHub(
  folder: string,
  hello: LocalHello,
  program?: readonly [string, ...string[]],
): Promise<Socket> {
  const path = hubSocketPath(folder);
  const end = Date.now() + startTime;
  let isStarted = false;
  for (let reason = `nobody listens at ${path}`; ;) {
    try {
      const socket = await connectLocally(path);
      if (socket !== undefined) return await greet(socket, hello);
      if (program === undefined) throw new Error(reason);
      if (!isStarted) await start(program);
      isStarted = true;
    } catch (error) {
      // One that is ending takes nobody any more: the next one does.
      if (error instanceof HubRefusal || program === undefined) throw error;
      reason = describeError(error);
    }
    if (Date.now() > end) throw new Error(`No hub answers: ${reason}`);
    await new Promise((resolve) => setTimeout(resolve, tryTime));
  }
}

function start(program: readonly [string, ...string[]]): Promise<void> {
  const child = startDetached(program, "ignore");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", resolve);
  });
}

/** Resolves with the socket once the hub has taken the client. */
async function greet(socket: Socket, hello: LocalHello): Promise<Socket> {
  const welcome = await new Promise<LocalWelcome>((resolve, reject) => {
    const gone = (): void => reject(new Error("it ended before it answered"));
    socket.once("close", gone);
    readLine(socket, (line) => {
      socket.off("close", gone);
      resolve(JSON.parse(line) as LocalWelcome);
    });
    socket.write(`${JSON.stringify(hello)}\n`);
  });
  if ("error" in welcome) throw new HubRefusal(welcome.error);
  return socket;
}
