/**
 * The little that scenarios need and that the runtime packages do not offer. Deno and Bun have these
 * modules, too.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { commandOn, type RuntimeName } from "../support/runtimes.ts";

export { chmod, existsSync, join, link, mkdir, process, rename, rm, stat, symlink, truncate, writeFile };

export const onWindows: boolean = process.platform === "win32";

/** How a process ends that was ended by a signal. Windows has none; a process that is ended there has this exit code. */
export function endedBy(signal: string): { readonly exitCode: number | null; readonly signal: string | null } {
  return onWindows ? { exitCode: 1, signal: null } : { exitCode: null, signal };
}

/** A program that does nothing for a long time, but on Windows prints that it does. */
export const sleeping: { readonly command: string; readonly args: string[] } = onWindows
  ? { command: "ping", args: ["-n", "300", "127.0.0.1"] }
  : { command: "sleep", args: ["300"] };

/** A program that prints a file of its working directory. */
export function printing(name: string): { readonly command: string; readonly args: string[] } {
  return onWindows ? { command: "cmd", args: ["/c", "type", name] } : { command: "cat", args: [name] };
}

/** The directory that has no other above it. */
export function rootOf(path: string): string {
  return parse(path).root;
}

/** A file that is on every machine of this kind, and in no directory of a scenario. */
export const systemFile: string = onWindows ? "C:\\Windows\\System32\\cmd.exe" : "/etc/passwd";

export async function makeTemporaryDirectory(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "acp-")));
}

export async function removeDirectory(path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rm(path, { recursive: true, force: true });
    } catch (error) {
      // Windows removes no directory that a process still has open, and processes take a moment to vanish. Of the options
      // that have Node try again, Deno and Bun know nothing.
      if (attempt === 40) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export function readText(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/** Windows: makes a link from one directory to another. */
export function junction(target: string, path: string): Promise<void> {
  return symlink(target, path, "junction");
}

/** Runs a line of the shell, for what the platform's own functions cannot do; `$0` and what follows are `args`. */
export function runShell(line: string, ...args: readonly string[]): void {
  execFileSync("/bin/sh", ["-ec", line, ...args]);
}

/** The paths of the files that this process has open. Linux only. */
export function openFiles(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((number) => {
    try {
      return [readlinkSync(`/proc/self/fd/${number}`)];
    } catch {
      // That of the directory itself, which is closed again.
      return [];
    }
  });
}

/** How many ends of the pipes to its children this process may have open. Linux only. */
export function openPipes(): number {
  // Deno makes pipes of them, and opens sockets for itself while a program runs: for signals, half a second after its start.
  const kinds = "Deno" in globalThis ? /^pipe:/u : /^(?:pipe|socket):/u;
  return openFiles().filter((path) => kinds.test(path)).length;
}

/** How to run one of the programs beside the scenarios on a runtime. */
export function programOn(
  runtime: RuntimeName,
  name: string,
  args: readonly string[] = [],
): { command: string; args: string[] } {
  const file = fileURLToPath(new URL(`programs/${name}.js`, import.meta.url));
  return commandOn(runtime, file, ["--runtime", runtime, ...args]);
}

/** Starts a process that does nothing for a long time, and does not wait for it. */
export function spawnSleeper(): number {
  const child = spawn(sleeping.command, sleeping.args, { stdio: onWindows ? "ignore" : "inherit" });
  child.unref();
  return child.pid ?? -1;
}

/** A program with its streams, as plain as the platform starts it. */
export class RunningProgram {
  readonly #child: ChildProcess;
  /** Whole lines of stdout so far. */
  readonly lines: string[] = [];
  stderr = "";
  /** Settles when it has ended and its output is complete: `0`, or `SIGTERM`. */
  readonly ended: Promise<number | string>;

  /** `env` are variables in addition to those of this process. */
  constructor(
    { command, args }: { readonly command: string; readonly args: readonly string[] },
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } });
    let rest = "";
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      this.lines.push(...parts);
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.#child.stdin?.on("error", () => {});
    this.ended = new Promise((resolve) => {
      this.#child.on("close", (code, signal) => resolve(code ?? signal ?? "nothing"));
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  write(text: string | Uint8Array): void {
    this.#child.stdin?.write(text);
  }

  /** Closes its stdin. */
  end(): void {
    this.#child.stdin?.end();
  }

  /** Stops reading its stdout, and perhaps its stderr, for good: the next write to it fails. */
  hangUp(what: "stdout" | "everything" = "stdout"): void {
    this.#child.stdout?.destroy();
    if (what === "everything") this.#child.stderr?.destroy();
  }

  pauseReading(): void {
    this.#child.stdout?.pause();
  }

  resumeReading(): void {
    this.#child.stdout?.resume();
  }

  kill(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void {
    // Not through the child: Deno would report the signal as the reason of any end that follows.
    process.kill(this.pid, signal);
  }
}
