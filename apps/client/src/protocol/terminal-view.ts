import type { TerminalExit } from "@acp/render";

/** How much output is kept until somebody follows, in UTF-16 code units. */
const maxWaiting = 64 * 1024;

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

/** The output of a terminal, for a listener that may come late. */
export class TerminalView {
  /** The command that runs in it; empty if unknown. */
  readonly command: string;
  /** How the command ended; `undefined` while it runs. */
  exit: TerminalExit | undefined;
  /** How many bytes were written so far. */
  length = 0;
  readonly #decoder = new TextDecoder();
  #waiting = "";
  #onText: ((text: string) => void) | undefined;

  constructor(command: string) {
    this.command = command;
  }

  push(bytes: Uint8Array): void {
    this.length += bytes.length;
    this.#append(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The command ended, and its output is complete. */
  end(exit: TerminalExit): void {
    this.exit = exit;
    this.#append(this.#decoder.decode());
  }

  /** Calls `listener` with the output so far, as the command wrote it, with more as it comes, and once more at the end. */
  follow(listener: (text: string) => void): void {
    this.#onText = listener;
    listener(this.#waiting);
    this.#waiting = "";
  }

  #append(text: string): void {
    if (this.#onText === undefined) this.#waiting = (this.#waiting + text).slice(-maxWaiting);
    else this.#onText(text);
  }
}
