const firstPage = 4 * 1024;
const largestPage = 1024 * 1024;
/** A page up to this size is used again for the next message. */
const largestKeptPage = 64 * 1024;

/**
 * The part of a message that has come in so far, copied out of the chunks that brought it.
 *
 * Bytes go to pages that double in size and are joined once, when the message is whole: linear for
 * any chunking, and memory follows what has arrived, not what a header claims.
 */
export class HeldBytes {
  size = 0;
  /** Full pages before the current one. */
  #pages: Uint8Array[] = [];
  #page: Uint8Array = new Uint8Array(0);
  #used = 0;

  add(bytes: Uint8Array): void {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#used === this.#page.length) this.#nextPage(rest.length);
      const part = rest.subarray(0, this.#page.length - this.#used);
      this.#page.set(part, this.#used);
      this.#used += part.length;
      this.size += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** What is held, in one piece; valid until the next {@link add}. Holds nothing afterwards. */
  take(): Uint8Array {
    const last = this.#page.subarray(0, this.#used);
    if (this.#pages.length === 0) {
      if (this.#page.length > largestKeptPage) this.#page = new Uint8Array(0);
      this.#used = 0;
      this.size = 0;
      return last;
    }
    const joined = new Uint8Array(this.size);
    let offset = 0;
    for (const page of this.#pages) {
      joined.set(page, offset);
      offset += page.length;
    }
    joined.set(last, offset);
    this.clear();
    return joined;
  }

  /** The pieces, without joining them. */
  *pieces(): Generator<Uint8Array> {
    yield* this.#pages;
    yield this.#page.subarray(0, this.#used);
  }

  clear(): void {
    this.#pages = [];
    this.#page = new Uint8Array(0);
    this.#used = 0;
    this.size = 0;
  }

  #nextPage(wanted: number): void {
    if (this.#page.length > 0) this.#pages.push(this.#page);
    this.#page = new Uint8Array(Math.min(largestPage, Math.max(firstPage, this.#page.length * 2, wanted)));
    this.#used = 0;
  }
}
