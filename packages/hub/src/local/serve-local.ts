import type { Duplex } from "node:stream";
import { createByteTransport } from "@acp/core";
import { describeError, isObject, requireArgument, requireObject } from "@acp/core/internal";
import { createPipe, nodeSink, nodeSource } from "@acp/host";

import type { NamedProgram } from "../front/program.ts";
import type { Hub } from "../hub.ts";
import { listenLocally, type LocalServer } from "./local-server.ts";
import { socketPath } from "./socket-path.ts";

/** The first line of a local client: its agent. */
export interface LocalHello {
  readonly agent: string | NamedProgram;
}

/** The first line of the hub: from here on, both sides speak ACP. */
export type LocalWelcome = { readonly hub: 1 } | { readonly error: string };

/** The longest first line, in bytes. Environments are in it. */
const longestHello = 1024 * 1024;

/** Where a hub with this folder listens for local clients. */
export function hubSocketPath(folder: string): string {
  requireArgument(typeof folder === "string", "The folder of a hub is a path", folder);
  return socketPath(folder, "hub");
}

/**
 * Serves a hub to programs of the same user, over a socket in the folder that nobody else can reach.
 *
 * @returns `undefined` if another hub serves there.
 */
export async function serveLocally(hub: Hub, folder: string): Promise<LocalServer | undefined> {
  requireObject(hub, "serveLocally() takes a hub first", "agent");
  return await listenLocally(hubSocketPath(folder), (socket) => {
    readLine(socket, (line) => void welcome(hub, socket, line));
  });
}

async function welcome(hub: Hub, socket: Duplex, line: string): Promise<void> {
  const say = (words: LocalWelcome): boolean => socket.write(`${JSON.stringify(words)}\n`);
  try {
    const agent = await hub.agent({ agent: readHello(line).agent });
    say({ hub: 1 });
    const pipe = createPipe((failed, unread) => ({
      source: nodeSource(socket, failed),
      sink: nodeSink(socket, unread),
      cancel: () => void socket.destroy(),
    }));
    agent.connect(createByteTransport(pipe));
  } catch (error) {
    say({ error: describeError(error) });
    socket.end();
  }
}

function readHello(line: string): LocalHello {
  const hello: unknown = JSON.parse(line);
  const agent = isObject(hello) ? hello["agent"] : undefined;
  if (typeof agent === "string" || isProgram(agent)) return { agent };
  throw new Error("The first line has to name an agent");
}

function isProgram(value: unknown): value is NamedProgram {
  return isObject(value) && typeof value["name"] === "string" && typeof value["command"] === "string";
}

/** Calls back with the first line of a socket. What is behind it stays unread. */
export function readLine(socket: Duplex, received: (line: string) => void): void {
  let bytes = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf(0x0a);
    if (end < 0) {
      if (bytes.length > longestHello) socket.destroy();
      return;
    }
    socket.off("data", take);
    socket.pause();
    if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
    received(bytes.subarray(0, end).toString());
  };
  socket.on("data", take);
}
