import { writeSync } from "node:fs";
import { formatWithOptions } from "node:util";

import { beforeEnd, isInForeground } from "../../cli/before-end.ts";
import type { Streams } from "../../cli/streams.ts";
import { Attention } from "./attention.ts";
import { Backlog } from "./backlog.ts";
import type { Typed } from "./key-parser.ts";
import { Keyboard } from "./keyboard.ts";
import { Screen } from "./screen.ts";

/** What the terminal tells the user interface. */
export interface TerminalEvents {
  readonly onTyped: (typed: Typed) => void;
  /** The screen has to be drawn: it is there again, or has another size. */
  readonly onDraw: () => void;
  /** It has shown what was written. */
  readonly onShown?: () => void;
}

/** Marks pasted texts. */
const marksPastes = "\u001B[?2004h";
/** Ends a synchronized update, shows the cursor, ends colours, and marks of pasted texts. */
const restored = "\u001B[?2026l\u001B[?25h\u001B[0m\u001B[?2004l";

/** The terminal while the user interface has it: restored while it is stopped or lent, and however this program ends. */
export class UiTerminal {
  readonly screen: Screen;
  /** `undefined` if the user does not want that. */
  readonly attention: Attention | undefined;
  readonly backlog: Backlog = new Backlog();
  readonly #input: Streams["input"];
  readonly #output: NodeJS.WriteStream;
  readonly #keyboard: Keyboard;
  readonly #onDraw: () => void;
  #isAway = false;
  #forgetEnd: () => void;

  /** `notifies`: whether it has a title, and tells of what needs attention. */
  constructor({ input, env }: Streams, { onTyped, onDraw, onShown }: TerminalEvents, notifies = false) {
    this.#input = input;
    this.#output = process.stdout;
    this.#onDraw = onDraw;
    const attention = notifies ? new Attention((text) => void this.#output.write(text), env) : undefined;
    this.attention = attention;
    this.#keyboard = new Keyboard(input, onTyped, (report) => {
      if ("isShown" in report) {
        this.backlog.answer(performance.now());
        onShown?.();
      } else if (attention !== undefined) attention.isFocused = report.isFocused;
    });
    this.screen = new Screen(this.#output, env, () => this.isHere && onDraw());
    this.#forgetEnd = beforeEnd(this.#restore);
    // Before the first frame: what is typed until then would come as lines, its Enter as a line break.
    this.#takeBack();
    process.on("SIGCONT", this.#continue);
  }

  /** Whether it is neither lent nor given back. */
  get isHere(): boolean {
    return !this.#isAway;
  }

  /** Writes what acts on the terminal without moving the cursor. */
  write(sequence: string): void {
    this.#output.write(sequence);
  }

  /** Lends the terminal to another program. */
  async lend<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#isAway) return run();
    await this.backlog.settle();
    this.#giveAway();
    try {
      return await run();
    } finally {
      this.#takeBack();
      this.#onDraw();
    }
  }

  /** Ctrl-Z: stops the whole job, as a terminal in line mode does. */
  stop(): void {
    void this.lend(async () => {
      // A signal that ends this program while it is stopped has nothing to restore, and finds the terminal in use by the shell.
      this.#forgetEnd();
      process.kill(0, "SIGTSTP");
      // Execution continues here, at once if no shell could resume the job.
      this.#forgetEnd = beforeEnd(this.#restore);
    });
  }

  /** The user interface gives it back, without what is drawn. */
  end(): void {
    process.off("SIGCONT", this.#continue);
    this.#forgetEnd();
    if (!this.#isAway) this.#giveAway();
    this.screen.close();
  }

  #giveAway(): void {
    this.#isAway = true;
    this.#keyboard.turnOff();
    this.#output.write(this.screen.takeAway() + restored + (this.attention?.turnOff() ?? ""));
  }

  #takeBack(): void {
    this.#isAway = false;
    this.#keyboard.turnOn();
    this.#output.write(marksPastes);
    this.attention?.turnOn();
  }

  /** Another program has stopped this one, and a shell may have changed the mode since. */
  readonly #continue = (): void => {
    if (this.#isAway) return;
    this.screen.forget();
    this.#takeBack();
    this.#onDraw();
  };

  /** The last chance: nothing that is written later is sent. */
  readonly #restore = (isSignal: boolean): void => {
    if (this.#isAway || !isInForeground()) return;
    this.#isAway = true;
    try {
      // After an exception, the runtime has written about it below: that would be erased, too.
      const title = this.attention?.turnOff() ?? "";
      writeSync(1, (isSignal ? this.screen.takeAway() : "\r\n") + restored + title);
    } finally {
      this.#input.setRawMode?.(false);
    }
  };
}

const methods = ["log", "info", "debug", "warn", "error"] as const;

/**
 * Catches what libraries and the runtime print, which would break the screen: `show` gets it line by line. Returns a function
 * that ends it.
 */
export function catchStrayOutput(show: (line: string) => void): () => void {
  const { stderr } = process;
  const before = methods.map((method) => [method, console[method]] as const);
  const write = stderr.write.bind(stderr);
  const tell = (text: string): void => {
    for (const line of text.split("\n")) if (line.trim() !== "") show(line);
  };
  for (const method of methods) console[method] = (...values: unknown[]) => tell(formatWithOptions({}, ...values));
  // If it goes to a file, it disturbs nobody.
  if (stderr.isTTY) {
    stderr.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      tell(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
      const callback = rest.find((one): one is () => void => typeof one === "function");
      callback?.();
      return true;
    };
  }
  return () => {
    for (const [method, original] of before) console[method] = original;
    stderr.write = write;
  };
}
