import { spawn, type SpawnOptions } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createNodePipe } from "@acp/node";
import { expect, onTestFinished } from "vitest";

import { RawClient } from "./connect.ts";

/** The command line of one of the reference programs. */
export function programOf(app: "agent" | "client", args: readonly string[] = []): readonly [string, ...string[]] {
  const file = fileURLToPath(new URL(`../../../../apps/${app}/dist/main.js`, import.meta.url));
  return [process.execPath, file, ...args];
}

/** The reference agent as a process, with a client played by hand on its stdin and stdout. */
export interface ReferenceAgent {
  readonly peer: RawClient;
  /** What it has written to stderr so far. */
  stderr(): string;
  /** Settles with its exit code. */
  readonly exited: Promise<number | null>;
}

/** Starts the reference agent. */
export function referenceAgent(args: readonly string[] = [], options: SpawnOptions = {}): ReferenceAgent {
  const [command, ...all] = programOf("agent", ["--pace", "0", ...args]);
  const child = spawn(command, all, { ...options, stdio: "pipe" });
  const host = { hangUp: () => void child.stdin.end(), crash: () => void child.kill() };
  const peer = new RawClient(createNodePipe(child.stdout, child.stdin), host);
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    peer.end();
    await exited;
    expect(peer.problems).toEqual([]);
  });
  return { peer, stderr: () => stderr, exited };
}

/** An empty directory of the test's own, without links in its path. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "acp-conformance-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
