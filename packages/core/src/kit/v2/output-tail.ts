/** The end of a command's output, up to a number of bytes. */
export class OutputTail {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #truncated = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a copy of the bytes. */
  add(bytes: Uint8Array): void {
    this.#chunks.push(bytes.slice());
    this.#size += bytes.length;
    // Copies everything, so it must not happen for every chunk.
    if (this.#size > 2 * this.#limit) this.#truncate();
  }

  /** The tail as text. */
  result(): { readonly output: string; readonly truncated: boolean } {
    this.#truncate();
    const [tail = new Uint8Array()] = this.#chunks;
    // Skips the rest of a character that was cut in two.
    const isFirstOfCharacter = (byte: number): boolean => (byte & 0b1100_0000) !== 0b1000_0000;
    const start = this.#truncated ? Math.max(0, tail.findIndex(isFirstOfCharacter)) : 0;
    return { output: new TextDecoder().decode(tail.subarray(start)), truncated: this.#truncated };
  }

  #truncate(): void {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    const tail = all.slice(Math.max(0, this.#size - this.#limit));
    this.#truncated ||= tail.length < this.#size;
    this.#chunks = [tail];
    this.#size = tail.length;
  }
}
