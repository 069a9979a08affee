import type { ChildProcess } from "node:child_process";
import { mkdir, open } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { requireArgument, requireObject } from "@acp/core/internal";

import { type AnswerExtension, noSuchMethod } from "../../extensions.ts";
import { onJsonLines, sendLine } from "../../local/json-lines.ts";
import { connectLocally } from "../../local/local-server.ts";
import { startDetached } from "../../local/start-detached.ts";
import { socketPath } from "../../local/socket-path.ts";
import { toWireError } from "../../wire-error.ts";
import type { Keepers, KeeperStart, RunningKeeper } from "../keepers.ts";
import type { SessionLimits } from "../limits.ts";
import { type FromKeeper, type KeeperOrder, type KeeperReport, limitsToJson, type ToKeeper } from "./wire.ts";

/** Options of {@link processKeepers}. */
export interface ProcessKeepersOptions {
  /** The program that calls `runKeeper`: a command and its arguments, such as `[process.execPath, "keeper.js"]`. */
  readonly command: readonly [string, ...string[]];
  /** Where the sockets of the keepers are, and the file with what they print; absolute. Only this user can read it. */
  readonly folder: string;
  readonly limits?: SessionLimits | undefined;
  /** What `runKeeper` needs to know, as JSON: how to open the journal, for example. */
  readonly more?: unknown;
}

/** How long a keeper's process may take from its start to its first line, in milliseconds. */
const startTime = 30_000;

/**
 * Keeps each session in a process of its own, which goes on when this one ends, so that a hub can be started again, or upgraded,
 * while agents work. A hub that starts finds the keepers that run.
 */
export function processKeepers(options: ProcessKeepersOptions): Keepers {
  requireObject(options, "processKeepers() takes { command, folder }");
  requireArgument(typeof options.folder === "string", "The folder of the keepers is a path", options.folder);
  const sockets = new Set<Socket>();

  function pathOf(session: string): string {
    return socketPath(options.folder, session);
  }

  async function find(session: string, onStored: () => void): Promise<RunningKeeper | undefined> {
    const socket = await connectLocally(pathOf(session));
    if (socket === undefined) return undefined;
    sockets.add(socket);
    // A connection to a keeper is no reason to go on.
    socket.unref();
    return controlled(socket, onStored, () => sockets.delete(socket));
  }

  return {
    find,
    async start(start, onStored) {
      const running = await find(start.session, onStored);
      if (running !== undefined) return running;
      const report = await startProcess(options, start, pathOf(start.session));
      if (report.type === "failed") throw new Error(`The keeper of the session could not start: ${report.message}`);
      return await find(start.session, onStored);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return Promise.resolve();
    },
  };
}

function controlled(socket: Socket, onStored: () => void, gone: () => void): RunningKeeper {
  const send = (message: ToKeeper): boolean => sendLine(socket, message);
  const asked = new Map<number, AbortController>();
  let answer: AnswerExtension = ({ method }) => Promise.reject(noSuchMethod(method));
  const ask = async ({ id, request }: Extract<FromKeeper, { type: "request" }>): Promise<void> => {
    const withdrawn = new AbortController();
    asked.set(id, withdrawn);
    const reply: ToKeeper = await answer(request, withdrawn.signal).then(
      (result) => ({ type: "answer", id, result }),
      (error: unknown) => ({ type: "answer", id, error: toWireError(error) }),
    );
    asked.delete(id);
    if (!send(reply)) send({ type: "answer", id, error: { code: -32603, message: "The answer is too large" } });
  };
  onJsonLines(socket, (value) => {
    const message = value as FromKeeper;
    if (message.type === "stored") onStored();
    else if (message.type === "request") void ask(message);
    else if (message.type === "withdraw")
      asked.get(message.id)?.abort(new Error("The agent has withdrawn the request"));
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      for (const withdrawn of asked.values()) withdrawn.abort(new Error("The keeper is gone"));
      gone();
      resolve();
    });
  });
  return {
    wake: () => void send({ type: "wake" }),
    setAttached: (count) => void send({ type: "attached", count }),
    onRequest: (answers) => (answer = answers),
    close: () => {
      send({ type: "close" });
      socket.ref();
      return closed;
    },
    closed,
  };
}

/** Starts a process that outlives this one. Resolves with its first line. */
async function startProcess(options: ProcessKeepersOptions, start: KeeperStart, socket: string): Promise<KeeperReport> {
  const { command, folder, limits, more } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const log = await open(join(folder, "keepers.log"), "a", 0o600);
  try {
    const child = startDetached(command, ["pipe", "pipe", log.fd]);
    const order: KeeperOrder = { start, socket, limits: limitsToJson(limits), more };
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify(order)}\n`);
    return await firstLine(child);
  } finally {
    await log.close();
  }
}

function firstLine(child: ChildProcess): Promise<KeeperReport> {
  return new Promise((resolve) => {
    let text = "";
    const done = (report: KeeperReport): void => {
      clearTimeout(timer);
      child.stdout?.destroy();
      resolve(report);
    };
    const failed = (message: string): void => done({ type: "failed", message });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(child.pid);
      failed(`it did not report within ${startTime / 1000} seconds`);
    }, startTime);
    child.on("error", (error) => failed(error.message));
    child.on("exit", (code, signal) => failed(`its process ended with ${signal ?? `exit code ${code}`}`));
    child.stdout?.on("data", (chunk) => {
      text += String(chunk);
      const end = text.indexOf("\n");
      if (end >= 0) done(JSON.parse(text.slice(0, end)) as KeeperReport);
    });
  });
}
