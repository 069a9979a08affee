/** The output of a transcript: `process.stdout`, or anything like it. */
export interface Output {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  readonly writableNeedDrain?: boolean;
  once(event: "drain", listener: () => void): unknown;
}

/** Prints text and lines, with an empty line between blocks. */
export class Printer {
  readonly #output: Output;
  #atLineStart = true;
  /** Nothing was written yet, or the last line is empty, so no gap is needed. */
  #hasGap = true;
  #gapWanted = false;
  /** What is to be written at once. */
  #held: string | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Writes at once what `print` prints. */
  together(print: () => void): void {
    this.#held = "";
    try {
      print();
    } finally {
      this.#release();
      this.#held = undefined;
    }
  }

  text(text: string): void {
    if (text === "") return;
    this.#closeGap();
    this.#write(text);
  }

  /** Prints one or more separate lines. */
  line(text = ""): void {
    this.endLine();
    this.#closeGap();
    this.#write(`${text}\n`);
  }

  endLine(): void {
    if (!this.#atLineStart) this.#write("\n");
  }

  /** Starts a new block: an empty line comes before the next text. */
  gap(): void {
    this.endLine();
    this.#gapWanted = !this.#hasGap;
  }

  /** Hands the output over to another writer, such as a line editor. */
  handOver(): void {
    this.gap();
    this.#closeGap();
    this.#release();
  }

  /** Takes the output back from a writer that ended its line. */
  takeBack(): void {
    this.#hasGap = false;
    this.#atLineStart = true;
  }

  /** Settles when the output can take more; `undefined` if it can now. Waiting for it slows a fast agent down. */
  room(): Promise<void> | undefined {
    if (this.#output.writableNeedDrain !== true) return undefined;
    return new Promise((resolve) => {
      this.#output.once("drain", resolve);
    });
  }

  #closeGap(): void {
    if (!this.#gapWanted) return;
    this.#gapWanted = false;
    this.#write("\n");
    this.#hasGap = true;
  }

  #write(text: string): void {
    this.#hasGap = false;
    this.#atLineStart = text.endsWith("\n");
    if (this.#held === undefined) this.#output.write(text);
    else this.#held += text;
  }

  #release(): void {
    if (this.#held === undefined || this.#held === "") return;
    const text = this.#held;
    this.#held = "";
    this.#output.write(text);
  }
}
