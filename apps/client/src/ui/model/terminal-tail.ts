import type { TerminalExit } from "../../protocol/shown.ts";
import { TerminalLines } from "../../text/terminal-lines.ts";
import type { TerminalState } from "../chat-state.ts";

/** How many lines are kept. */
const maxLines = 400;

/** The end of what a command has printed, as lines. */
export class TerminalTail {
  command: string;
  readonly #onChange: () => void;
  #lines: string[] = [];
  #omitted = 0;
  #screen = this.#newScreen();
  #decoder = new TextDecoder();
  #exit: TerminalExit | undefined;
  #state: TerminalState | undefined;

  /** `onChange` is called whenever {@link state} is another one. */
  constructor(command: string, onChange: () => void) {
    this.command = command;
    this.#onChange = onChange;
  }

  /** Whether there was any output. */
  get hasOutput(): boolean {
    return this.#omitted > 0 || this.#lines.length > 0 || this.#screen.unfinished !== "";
  }

  /** What is shown now: the same object until it changes. */
  get state(): TerminalState {
    const { unfinished } = this.#screen;
    this.#state ??= {
      command: this.command,
      lines: [...this.#lines.slice(-maxLines), ...(unfinished === "" ? [] : [unfinished])],
      omitted: this.#omitted + Math.max(0, this.#lines.length - maxLines),
      exit: this.#exit,
    };
    return this.#state;
  }

  pushBytes(bytes: Uint8Array): void {
    this.push(this.#decoder.decode(bytes, { stream: true }));
  }

  push(text: string): void {
    this.#screen.push(text);
    this.#change();
  }

  /** What comes next is all that the command has printed. */
  clear(): void {
    this.#lines = [];
    this.#omitted = 0;
    this.#screen = this.#newScreen();
    this.#decoder = new TextDecoder();
    this.#change();
  }

  end(exit: TerminalExit): void {
    this.#exit = exit;
    this.#change();
  }

  #newScreen(): TerminalLines {
    return new TerminalLines((line) => {
      this.#lines.push(line);
      if (this.#lines.length <= 2 * maxLines) return;
      this.#omitted += this.#lines.length - maxLines;
      this.#lines = this.#lines.slice(-maxLines);
    });
  }

  #change(): void {
    this.#state = undefined;
    this.#onChange();
  }
}
