/** Where a transcript goes: `process.stdout`, or anything like it. */
export interface Output {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  readonly writableNeedDrain?: boolean;
  once(event: "drain", listener: () => void): unknown;
}

/** Puts text and lines one below the other, with an empty line between blocks. */
export class Printer {
  readonly #output: Output;
  #atLineStart = true;
  /** Nothing was written yet, or the last line is empty: no gap is needed. */
  #hasGap = true;
  #gapWanted = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Text that goes on where the last ended. */
  text(text: string): void {
    if (text === "") return;
    this.#closeGap();
    this.#write(text);
  }

  /** One or more lines of their own. */
  line(text = ""): void {
    this.endLine();
    this.#closeGap();
    this.#write(`${text}\n`);
  }

  endLine(): void {
    if (!this.#atLineStart) this.#write("\n");
  }

  /** The next line or text begins a new block: an empty line comes before it. */
  gap(): void {
    this.endLine();
    this.#gapWanted = !this.#hasGap;
  }

  /** Makes ready for something else to write, such as a prompt of a line editor. */
  handOver(): void {
    this.gap();
    this.#closeGap();
  }

  /** Something else has written, and ended its line. */
  takeBack(): void {
    this.#hasGap = false;
    this.#atLineStart = true;
  }

  /** Settles when there is room again; `undefined` if there is. Waiting for it slows a fast agent down. */
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
    this.#output.write(text);
  }
}
