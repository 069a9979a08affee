import { writeSync } from "node:fs";
import type { Interface } from "node:readline";

import { beforeEnd, isInForeground } from "../../cli/before-end.ts";
import type { Streams } from "../../cli/streams.ts";

/** Makes the terminal mark pasted text; not on Deno, whose line editor treats the marks as text. */
const pasteMode = process.versions["deno"] === undefined ? "\u001B[?2004" : "";
const showCursor = "\u001B[?25h";

/**
 * The terminal mode while the user types: keys arrive one by one, and the terminal marks pasted text. The earlier mode is
 * restored while this program is stopped, while another program uses the terminal, and however this program ends.
 */
export class TerminalMode {
  readonly #input: Streams["input"];
  readonly #output: Streams["output"];
  readonly #clear: () => void;
  #isLeft = false;
  #forgetEnd: () => void;

  /** `clear` hides the typed text until the running code returns. */
  constructor({ input, output }: Streams, editor: Interface, clear: () => void) {
    this.#input = input;
    this.#output = output;
    this.#clear = clear;
    editor.on("SIGTSTP", () => this.#stop());
    process.on("SIGCONT", this.#continue);
    this.#forgetEnd = beforeEnd(this.#restore);
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
    this.#forgetEnd();
    this.leave();
  }

  /** Ctrl-Z: stops the whole job, as a terminal in line mode does. */
  #stop(): void {
    this.#clear();
    this.leave();
    // A signal that ends this program while it is stopped has nothing to restore, and finds the terminal in use by the shell.
    this.#forgetEnd();
    process.kill(0, "SIGTSTP");
    // Execution continues here, at once if no shell could resume the job.
    this.#forgetEnd = beforeEnd(this.#restore);
    this.enter();
  }

  /** The last chance: nothing that is written later is sent. */
  readonly #restore = (): void => {
    // Another program uses the terminal.
    if (this.#isLeft || !isInForeground()) return;
    this.#isLeft = true;
    try {
      writeSync(this.#output.fd ?? 1, `${pasteMode === "" ? "" : `${pasteMode}l`}${showCursor}`);
    } finally {
      this.#input.setRawMode?.(false);
    }
  };

  readonly #continue = (): void => {
    if (this.#isLeft) return;
    this.enter();
    this.#clear();
  };
}
