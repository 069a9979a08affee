import { stripVTControlCharacters } from "node:util";

import { type IPty, spawn } from "@lydell/node-pty";

import { programEnvironment, waitFor } from "../main-job-programs.ts";
import { screenOf } from "./screen.ts";

const columns = 100;

/** A program of ours in a pseudo terminal, as a user has it. */
export class Terminal {
  readonly #pty: IPty;
  readonly ended: Promise<number>;
  raw = "";

  /** `args` begin with the file of the program, unless `command` is another one than this runtime. */
  constructor(
    cwd: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    command: string = process.execPath,
  ) {
    const { NO_COLOR: _, ...inherited } = programEnvironment(env);
    this.#pty = spawn(command, [...args], {
      cwd,
      cols: columns,
      rows: 50,
      env: { ...inherited, TERM: "xterm-256color", ...env },
    });
    this.#pty.onData((data) => (this.raw += data));
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => resolve(exitCode));
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  /** Closes it, as a user closes a window. */
  close(): void {
    // Its types know nothing of that.
    (this.#pty as IPty & { destroy(): void }).destroy();
  }

  /** What the user sees now. */
  get screen(): string {
    return screenOf(this.raw, columns);
  }

  /** Waits for the screen to look like this. */
  shows(pattern: RegExp): Promise<string> {
    return waitFor(() => this.screen, pattern);
  }

  /** Waits for a text on the screen that was not there at the last look. */
  async sees(pattern: RegExp): Promise<string> {
    const from = this.#seen;
    const text = await waitFor(() => stripVTControlCharacters(this.raw).replaceAll("\r", "").slice(from), pattern);
    this.#seen = from + text.search(pattern) + (pattern.exec(text)?.[0].length ?? 0);
    return text;
  }

  #seen = 0;
}

/** What a key together with Ctrl sends. */
export function control(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) - 64);
}
