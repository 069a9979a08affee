export const lineFeed = 10;

/** The lines to read (FS-04). */
export interface LineRange {
  /** The first, from 1. */
  readonly line: number;
  /** The most lines to read. */
  readonly limit: number;
}

/** Picks lines from chunks of bytes. Line ends belong to their line and stay as they are. */
export class LinePicker {
  readonly #last: number;
  readonly #first: number;
  #current = 1;

  constructor({ line, limit }: LineRange) {
    this.#first = line;
    this.#last = line + limit - 1;
  }

  /** Whether no later bytes can belong to the lines. */
  get done(): boolean {
    return this.#current > this.#last;
  }

  /** True once the first of the lines has started. */
  get begun(): boolean {
    return this.#current >= this.#first;
  }

  /** Returns the part of the next chunk that belongs to the lines: always one piece, perhaps empty. */
  pick(chunk: Uint8Array): Uint8Array {
    let from = this.#current >= this.#first ? 0 : chunk.length;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, end + 1)) {
      this.#current += 1;
      if (this.#current === this.#first) from = end + 1;
      if (this.done) return chunk.subarray(from, end + 1);
    }
    return chunk.subarray(from);
  }
}
