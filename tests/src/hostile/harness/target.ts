import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { contentLength, ndjson } from "@acp/core";

import type { FramingName, Role } from "../row.ts";
import { compileCache } from "./compile-cache.ts";
import { hangs } from "../../support/hangs.ts";

/** Something the attacked program wrote to stderr. */
interface Told {
  readonly diagnostic?: string;
  readonly message?: string;
  readonly probe?: number;
  readonly peak?: number;
  readonly isPolluted?: boolean;
  readonly call?: number;
  readonly outcome?: string;
}

export interface NamedDiagnostic {
  readonly name: string;
  readonly message: string;
}

/** An attacked program, seen by its attacker: what goes over the connection, and what it tells on stderr. */
export class Target {
  /** What came over the connection, as texts. */
  readonly messages: string[] = [];
  /** What came over the connection and is no message. */
  readonly issues: string[] = [];
  readonly diagnostics: NamedDiagnostic[] = [];
  readonly outcomes: Map<number, string> = new Map();
  /** What it wrote to stderr that is not for the attacker: warnings, stack traces. */
  readonly strays: string[] = [];
  /** The probe that was answered last, and the most memory it had taken by then, in MiB. */
  probed: { readonly probe: number; readonly peak: number; readonly isPolluted: boolean } = {
    probe: 0,
    peak: 0,
    isPolluted: false,
  };
  exit: number | string | undefined;
  readonly framing: FramingName;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #output: Readable;
  readonly #control: Socket | undefined;
  readonly #server: Server | undefined;
  #changed: () => void = () => {};

  static async start(role: Role, framing: FramingName): Promise<Target> {
    return role === "agent" ? startAgent(framing) : startClient(framing);
  }

  constructor(
    framing: FramingName,
    child: ChildProcess,
    streams: {
      readonly input: Writable;
      readonly output: Readable;
      readonly control?: Socket;
      readonly server?: Server;
    },
  ) {
    this.framing = framing;
    this.#child = child;
    this.#input = streams.input;
    this.#output = streams.output;
    this.#control = streams.control;
    this.#server = streams.server;
    const decoder = (framing === "ndjson" ? ndjson : contentLength).createDecoder(
      {
        message: (text) => this.messages.push(text),
        issue: ({ message }) => this.issues.push(message),
      },
      { maxMessageBytes: 80 * 1024 * 1024 },
    );
    this.#input.on("error", () => {});
    this.#output.on("error", () => {});
    this.#output.on("data", (chunk: Buffer) => {
      decoder.push(chunk);
      this.#changed();
    });
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#hear(line);
    });
    child.on("close", (code, signal) => {
      this.exit = code ?? signal ?? "nothing";
      this.#server?.close();
      this.#changed();
    });
  }

  /** Writes, as fast as the other side reads; gives up if it is gone. */
  async write(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      if (this.exit !== undefined || this.#input.destroyed) return;
      if (this.#input.write(chunk)) continue;
      await this.#drained();
    }
  }

  endInput(): void {
    this.#input.end();
  }

  /** Closes the reading end of what the attacked side writes to. */
  endOutput(): void {
    if (this.#control === undefined) this.#output.destroy();
    else this.#control.write("hang up");
  }

  /** Leaves unread what the attacked side writes, for now. */
  pauseOutput(): void {
    this.#output.pause();
  }

  resumeOutput(): void {
    this.#output.resume();
  }

  /** Waits until something is so; `false` if it never is. */
  async until(isSo: () => boolean): Promise<boolean> {
    if (isSo()) return true;
    return new Promise((resolve) => {
      const done = (result: boolean): void => {
        clearTimeout(timer);
        this.#changed = () => {};
        resolve(result);
      };
      const timer = setTimeout(() => done(isSo()), hangs);
      this.#changed = () => {
        if (isSo()) done(true);
      };
    });
  }

  /** Ends the program, if it has not ended, and waits for that. */
  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.until(() => this.exit !== undefined);
    // Which ends the attacker's part of it.
    this.#control?.destroy();
    this.#input.destroy();
    this.#output.destroy();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#input.off("drain", done).off("close", done);
        resolve();
      };
      this.#input.on("drain", done).on("close", done);
    });
  }

  #hear(line: string): void {
    const told = parseTold(line);
    if (told === undefined) this.strays.push(line);
    else if (told.diagnostic !== undefined)
      this.diagnostics.push({ name: told.diagnostic, message: told.message ?? "" });
    else if (told.probe !== undefined) {
      this.probed = { probe: told.probe, peak: told.peak ?? 0, isPolluted: told.isPolluted ?? false };
    } else if (told.call !== undefined) this.outcomes.set(told.call, told.outcome ?? "");
    this.#changed();
  }
}

function parseTold(line: string): Told | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function startProgram(
  name: string,
  args: readonly string[],
  stdin: "pipe" | "ignore",
  stdout: "pipe" | "ignore",
): ChildProcess {
  const file = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
  const flags = [file, ...args];
  const env = { ...process.env, NODE_OPTIONS: "", NODE_COMPILE_CACHE: compileCache() };
  return spawn(process.execPath, flags, { stdio: [stdin, stdout, "pipe"], env });
}

function startAgent(framing: FramingName): Target {
  const child = startProgram("agent", [framing], "pipe", "pipe");
  if (child.stdin === null || child.stdout === null) throw new Error("The agent was started without its pipes");
  return new Target(framing, child, { input: child.stdin, output: child.stdout });
}

/** The client spawns a process of the attacker's, which connects back here and passes bytes on. */
async function startClient(framing: FramingName): Promise<Target> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const connections: Socket[] = [];
  const both = new Promise<void>((resolve) => {
    server.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.setNoDelay(true);
      if (connections.push(socket) === 2) resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const child = startProgram("client", [String(port), framing], "ignore", "ignore");
  await Promise.race([both, once(child, "close")]);
  const [control, data] = connections;
  if (control === undefined || data === undefined) throw new Error("The client did not spawn its agent");
  return new Target(framing, child, { input: data, output: data, control, server });
}
