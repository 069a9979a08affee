import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hangs } from "./hangs.ts";

const apps = fileURLToPath(new URL("../../../apps/", import.meta.url));
export const clientProgram: string = join(apps, "client", "dist", "main.js");
export const demoProgram: string = join(apps, "..", "tools", "demo.mjs");
export const agentProgram: string = join(apps, "agent", "dist", "main.js");
/** The reference agent as the end of a command line. */
export const referenceAgent: readonly string[] = ["--", process.execPath, agentProgram, "--pace", "0"];

/** Where programs of tests keep what they remember. */
const state = fileURLToPath(new URL("../../../node_modules/.cache/state", import.meta.url));

/** The environment of a program that keeps nothing among the files of who runs the tests. */
export function programEnvironment(env: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return { ...process.env, ...(env["HOME"] === undefined ? { XDG_STATE_HOME: state } : {}), ...env };
}

/** A temporary directory, removed when it is disposed of. */
export function temporaryDirectory(): { readonly path: string; [Symbol.dispose](): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "acp-main-job-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The same, with a copy of the sample project in it. */
export function sampleProject(): ReturnType<typeof temporaryDirectory> {
  const directory = temporaryDirectory();
  cpSync(join(apps, "client", "sample"), directory.path, { recursive: true });
  return directory;
}

/** What a program has printed and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs, with what it has printed so far. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = "";
  #stderr = "";

  /** `null` leaves its stdin open. */
  constructor(args: readonly string[], input: string | null = "", env: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [...args], { stdio: "pipe", env: programEnvironment(env) });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    if (input !== null) this.child.stdin?.end(input);
    this.ended = new Promise((resolve) => {
      this.child.on("close", (code) => resolve({ code, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }
}

/** Runs a program to its end. */
export function run(args: readonly string[], input?: string, env?: Readonly<Record<string, string>>): Promise<Ended> {
  return new Program(args, input, env).ended;
}

/**
 * Writes an agent in plain JSON, without the toolkit, and returns how to start it. `body` is the code that
 * answers a prompt; it has `update(update)`, `end(stopReason)` and `text`, the prompt.
 */
export function foreignAgent(directory: string, body: string): string[] {
  const file = join(directory, "foreign-agent.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answers = { initialize: { protocolVersion: 1, agentInfo: { name: "foreign", version: "0.1" } }, "session/new": { sessionId: "s" } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method !== "session/prompt") {
    if (id !== undefined) send({ id, result: answers[method] ?? {} });
    continue;
  }
  const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
  const end = (stopReason) => send({ id, result: { stopReason } });
  const text = params.prompt[0].text;
  ${body}
}
`,
  );
  return ["--", process.execPath, file];
}

/** Waits until a text is there that fits, and returns it. */
export async function waitFor(text: () => string, pattern: RegExp): Promise<string> {
  const deadline = Date.now() + hangs;
  for (;;) {
    const read = text();
    // Not what is there at another look: it may have changed.
    if (pattern.test(read)) return read;
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${String(pattern)} in:\n${read}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
