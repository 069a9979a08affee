/** The end of what a command prints, up to so many bytes. */
export class KeptOutput {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #truncated = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds bytes, which stay the caller's to write to. */
  add(bytes: Uint8Array): void {
    this.#chunks.push(bytes.slice());
    this.#size += bytes.length;
    // Now and then, and not for every chunk.
    if (this.#size > 2 * this.#limit) this.#drop();
  }

  /** What is kept, as text. */
  result(): { readonly output: string; readonly truncated: boolean } {
    this.#drop();
    const [kept = new Uint8Array()] = this.#chunks;
    // A character that was cut in two is left out.
    const isCut = (byte: number): boolean => (byte & 0b1100_0000) !== 0b1000_0000;
    const start = this.#truncated ? Math.max(0, kept.findIndex(isCut)) : 0;
    return { output: new TextDecoder().decode(kept.subarray(start)), truncated: this.#truncated };
  }

  #drop(): void {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    const kept = all.subarray(Math.max(0, this.#size - this.#limit));
    this.#truncated ||= kept.length < this.#size;
    this.#chunks = [kept.slice()];
    this.#size = kept.length;
  }
}
