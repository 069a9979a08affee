import type { Line } from "../text/spans.ts";
import { TerminalLines } from "../text/terminal-lines.ts";
import type { TerminalExit, TerminalReport } from "../shown.ts";

/** How many lines are kept. */
const maxLines = 400;

/** What is shown of a command: its last lines, and how it ended. */
export interface TerminalState {
  readonly command: string;
  /** The last lines, with their colours. */
  readonly lines: readonly Line[];
  /** How many lines there were before these. */
  readonly omitted: number;
  /** The last line has not ended: it `grows`, or is `rewritten` again and again, as those do that show progress. */
  readonly last?: "grows" | "rewritten" | undefined;
  readonly exit: TerminalExit | undefined;
}

/** A terminal whose output somebody can follow. */
export interface FollowedTerminal {
  readonly command: string;
  /** How its command ended; `undefined` while it runs. */
  readonly exit: TerminalExit | undefined;
  /** Calls `listener` with the output so far, and with what comes; and once more when the command has ended. */
  follow(listener: (text: string) => void): void;
}

/** The end of what a command has printed, as lines. */
export class TerminalTail {
  /** What runs; empty if that is unknown. */
  command: string;
  /** Called whenever {@link state} is another one. */
  onChange: () => void;
  #lines: Line[] = [];
  #omitted = 0;
  #screen = this.#newScreen();
  #decoder = new TextDecoder();
  #exit: TerminalExit | undefined;
  #state: TerminalState | undefined;

  constructor(command: string, onChange: () => void) {
    this.command = command;
    this.onChange = onChange;
  }

  /** The end of what a terminal prints, from now on. */
  static of(view: FollowedTerminal, onChange: () => void): TerminalTail {
    const tail = new TerminalTail(view.command, onChange);
    view.follow((text) => {
      tail.push(text);
      if (view.exit !== undefined) tail.end(view.exit);
    });
    return tail;
  }

  /** What is shown now: the same object until it changes. */
  get state(): TerminalState {
    const { unfinished, isReplaced } = this.#screen;
    const isOpen = unfinished.length > 0;
    this.#state ??= {
      command: this.command,
      lines: [...this.#lines.slice(-maxLines), ...(isOpen ? [unfinished] : [])],
      omitted: this.#omitted + Math.max(0, this.#lines.length - maxLines),
      last: isOpen ? (isReplaced ? "rewritten" : "grows") : undefined,
      exit: this.#exit,
    };
    return this.#state;
  }

  /** Adds output, with its escape sequences. */
  push(text: string): void {
    this.#screen.push(text);
    this.#change();
  }

  /** Applies a report of the agent about a terminal of its own. */
  apply({ command, output, isWhole, exit }: TerminalReport): void {
    if (command != null) this.command = command;
    if (isWhole === true) this.#clear();
    if (output !== undefined) this.push(this.#decoder.decode(output, { stream: true }));
    if (exit !== undefined) this.end(exit);
    this.#change();
  }

  /** The command has ended. */
  end(exit: TerminalExit): void {
    this.#exit = exit;
    this.#change();
  }

  /** What comes next is all that the command has printed. */
  #clear(): void {
    this.#lines = [];
    this.#omitted = 0;
    this.#screen = this.#newScreen();
    this.#decoder = new TextDecoder();
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
    this.onChange();
  }
}
