import type { Interrupts } from "../cli/interrupts.ts";
import { describeExit } from "../protocol/call-end.ts";
import { TerminalTail } from "../protocol/terminal-tail.ts";
import { runInShell } from "../protocol/user-shell.ts";
import { terminalPart } from "../render/call-parts.ts";
import { GrowingParts } from "./transcript/growing-parts.ts";
import type { Transcript } from "./transcript/transcript.ts";

/** What a line needs from the program around it. */
interface ShellUi {
  readonly interrupts: Interrupts;
  readonly quit: AbortSignal;
  readonly transcript: Transcript;
}

/** How much of the output is shown. */
const limits = { head: 400, tail: 40 };

/** The lines that the user runs in the shell with `!`, and what they have printed. */
export class ShellLines {
  readonly #cwd: string;
  readonly #isTyped: boolean;
  #output: string | undefined;
  #attached = "";

  /** `isTyped`: the user types the prompts. */
  constructor(cwd: string, isTyped: boolean) {
    this.#cwd = cwd;
    this.#isTyped = isTyped;
  }

  /** The line for the shell, if this is one: `!` with something behind it. */
  lineOf(prompt: string): string | undefined {
    return this.#isTyped ? /^!\s*(\S.*)$/su.exec(prompt)?.[1] : undefined;
  }

  /** Runs a line in the user's shell until it ends, or the user presses Ctrl-C. */
  async run(line: string, { interrupts, quit, transcript }: ShellUi): Promise<void> {
    const stop = new AbortController();
    const ended = interrupts.beginTurn(() => stop.abort());
    try {
      const { view, exited, block } = await runInShell(line, this.#cwd, AbortSignal.any([quit, stop.signal]));
      const parts = new GrowingParts(
        () => limits,
        (shown) => transcript.line(shown),
      );
      // What it has printed already is followed at once.
      const tail = TerminalTail.of(view, () => {});
      const show = (isWhole: boolean): void => parts.show([terminalPart("", tail.state)], isWhole);
      tail.onChange = () => show(false);
      show(false);
      await exited;
      show(true);
      this.#output = block() ?? this.#output;
      const end = view.exit === undefined ? "" : describeExit(view.exit);
      const hint = block() === undefined ? "" : ". /attach-output adds the output to your next prompt";
      transcript.note(`${line}: ${end}${hint}`);
    } finally {
      ended();
    }
  }

  /** Adds the last output to the next prompt. Returns whether there is one. */
  attach(): boolean {
    this.#attached = this.#output ?? "";
    return this.#attached !== "";
  }

  promptOf(text: string): string {
    const attached = this.#attached;
    this.#attached = "";
    return attached + text;
  }
}
