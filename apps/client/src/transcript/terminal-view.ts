import type { TerminalExit } from "../shown.ts";
import { TerminalLines } from "./terminal-lines.ts";

/** How much is kept of what nobody has looked at yet, in UTF-16 code units. */
const maxUnwatched = 64 * 1024;
/** How long a command may be silent before the line it has begun is shown, in milliseconds: it may be a question. */
const pause = 300;

/** The output of a terminal as lines, from its beginning, whenever somebody comes to look at it. */
export class TerminalView {
  /** The command that runs in it; empty if that is not known. */
  readonly command: string;
  /** How the command has ended; `undefined` while it runs. */
  exit: TerminalExit | undefined;
  /** How many bytes there are so far. */
  length = 0;
  readonly #decoder = new TextDecoder();
  #unwatched = "";
  #lines: TerminalLines | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(command: string) {
    this.command = command;
  }

  /** What comes next of the output. */
  push(bytes: Uint8Array): void {
    this.length += bytes.length;
    this.#append(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The command has ended, and its output is complete. */
  end(exit: TerminalExit): void {
    this.exit = exit;
    this.#append(this.#decoder.decode());
    this.flush();
  }

  /** Gives `listener` the lines that were written so far, and those that follow as they come. */
  watch(listener: (line: string) => void): void {
    this.#lines = new TerminalLines(listener);
    this.#append(this.#unwatched);
    this.#unwatched = "";
    if (this.exit !== undefined) this.flush();
  }

  /** Gives the line that the command has begun as far as it is there. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#lines?.flush();
  }

  #append(text: string): void {
    if (this.#lines === undefined) {
      this.#unwatched = (this.#unwatched + text).slice(-maxUnwatched);
      return;
    }
    this.#lines.push(text);
    clearTimeout(this.#timer);
    if (this.#lines.isUnfinished) this.#timer = setTimeout(() => this.#lines?.pause(), pause);
  }
}
