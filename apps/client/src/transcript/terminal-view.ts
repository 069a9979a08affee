import type { Terminal } from "@acp/node";

import { printable } from "./printable.ts";

/** How much is kept of what nobody has looked at yet, in UTF-16 code units. */
const maxEarly = 64 * 1024;

/** The output of a terminal as text, from its beginning, whenever somebody comes to look at it. */
export class TerminalView {
  readonly terminal: Terminal;
  readonly #decoder = new TextDecoder();
  #early = "";
  #listener: ((text: string) => void) | undefined;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    terminal.onOutput((chunk) => this.#take(printable(this.#decoder.decode(chunk, { stream: true }))));
  }

  /** Gives `listener` what was written so far, and what follows as it comes. */
  watch(listener: (text: string) => void): void {
    this.#listener = listener;
    if (this.#early !== "") listener(this.#early);
    this.#early = "";
  }

  #take(text: string): void {
    if (this.#listener === undefined) this.#early = (this.#early + text).slice(-maxEarly);
    else this.#listener(text);
  }
}
