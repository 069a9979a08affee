import process from "node:process";

import type { AgentCommand } from "@acp/testing/process";
import { startProgram } from "@acp/testing/process";

import { CheckFailure } from "../engine/check.ts";
import type { ProgramEnd } from "../engine/not-started.ts";
import { type ClientSettings, linesOf, takesOnePrompt } from "./client-settings.ts";
import { plainOutput, toldOutput } from "./shown-text.ts";

/** A client that was started. */
export interface ClientProgram {
  readonly pid: number;
  readonly exited: Promise<ProgramEnd>;
  /** Looks at what it has left behind when it ends, before that is ended as well. */
  atExit<T>(see: () => T | Promise<T>): Promise<T>;
  /** All that it has written was read. */
  readonly read: Promise<void>;
  /** What it has written to its stdout, without escape sequences; what its driver told. */
  shown(): string;
  stderr(): string;
  /** Writes a line to its stdin. */
  type(line: string): void;
  /** Ends its stdin. */
  endInput(): void;
  signal(name: string): void;
  /** Resolves when it has shown a text; rejects if it ends without that. */
  untilShown(text: string): Promise<void>;
  /** Settles as `waited` does; rejects if the client ends before. */
  untilEnded<T>(waited: Promise<T>): Promise<T>;
  kill(): Promise<void>;
}

/** Starts a client with a scripted agent, and prompts it. */
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
  const { cwd, env, timeout } = settings;
  const looks: Promise<unknown>[] = [];
  let hasEnded = false;
  let tellEnd = (): void => {};
  const end = new Promise<void>((resolve) => (tellEnd = resolve));
  const onExit = async (): Promise<void> => {
    hasEnded = true;
    tellEnd();
    await Promise.allSettled(looks);
  };
  // It has no limit but that of the check: its stdin may end as soon as it begins.
  const program = await startProgram({ command, args, cwd, env, onExit, grace: 10 * timeout });
  const output = settings.driver === true ? toldOutput() : plainOutput();
  let isClosed = false;
  let tellRead = (): void => {};
  const read = new Promise<void>((resolve) => (tellRead = resolve));
  const listeners = new Set<() => void>();
  let willLook = false;
  const look = (): void => {
    willLook = false;
    for (const listener of new Set(listeners)) listener();
  };
  const lookSoon = (): void => {
    // One look for all that came at once.
    if (!willLook) setImmediate(look);
    willLook = true;
  };
  program.start({
    data: (chunk) => {
      output.push(chunk);
      lookSoon();
    },
    closed: () => {
      isClosed = true;
      tellRead();
      lookSoon();
    },
  });
  const type = (line: string): void => void program.write(new TextEncoder().encode(`${line}\n`));
  const endInput = (): void => void program.close().catch(() => {});
  if (!takesOnePrompt(settings)) type(linesOf(settings).prompt(prompt));
  else if (settings.cancel.startsWith("SIG") && settings.answer === undefined) endInput();
  return {
    pid: program.pid,
    exited: program.exited,
    atExit: (see) => {
      const seen = end.then(see);
      looks.push(seen);
      return seen;
    },
    read,
    shown: () => output.text(),
    stderr: () => program.stderr(),
    type,
    endInput,
    signal: (name) => {
      // Its number may belong to another process then.
      if (!hasEnded) process.kill(program.pid, name);
    },
    untilShown: (text) =>
      new Promise((resolve, reject) => {
        const listener = (): void => {
          const isShown = output.text().includes(text);
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
