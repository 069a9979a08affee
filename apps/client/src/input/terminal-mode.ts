import type { Interface } from "node:readline";

import type { Streams } from "../streams.ts";

/** Has the terminal tell what is pasted; not on Deno, whose line editor takes the marks for text. */
const pasteMode = process.versions["deno"] === undefined ? "\u001B[?2004" : "";

/**
 * How a terminal is while the user types: each key comes at once, and the terminal tells what is pasted. It is as it
 * was before while the program is stopped, and while another one has the terminal.
 */
export class TerminalMode {
  readonly #input: Streams["input"];
  readonly #output: Streams["output"];
  readonly #clear: () => void;
  #isLeft = false;

  /** `clear` takes what the user types off the terminal, for as long as the code that runs then. */
  constructor({ input, output }: Streams, editor: Interface, clear: () => void) {
    this.#input = input;
    this.#output = output;
    this.#clear = clear;
    editor.on("SIGTSTP", () => this.#stop());
    process.on("SIGCONT", this.#continue);
    this.enter();
  }

  enter(): void {
    this.#isLeft = false;
    // A shell may have changed it while this program was stopped; what is thought to be set is not set again.
    this.#input.setRawMode?.(false);
    this.#input.setRawMode?.(true);
    if (pasteMode !== "") this.#output.write(`${pasteMode}h`);
  }

  leave(): void {
    this.#isLeft = true;
    if (pasteMode !== "") this.#output.write(`${pasteMode}l`);
    this.#input.setRawMode?.(false);
  }

  /** Leaves it for good. */
  end(): void {
    process.off("SIGCONT", this.#continue);
    this.leave();
  }

  /** Ctrl-Z: stops all of the job, as the terminal does where it reads lines itself. */
  #stop(): void {
    this.#clear();
    this.leave();
    process.kill(0, "SIGTSTP");
    // Here it goes on; at once if there is no shell that could continue it.
    this.enter();
  }

  readonly #continue = (): void => {
    if (this.#isLeft) return;
    this.enter();
    this.#clear();
  };
}
