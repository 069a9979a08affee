import { createInterface, type Interface } from "node:readline";

import { unlessAborted } from "../../protocol/time-limit.ts";
import type { Streams } from "../../cli/streams.ts";
import type { Output } from "../transcript/printer.ts";
import { PromptLine } from "./prompt-line.ts";
import { TerminalMode } from "./terminal-mode.ts";

export interface LineReaderOptions {
  /** Returns completions of the line that the user is typing. */
  readonly complete: (line: string) => readonly string[];
  /** The user pressed Ctrl-C. */
  readonly onInterrupt: () => void;
}

interface Reader {
  readonly prompt: string;
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
  readonly #questions = new QuestionQueue();
  readonly #unreadLines: string[] = [];
  /** The pasted lines above the line that is being typed. */
  #pasted: string[] = [];
  #isPasting = false;
  #reader: Reader | undefined;
  /** A prompt that waits until a question ends, with the text typed so far. */
  #postponed: { readonly reader: Reader; readonly typed: string; readonly pasted: string[] } | undefined;
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
    this.#editor.on("SIGINT", () => {
      this.#dropPasted();
      onInterrupt();
    });
    this.#editor.on("close", () => {
      this.#isClosed = true;
      this.#mode?.end();
      this.#deliver(undefined);
      this.#postponed?.reader.deliver(undefined);
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

  /** Reads the next prompt; `undefined` at the end of input. Rejects when `signal` aborts. */
  readPrompt(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    return this.#read(prompt, signal, (reader) => {
      if (this.#isAsking) this.#postponed = { reader, typed: "", pasted: [] };
      else this.#open(reader);
    });
  }

  /**
   * Runs a question after the questions before it. Rejects when `signal` aborts. An open prompt comes back
   * afterwards, with the text typed so far.
   */
  queueQuestion<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
    return this.#questions.add(signal, async () => {
      this.#postponePrompt();
      try {
        return await run();
      } finally {
        this.#resumePrompt();
      }
    });
  }

  /** Reads the answer to the running question. On a terminal, only text typed from now on counts. */
  ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#streams.input.isTTY === true) this.#unreadLines.length = 0;
    return this.#read(prompt, signal, (reader) => this.#open(reader));
  }

  /** Hides the prompt briefly, so that text written past `output` appears above it. */
  hidePrompt(): void {
    this.#line?.hidePrompt();
  }

  /** Lends the terminal to another program while `run` lasts. */
  lendTerminal<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
    return this.queueQuestion(signal, async () => {
      this.#editor.pause();
      this.#mode?.leave();
      try {
        return await run();
      } finally {
        if (!this.#isClosed) {
          this.#mode?.enter();
          this.#editor.resume();
        }
      }
    });
  }

  close(): void {
    this.#editor.close();
  }

  #read(prompt: string, signal: AbortSignal | undefined, open: (reader: Reader) => void): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const deliver = (line: string | undefined): void => {
        signal?.removeEventListener("abort", stop);
        resolve(line);
      };
      const reader: Reader = { prompt, deliver };
      const stop = (): void => {
        this.#withdraw(reader);
        reject(signal?.reason);
      };
      if (signal?.aborted === true) return reject(signal.reason);
      signal?.addEventListener("abort", stop, { once: true });
      open(reader);
    });
  }

  #open(reader: Reader, typed = ""): void {
    const unread = this.#unreadLines.shift();
    if (unread !== undefined) {
      // Show the line as if it were typed now.
      if (this.#streams.input.isTTY !== true) this.#streams.output.write(`${reader.prompt}${unread}\n`);
      return reader.deliver(unread);
    }
    if (this.#isClosed) return reader.deliver(undefined);
    this.#reader = reader;
    if (this.#line === undefined) this.#streams.output.write(reader.prompt);
    else this.#line.open(reader.prompt, typed);
  }

  #withdraw(reader: Reader): void {
    if (this.#postponed?.reader === reader) this.#postponed = undefined;
    if (this.#reader !== reader) return;
    this.#reader = undefined;
    this.#pasted = [];
    if (this.#line === undefined) this.#streams.output.write("\n");
    else this.#line.removePrompt();
  }

  #postponePrompt(): void {
    this.#isAsking = true;
    const typed = this.#line?.removePrompt() ?? "";
    const pasted = this.#pasted;
    this.#pasted = [];
    if (this.#reader === undefined) return;
    if (this.#line === undefined) this.#streams.output.write("\n");
    this.#postponed = { reader: this.#reader, typed, pasted };
    this.#reader = undefined;
  }

  #resumePrompt(): void {
    this.#isAsking = false;
    const postponed = this.#postponed;
    this.#postponed = undefined;
    if (postponed === undefined) return;
    this.#pasted = postponed.pasted;
    this.#open(postponed.reader, postponed.typed);
  }

  #receive(line: string): void {
    if (this.#isPasting) {
      this.#pasted.push(line);
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

  /** Discards the pasted lines above the current one, which cannot be edited. */
  #dropPasted(): void {
    if (this.#pasted.length === 0) return;
    this.#pasted = [];
    if (this.#reader === undefined) return;
    this.#line?.removePrompt();
    this.#line?.open(this.#reader.prompt);
  }

  #deliver(line: string | undefined): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader !== undefined) this.#line?.close();
    reader?.deliver(line);
  }
}

/** Runs questions to the user one after another. */
class QuestionQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `ask` after the questions before it. Rejects as soon as `signal` aborts, also while it waits. */
  add<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
    const answered = this.#last.then(() => {
      signal.throwIfAborted();
      return ask();
    });
    this.#last = answered.catch(() => {});
    return unlessAborted(answered, signal);
  }
}
