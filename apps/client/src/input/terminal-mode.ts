import type { Streams } from "../streams.ts";

/** How a terminal is while the user types: each key comes at once, and the terminal tells what is pasted. */
export class TerminalMode {
  readonly #input: Streams["input"];
  readonly #output: Streams["output"];

  constructor({ input, output }: Pick<Streams, "input" | "output">) {
    this.#input = input;
    this.#output = output;
    this.enter();
  }

  enter(): void {
    // A shell may have changed it while this program was stopped; what is thought to be set is not set again.
    this.#input.setRawMode?.(false);
    this.#input.setRawMode?.(true);
    this.#output.write("\u001B[?2004h");
  }

  leave(): void {
    this.#output.write("\u001B[?2004l");
    this.#input.setRawMode?.(false);
  }
}
