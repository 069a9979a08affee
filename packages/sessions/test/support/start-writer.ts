import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("writer.ts", import.meta.url));

/** A process that writes to a session. */
export interface Writer {
  readonly process: ChildProcess;
  /** The lines that it has written so far: `open` with the last number before, then each number that is safe. */
  readonly lines: readonly string[];
  /** Resolves when it has written a line with this number, or a later one. */
  written(count: number): Promise<void>;
  /** Kills it, so that it can do nothing more. Resolves with the last number that it has called safe. */
  kill(): Promise<number>;
  /** What it has said about an error, once it has ended by itself. */
  failed(): Promise<string>;
}

export interface WriterOptions {
  /** How long its entries are. Default: 10 characters. */
  readonly size?: number;
  /** Whether it runs what was built, which begins sooner. Default: the sources. */
  readonly isBuilt?: boolean;
}

export function startWriter(
  folder: string,
  sessionId: string,
  { size = 10, isBuilt = false }: WriterOptions = {},
): Writer {
  const args = [...(isBuilt ? [] : ["--conditions=@acp/source"]), program];
  const child = spawn(process.execPath, [...args, folder, sessionId, String(size)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  let wake = (): void => {};
  reader.on("line", (line) => {
    lines.push(line);
    wake();
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const closed = once(child, "close");
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    process: child,
    lines,
    written: async (count) => {
      while (lines.length < count) {
        if (hasEnded()) throw new Error(`The writer has ended: ${complaint}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          void closed.then(() => resolve());
        });
      }
    },
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
      return Number(lines.at(-1)?.replace("open ", "") ?? 0);
    },
    failed: async () => {
      await closed;
      return complaint;
    },
  };
}
