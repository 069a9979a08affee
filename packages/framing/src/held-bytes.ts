import { keptBytes } from "./limits.ts";

/** What an issue shows, a byte by which it can be told that more was there, and the marks around a line. */
const keptAtEnds = keptBytes + 5;

/** Chunks from this size on are kept as they came; smaller ones are copied together. */
const largeChunk = 16 * 1024;
const pageSize = 64 * 1024;

/**
 * The part of a message that has come in so far, or both ends of one that is left out.
 *
 * Its pieces are joined once, when the message is whole: linear for any chunking, and memory follows
 * what has arrived, not what a header claims.
 */
export class HeldBytes {
  /** How many bytes were added. */
  size = 0;
  /** Whether bytes in the middle are let go from now on: at least `keptAtEnds` stay at either end, and a page or a chunk more. */
  endsOnly: boolean;
  /** Large chunks, and parts of pages. */
  #pieces: Uint8Array[] = [];
  /** Where small chunks are copied to: from `#begin` to `#end` is what no piece holds yet. */
  #page: Uint8Array = new Uint8Array(0);
  #begin = 0;
  #end = 0;

  constructor(endsOnly = false) {
    this.endsOnly = endsOnly;
  }

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (bytes.length >= largeChunk) {
      this.#closePiece();
      this.#pieces.push(bytes);
      return;
    }
    if (this.#end + bytes.length > this.#page.length) {
      this.#closePiece();
      // The first page is small: most of what is held is the end of a chunk, until the next one comes.
      this.#page = new Uint8Array(this.#end > 0 ? pageSize : largeChunk);
      this.#begin = this.#end = 0;
    }
    this.#page.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** What is held, in one piece. Holds nothing afterwards. */
  take(): Uint8Array {
    this.#closePiece();
    let joined = this.#pieces[0]!;
    if (this.#pieces.length !== 1) {
      joined = new Uint8Array(this.#pieces.reduce((length, piece) => length + piece.length, 0));
      let offset = 0;
      for (const piece of this.#pieces) {
        joined.set(piece, offset);
        offset += piece.length;
      }
    }
    this.#pieces = [];
    this.size = 0;
    return joined;
  }

  #closePiece(): void {
    const pieces = this.#pieces;
    if (this.#end > this.#begin) pieces.push(this.#page.subarray(this.#begin, this.#end));
    this.#begin = this.#end;
    if (!this.endsOnly) return;
    let first = 0;
    let last = pieces.length;
    for (let kept = 0; kept < keptAtEnds && first < last;) kept += pieces[first++]!.length;
    for (let kept = 0; kept < keptAtEnds && first < last;) kept += pieces[--last]!.length;
    pieces.splice(first, last - first);
  }
}
