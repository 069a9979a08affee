import { type IPty, spawn } from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";

import { hangs } from "../hangs.ts";
import { programEnvironment } from "../main-job-programs.ts";

export interface ScreenOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program; this runtime by default. */
  readonly command?: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** A program in a pseudo-terminal with a screen, as a user has it: lines that do not fit are broken when it becomes narrower. */
export class TerminalScreen {
  readonly #pty: IPty;
  readonly #terminal: Terminal;
  /** Settles with the exit code, once the screen shows all. */
  readonly ended: Promise<number>;
  #hasEnded = false;
  /** Everything that the program has written. */
  raw = "";

  constructor(args: readonly string[], options: ScreenOptions = {}) {
    const { cwd, env = {}, command = process.execPath, columns: cols = 80, rows = 24 } = options;
    const { NO_COLOR: _, CI: _ci, ...inherited } = programEnvironment(env);
    this.#terminal = new Terminal({ cols, rows, scrollback: 100_000, allowProposedApi: true });
    this.#pty = spawn(command, [...args], {
      cols,
      rows,
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...inherited, TERM: "xterm-256color", ...env },
    });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#terminal.write(data);
    });
    // Answers to what programs ask of a terminal, such as where the cursor is.
    this.#terminal.onData((data) => this.#pty.write(data));
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        // What it has written last is on the screen then.
        this.#terminal.write("", () => {
          this.#hasEnded = true;
          resolve(exitCode);
        });
      });
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Closes it, as a user closes a window. */
  close(): void {
    // Its types know nothing of that.
    (this.#pty as IPty & { destroy(): void }).destroy();
    this.#terminal.dispose();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** What is on the screen now. */
  get screen(): string {
    const { baseY, length } = this.#terminal.buffer.active;
    return this.#lines(baseY, length);
  }

  /** What is above the screen. */
  get scrollback(): string {
    return this.#lines(0, this.#terminal.buffer.active.baseY);
  }

  /** Both. */
  get everything(): string {
    return this.#lines(0, this.#terminal.buffer.active.length);
  }

  /** Where the cursor is on the screen, counted from 0. */
  get cursor(): { readonly x: number; readonly y: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { x: cursorX, y: cursorY };
  }

  /** Waits for the screen to look like this. */
  async shows(pattern: RegExp): Promise<string> {
    const deadline = Date.now() + hangs;
    while (!pattern.test(this.screen)) {
      if (this.#hasEnded || Date.now() > deadline)
        throw new Error(`Waited in vain for ${String(pattern)} in:\n${this.everything}`);
      await this.#change();
    }
    return this.screen;
  }

  /** Waits for the next change of the screen, but not longer than a second: it may have come already. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const listener = this.#terminal.onWriteParsed(() => end());
      const timer = setTimeout(() => end(), 1_000);
      const end = (): void => {
        listener.dispose();
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #lines(from: number, until: number): string {
    const buffer = this.#terminal.buffer.active;
    const lines = Array.from(
      { length: until - from },
      (_, at) => buffer.getLine(from + at)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  }
}
