import process from "node:process";

import type { AgentCommand } from "@acp/testing/process";
import { startProgram } from "@acp/testing/process";

import { CheckFailure } from "../engine/check.ts";
import type { ClientSettings } from "./client-settings.ts";

/** A client that was started. */
export interface ClientProgram {
  readonly pid: number;
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** What it has written to its stdout, without escape sequences. */
  shown(): string;
  stderr(): string;
  /** Writes to its stdin. */
  type(text: string): void;
  signal(name: string): void;
  /** Resolves when it has shown a text; rejects if it ends without that. */
  untilShown(text: string): Promise<void>;
  /** Settles as `waited` does; rejects if the client ends before. */
  untilEnded<T>(waited: Promise<T>): Promise<T>;
  kill(): Promise<void>;
}

/** Starts a client with a scripted agent. */
export async function startClient(
  settings: ClientSettings,
  agent: AgentCommand,
  prompt: string,
): Promise<ClientProgram> {
  const json = JSON.stringify([agent.command, ...agent.args]);
  const fill = (part: string): string[] => {
    // A part that is nothing else becomes the words of the command.
    if (part === "{agent}") return [agent.command, ...agent.args];
    return [part.replaceAll("{agent:json}", json).replaceAll("{agent}", agent.line).replaceAll("{prompt}", prompt)];
  };
  const [command = "", ...args] = settings.command.flatMap(fill);
  const program = await startProgram({ command, args, cwd: settings.cwd, env: settings.env, grace: settings.timeout });
  let output = "";
  let isClosed = false;
  const listeners = new Set<() => void>();
  const look = (): void => {
    for (const listener of new Set(listeners)) listener();
  };
  const decoder = new TextDecoder();
  program.start({
    data: (chunk) => {
      output += decoder.decode(chunk, { stream: true });
      look();
    },
    closed: () => {
      isClosed = true;
      look();
    },
  });
  if (!settings.command.some((part) => part.includes("{prompt}"))) {
    void program.write(new TextEncoder().encode(`${prompt}\n`));
  }
  const shown = (): string => plainText(output);
  return {
    pid: program.pid,
    exited: program.exited,
    shown,
    stderr: () => program.stderr(),
    type: (text) => void program.write(new TextEncoder().encode(text)),
    signal: (name) => void process.kill(program.pid, name),
    untilShown: (text) =>
      new Promise((resolve, reject) => {
        const listener = (): void => {
          const isShown = shown().includes(text);
          if (!isShown && !isClosed) return;
          listeners.delete(listener);
          if (isShown) resolve();
          else reject(new CheckFailure(`The client has ended, and did not show ${JSON.stringify(text)}`));
        };
        listeners.add(listener);
        listener();
      }),
    untilEnded: (waited) =>
      Promise.race([
        waited,
        program.exited.then(({ exitCode, signal }) => {
          throw new Error(`The client has ended with ${signal ?? `exit code ${exitCode}`} before`);
        }),
      ]),
    kill: () => program.kill(),
  };
}

/** A text without escape sequences, and with its lines joined where a terminal would wrap them. */
function plainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- escape sequences are what it takes out
  return text.replaceAll(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/gu, "");
}
