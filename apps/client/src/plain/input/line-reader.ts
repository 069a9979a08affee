import { createInterface, type Interface } from "node:readline";

import type { Streams } from "../../cli/streams.ts";
import type { Output } from "../print/printer.ts";
import { PromptLine } from "./prompt-line.ts";
import { TerminalMode } from "./terminal-mode.ts";

export interface LineReaderOptions {
  /** Returns completions of the line that the user is typing. */
  readonly complete: (line: string) => readonly string[];
  /** The user pressed Ctrl-C, and has typed nothing. */
  readonly onInterrupt: () => void;
}

interface Reader {
  readonly prompt: string;
  /** What is typed already: whole lines, and the beginning of the last one. */
  readonly pasted?: readonly string[];
  readonly typed?: string;
  deliver(line: string | undefined): void;
}

/**
 * Reads lines from a terminal or a pipe: prompts, and answers to questions, which take precedence. Lines that
 * arrive while nobody reads are kept for the next reader.
 */
export class LineReader {
  /** The output to write to, so that text does not mix with what the user types. */
  readonly output: Output;
  readonly #editor: Interface;
  readonly #streams: Streams;
  /** `undefined` unless the terminal can move its cursor. */
  readonly #line: PromptLine | undefined;
  readonly #mode: TerminalMode | undefined;
  readonly #unreadLines: string[] = [];
  /** The pasted lines above the line that is being typed. */
  #pasted: readonly string[] = [];
  #isPasting = false;
  #reader: Reader | undefined;
  /** A prompt that waits until a question ends, with the text typed so far. */
  #postponed: Reader | undefined;
  #isAsking = false;
  #isClosed = false;

  constructor(streams: Streams, { complete, onInterrupt }: LineReaderOptions) {
    const { input, output, env } = streams;
    this.#streams = streams;
    // Any other terminal edits and echoes lines itself.
    const edits = input.isTTY === true && output.isTTY === true && env["TERM"] !== "dumb";
    this.#editor = createInterface({
      input,
      ...(edits ? { output } : {}),
      terminal: edits,
      prompt: "",
      // A pasted tab is text.
      completer: (line: string) => (this.#isPasting ? [["\t"], ""] : [[...complete(line)], line]),
    });
    this.#line = edits ? new PromptLine(this.#editor, output) : undefined;
    this.#mode = edits ? new TerminalMode(streams, this.#editor, () => this.#line?.hidePrompt()) : undefined;
    this.output = this.#line ?? output;
    this.#editor.on("line", (line) => this.#receive(line));
    this.#editor.on("SIGINT", () => this.#dropDraft() || onInterrupt());
    this.#editor.on("close", () => {
      this.#isClosed = true;
      this.#mode?.end();
      this.#deliver(undefined);
      this.#postponed?.deliver(undefined);
    });
    // The terminal has gone: no more than an end.
    input.on("error", () => this.close());
    if (!edits) return;
    input.on("keypress", (_: unknown, { name }: { readonly name?: string }) => {
      if (name === "paste-start") this.#isPasting = true;
      else if (name === "paste-end") this.#isPasting = false;
    });
  }

  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  /** Reads the next prompt, which begins with `typed`; `undefined` at the end of input. Questions go before it. */
  readPrompt(typed = ""): Promise<string | undefined> {
    return new Promise((deliver) => {
      const reader: Reader = { prompt: "> ", typed, deliver };
      if (this.#isAsking) this.#postponed = reader;
      else this.#open(reader);
    });
  }

  /** A question begins: an open prompt comes back after it, with the text typed so far. */
  beginQuestion(): void {
    this.#isAsking = true;
    const typed = this.#line?.removePrompt() ?? "";
    if (this.#reader === undefined) return;
    if (this.#line === undefined) this.#streams.output.write("\n");
    this.#postponed = { ...this.#reader, typed, pasted: this.#pasted };
    this.#reader = undefined;
    this.#pasted = [];
  }

  endQuestion(): void {
    this.#isAsking = false;
    const postponed = this.#postponed;
    this.#postponed = undefined;
    if (postponed !== undefined) this.#open(postponed);
  }

  /** Reads the answer to a question; `undefined` at the end of input, or if `signal` aborts. On a terminal, only text typed from now on counts. */
  ask(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.#streams.input.isTTY === true) this.#unreadLines.length = 0;
    return new Promise((resolve) => {
      const reader: Reader = {
        prompt,
        deliver: (line) => {
          signal.removeEventListener("abort", withdraw);
          resolve(line);
        },
      };
      const withdraw = (): void => {
        this.#withdraw(reader);
        resolve(undefined);
      };
      signal.addEventListener("abort", withdraw, { once: true });
      this.#open(reader);
    });
  }

  /** Hides the prompt briefly, so that text written past `output` appears above it. */
  hidePrompt(): void {
    this.#line?.hidePrompt();
  }

  /** Lends the terminal to another program while `run` lasts. */
  async lend<Result>(run: () => Promise<Result>): Promise<Result> {
    this.beginQuestion();
    this.#editor.pause();
    this.#mode?.leave();
    try {
      return await run();
    } finally {
      if (!this.#isClosed) {
        this.#mode?.enter();
        this.#editor.resume();
      }
      this.endQuestion();
    }
  }

  close(): void {
    this.#editor.close();
  }

  #open(reader: Reader): void {
    const { prompt, typed, pasted = [] } = reader;
    const unread = this.#unreadLines.shift();
    if (unread !== undefined) {
      // Show the line as if it were typed now.
      if (this.#streams.input.isTTY !== true) this.#streams.output.write(`${prompt}${unread}\n`);
      return reader.deliver(unread);
    }
    if (this.#isClosed) return reader.deliver(undefined);
    this.#reader = reader;
    this.#pasted = pasted;
    if (this.#line === undefined) this.#streams.output.write(prompt);
    else this.#line.open(prompt, typed);
  }

  #withdraw(reader: Reader): void {
    if (this.#reader !== reader) return;
    this.#reader = undefined;
    if (this.#line === undefined) this.#streams.output.write("\n");
    else this.#line.removePrompt();
  }

  #receive(line: string): void {
    if (this.#isPasting) {
      this.#pasted = [...this.#pasted, line];
      // Pasted lines form one text, which the user sends.
      if (this.#reader !== undefined) this.#line?.close(" ".repeat(this.#reader.prompt.length));
      return;
    }
    const text = [...this.#pasted, line].join("\n").replace(/\n$/u, "");
    this.#pasted = [];
    if (this.#reader === undefined) {
      this.#unreadLines.push(text);
      return;
    }
    if (this.#streams.input.isTTY !== true) this.#streams.output.write(`${text}\n`);
    this.#deliver(text);
  }

  /** Discards what is typed. Returns whether there was something. */
  #dropDraft(): boolean {
    const reader = this.#reader;
    if (reader === undefined || (this.#pasted.length === 0 && this.#editor.line === "")) return false;
    this.#pasted = [];
    this.#line?.removePrompt();
    this.#line?.open(reader.prompt);
    return true;
  }

  #deliver(line: string | undefined): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader !== undefined) this.#line?.close();
    reader?.deliver(line);
  }
}
