/** A line longer than this is delivered in pieces, in UTF-16 units. */
const longestLine = 64 * 1024;

/** Splits chunks of bytes into lines of text, without their ends; broken UTF-8 becomes U+FFFD. */
export class LineSplitter {
  readonly #deliver: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(deliver: (line: string) => void) {
    this.#deliver = deliver;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#deliver(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (this.#rest.length > longestLine) {
      // Keeps a character of two units whole.
      const end = this.#rest.codePointAt(longestLine - 1)! > 0xffff ? longestLine - 1 : longestLine;
      this.#deliver(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
    }
  }

  /** Delivers a last line without an end. */
  end(): void {
    const rest = this.#rest + this.#decoder.decode();
    this.#rest = "";
    if (rest !== "") this.#deliver(rest);
  }
}
