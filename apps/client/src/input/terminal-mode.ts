import type { Interface } from "node:readline";

import type { Streams } from "../streams.ts";

/** Makes the terminal mark pasted text; not on Deno, whose line editor treats the marks as text. */
const pasteMode = process.versions["deno"] === undefined ? "\u001B[?2004" : "";

/**
 * The terminal mode while the user types: keys arrive one by one, and the terminal marks pasted text. The earlier mode is
 * restored while this program is stopped, and while another program uses the terminal.
 */
export class TerminalMode {
  readonly #input: Streams["input"];
  readonly #output: Streams["output"];
  readonly #clear: () => void;
  #isLeft = false;

  /** `clear` hides the typed text until the running code returns. */
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
    // A shell may have changed the mode while this program was stopped, and Node skips a mode that it believes to be set.
    this.#input.setRawMode?.(false);
    this.#input.setRawMode?.(true);
    if (pasteMode !== "") this.#output.write(`${pasteMode}h`);
  }

  leave(): void {
    this.#isLeft = true;
    if (pasteMode !== "") this.#output.write(`${pasteMode}l`);
    this.#input.setRawMode?.(false);
  }

  /** Restores the earlier mode for good. */
  end(): void {
    process.off("SIGCONT", this.#continue);
    this.leave();
  }

  /** Ctrl-Z: stops the whole job, as a terminal in line mode does. */
  #stop(): void {
    this.#clear();
    this.leave();
    process.kill(0, "SIGTSTP");
    // Execution continues here, at once if no shell could resume the job.
    this.enter();
  }

  readonly #continue = (): void => {
    if (this.#isLeft) return;
    this.enter();
    this.#clear();
  };
}
