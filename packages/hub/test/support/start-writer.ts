import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { onTestFinished } from "vitest";

import type { Claim, Held } from "../../src/journal/journal.ts";

const program = fileURLToPath(new URL("journal-writer.ts", import.meta.url));

/** A process that writes to a session. */
export interface Writer {
  readonly pid: number;
  /** Lets it claim the session. Resolves with what it got. */
  claim(): Promise<Claim | Held>;
  /** Resolves with the next line: the number of the last entry that is stored, or `fenced`. */
  next(): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** Kills it, and resolves with the last number that it has told. */
  kill(): Promise<number>;
  readonly ended: Promise<unknown>;
}

/** Starts one that is ready to claim. */
export async function startWriter(folder: string, session: string, keeper: string, batch: number = 1): Promise<Writer> {
  const args = ["--conditions=@acp/source", "--disable-warning=ExperimentalWarning", program];
  const child = spawn(process.execPath, [...args, folder, session, keeper, String(batch)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last = "";
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error("The writer has ended");
    last = line.value;
    return last;
  };
  await next();
  if (child.pid === undefined) throw new Error("The writer was not started");
  return {
    pid: child.pid,
    next,
    ended,
    claim: async () => {
      child.stdin.write("claim\n");
      return JSON.parse(await next()) as Claim | Held;
    },
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) last = line.value;
      return Number(last);
    },
  };
}
