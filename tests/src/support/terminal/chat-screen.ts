import { join } from "node:path";

import { clientProgram, temporaryDirectory } from "../main-job-programs.ts";
import { commandOn, type RuntimeName } from "../runtimes.ts";
import { TerminalScreen } from "./terminal-screen.ts";

export interface ChatOptions {
  readonly cwd: string;
  /** Options of the client. */
  readonly options?: readonly string[];
  /** Default: the runtime of this program. */
  readonly runtime?: RuntimeName | undefined;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The user interface in a pseudo-terminal. */
export class ChatScreen extends TerminalScreen {
  /** Where it keeps what it remembers, and not among the user's own files. */
  readonly #home: ReturnType<typeof temporaryDirectory>;

  /** `agent`: the end of the command line. */
  constructor(agent: readonly string[], { cwd, options = [], runtime, columns, rows, env }: ChatOptions) {
    const home = temporaryDirectory();
    const args = [...options, ...agent];
    const { command, args: all } =
      runtime === undefined
        ? { command: process.execPath, args: [clientProgram, ...args] }
        : commandOn(runtime, clientProgram, args);
    super(all, {
      cwd,
      command,
      columns: columns ?? 80,
      rows: rows ?? 24,
      env: { ...homeOf(home.path), ...env },
    });
    this.#home = home;
  }

  /** Types a prompt and sends it. */
  async say(text: string): Promise<void> {
    this.type(text);
    const end = text.slice(-20).replaceAll(/[^\w ]/gu, ".");
    await this.shows(new RegExp(`> .*${end}`, "u"));
    this.type("\r");
  }

  override close(): void {
    super.close();
    this.#home[Symbol.dispose]();
  }
}

/** Variables that keep a program away from the user's own files. */
export function homeOf(directory: string): Readonly<Record<string, string>> {
  return {
    XDG_CONFIG_HOME: join(directory, "config"),
    XDG_STATE_HOME: join(directory, "state"),
    XDG_CACHE_HOME: join(directory, "cache"),
  };
}

/** What is shown when the editor is empty and no turn runs. */
export const ready: RegExp = /Type a prompt/u;
