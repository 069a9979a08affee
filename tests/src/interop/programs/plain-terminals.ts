import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

import { ChosenFailure } from "../failure.ts";
import type { Json } from "../json.ts";

interface PlainTerminal {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  output: string;
}

/** The smallest terminals that run real commands, for a client that has no toolkit to do it. */
export class PlainTerminals {
  readonly #open = new Map<string, PlainTerminal>();
  #count = 0;

  readonly handlers: Readonly<Record<string, (params: Json) => unknown>> = {
    "terminal/create": (params) => this.#create(params),
    "terminal/output": (params) => {
      const { output, child } = this.#get(params);
      return { output, truncated: false, ...(ended(child) ? { exitStatus: exitOf(child) } : {}) };
    },
    "terminal/wait_for_exit": async (params) => {
      const { child, exited } = this.#get(params);
      await exited;
      return exitOf(child);
    },
    "terminal/kill": (params) => {
      this.#get(params).child.kill("SIGKILL");
      return {};
    },
    "terminal/release": (params) => {
      this.#get(params).child.kill("SIGKILL");
      this.#open.delete(String(params["terminalId"]));
      return {};
    },
  };

  #create({ command, args, cwd, env }: Json): Json {
    const variables = ((env as { name: string; value: string }[] | undefined) ?? []).map(({ name, value }) => [
      name,
      value,
    ]);
    const child = spawn(String(command), (args as string[] | undefined) ?? [], {
      cwd: typeof cwd === "string" ? cwd : undefined,
      env: { ...process.env, ...Object.fromEntries(variables) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const terminal: PlainTerminal = { child, exited: once(child, "close"), output: "" };
    const collect = (chunk: Buffer): void => {
      terminal.output += chunk.toString();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const terminalId = `terminal-${++this.#count}`;
    this.#open.set(terminalId, terminal);
    return { terminalId };
  }

  #get({ terminalId }: Json): PlainTerminal {
    const terminal = this.#open.get(String(terminalId));
    if (terminal !== undefined) return terminal;
    throw new ChosenFailure({ code: -32002, message: "No such terminal", data: { terminalId } });
  }
}

function ended(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function exitOf(child: ChildProcess): Json {
  return { exitCode: child.exitCode, signal: child.signalCode };
}
