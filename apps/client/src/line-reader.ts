import { createInterface, type Interface } from "node:readline";

export interface LineReaderOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(mode: boolean): unknown };
  readonly output: NodeJS.WritableStream;
  /** Completes what the user has begun to type. */
  readonly complete?: (line: string) => readonly string[];
  /** The user has pressed Ctrl-C. */
  readonly onInterrupt: () => void;
}

/** Reads lines from a terminal or a pipe. Lines that come while nobody reads wait for the next reader. */
export class LineReader {
  readonly #interface: Interface;
  readonly #isTerminal: boolean;
  readonly #input: LineReaderOptions["input"];
  readonly #output: NodeJS.WritableStream;
  readonly #waiting: string[] = [];
  #taker: ((line: string | undefined) => void) | undefined;
  #closed = false;

  constructor({ input, output, complete, onInterrupt }: LineReaderOptions) {
    this.#isTerminal = input.isTTY === true;
    this.#input = input;
    this.#output = output;
    this.#interface = createInterface({
      input,
      ...(this.#isTerminal ? { output } : {}),
      terminal: this.#isTerminal,
      prompt: "",
      ...(complete === undefined ? {} : { completer: (line: string) => [complete(line), line] }),
    });
    this.#interface.on("line", (line) => this.#arrived(line));
    this.#interface.on("SIGINT", onInterrupt);
    this.#interface.on("close", () => {
      this.#closed = true;
      this.#take(undefined);
    });
  }

  /** The next line; `undefined` at the end of input. Rejects when `signal` aborts. */
  next(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      // Shown as if it had been typed now.
      if (!this.#isTerminal) this.#output.write(`${prompt}${waiting}\n`);
      return Promise.resolve(waiting);
    }
    if (this.#closed) return Promise.resolve(undefined);
    if (this.#isTerminal) {
      this.#interface.setPrompt(prompt);
      this.#interface.prompt(true);
    } else {
      this.#output.write(prompt);
    }
    return this.#nextArriving(signal);
  }

  /** The answer to a question: on a terminal only what is typed from now on. */
  ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#isTerminal) this.#waiting.length = 0;
    return this.next(prompt, signal);
  }

  /** Lets something be shown above the line that the user is typing. */
  aside<Result>(show: () => Result): Result {
    if (!this.#isTerminal || this.#taker === undefined) return show();
    this.#output.write("\r\u001B[K");
    const result = show();
    this.#interface.prompt(true);
    return result;
  }

  /** Leaves the terminal to another program while `run` lasts. */
  async away<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#interface.pause();
    if (this.#isTerminal) this.#input.setRawMode?.(false);
    try {
      return await run();
    } finally {
      if (this.#isTerminal) this.#input.setRawMode?.(true);
      if (!this.#closed) this.#interface.resume();
    }
  }

  close(): void {
    this.#interface.close();
  }

  #nextArriving(signal: AbortSignal | undefined): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#taker = undefined;
        this.#output.write("\n");
        reject(signal?.reason);
      };
      this.#taker = (line) => {
        signal?.removeEventListener("abort", stop);
        resolve(line);
      };
      if (signal?.aborted === true) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    });
  }

  #arrived(line: string): void {
    if (this.#taker === undefined) this.#waiting.push(line);
    else {
      if (!this.#isTerminal) this.#output.write(`${line}\n`);
      this.#take(line);
    }
  }

  #take(line: string | undefined): void {
    const taker = this.#taker;
    this.#taker = undefined;
    if (this.#isTerminal) this.#interface.setPrompt("");
    taker?.(line);
  }
}
