import type { TerminalExit } from "./shown.ts";
import { TerminalLines } from "../text/terminal-lines.ts";

/** How much output is kept until somebody watches, in UTF-16 code units. */
const maxUnwatched = 64 * 1024;
/** How long a command may be silent before its unfinished line is shown, in milliseconds: it may be a question. */
const pause = 300;

/** A terminal of this program. */
interface WatchedTerminal {
  readonly exited: Promise<TerminalExit>;
  onOutput(listener: (bytes: Uint8Array) => void): unknown;
}

/** Shows a command that runs in a terminal of this client. */
export function watchTerminal(terminal: WatchedTerminal, command: string): TerminalView {
  const view = new TerminalView(command);
  terminal.onOutput((bytes) => view.push(bytes));
  void terminal.exited.then((exit) => view.end(exit));
  return view;
}

/** The output of a terminal as lines, for a listener that may come late. */
export class TerminalView {
  /** The command that runs in it; empty if unknown. */
  readonly command: string;
  /** How the command ended; `undefined` while it runs. */
  exit: TerminalExit | undefined;
  /** How many bytes were written so far. */
  length = 0;
  readonly #decoder = new TextDecoder();
  #unwatched = "";
  #lines: TerminalLines | undefined;
  #onText: ((text: string) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(command: string) {
    this.command = command;
  }

  /** Adds output. */
  push(bytes: Uint8Array): void {
    this.length += bytes.length;
    this.#append(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The command ended, and its output is complete. */
  end(exit: TerminalExit): void {
    this.exit = exit;
    this.#append(this.#decoder.decode());
    this.flush();
  }

  /** Calls `listener` with the lines so far, and with each further line. */
  watch(listener: (line: string) => void): void {
    this.#lines = new TerminalLines(listener);
    this.#append(this.#unwatched);
    this.#unwatched = "";
    if (this.exit !== undefined) this.flush();
  }

  /** Calls `listener` with the output so far, as the command wrote it, with more as it comes, and once more at the end. */
  follow(listener: (text: string) => void): void {
    this.#onText = listener;
    listener(this.#unwatched);
    this.#unwatched = "";
  }

  /** Shows the unfinished line. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#lines?.flush();
  }

  #append(text: string): void {
    if (this.#onText !== undefined) {
      this.#onText(text);
      return;
    }
    if (this.#lines === undefined) {
      this.#unwatched = (this.#unwatched + text).slice(-maxUnwatched);
      return;
    }
    this.#lines.push(text);
    clearTimeout(this.#timer);
    if (this.#lines.isUnfinished) this.#timer = setTimeout(() => this.#lines?.pause(), pause);
  }
}
