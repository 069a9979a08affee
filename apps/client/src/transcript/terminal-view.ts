import type { Terminal } from "@acp/node";

import { TerminalLines } from "./terminal-lines.ts";

/** How much is kept of what nobody has looked at yet, in UTF-16 code units. */
const maxEarly = 64 * 1024;
/** How long a command may be silent before the line it has begun is shown, in milliseconds: it may be a question. */
const pause = 300;

/** The output of a terminal as lines, from its beginning, whenever somebody comes to look at it. */
export class TerminalView {
  readonly terminal: Terminal;
  readonly #decoder = new TextDecoder();
  #early = "";
  #lines: TerminalLines | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    terminal.onOutput((chunk) => this.#take(this.#decoder.decode(chunk, { stream: true })));
    void terminal.exited.then(() => {
      this.#take(this.#decoder.decode());
      this.flush();
    });
  }

  /** Gives `listener` the lines that were written so far, and those that follow as they come. */
  watch(listener: (line: string) => void): void {
    this.#lines = new TerminalLines(listener);
    this.#take(this.#early);
    this.#early = "";
    if (this.terminal.exit !== undefined) this.flush();
  }

  /** Gives the line that the command has begun as far as it is there. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#lines?.flush();
  }

  #take(text: string): void {
    if (this.#lines === undefined) {
      this.#early = (this.#early + text).slice(-maxEarly);
      return;
    }
    this.#lines.push(text);
    clearTimeout(this.#timer);
    if (this.#lines.isUnfinished) this.#timer = setTimeout(() => this.#lines?.pause(), pause);
  }
}
