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
export interface HeldBytes {
  /** How many bytes were added. */
  readonly size: number;
  add(bytes: Uint8Array): void;
  /** What is held, in one piece. Holds nothing afterwards. */
  take(): Uint8Array;
}

/**
 * @param wholeUpTo Of more bytes than this, those in the middle are let go: at least `keptAtEnds` stay at either end, and a
 *   page or a chunk more.
 */
export function createHeldBytes(wholeUpTo: number = Infinity): HeldBytes {
  let size = 0;
  /** Large chunks, and parts of pages. */
  let pieces: Uint8Array[] = [];
  /** Where small chunks are copied to: from `begin` to `end` is what no piece holds yet. */
  let page: Uint8Array = new Uint8Array(0);
  let begin = 0;
  let end = 0;

  function add(bytes: Uint8Array): void {
    size += bytes.length;
    if (bytes.length >= largeChunk) {
      closePiece();
      pieces.push(bytes);
      return;
    }
    if (end + bytes.length > page.length) {
      closePiece();
      // The first page is small: most of what is held is the end of a chunk, until the next one comes.
      page = new Uint8Array(end > 0 ? pageSize : largeChunk);
      begin = end = 0;
    }
    page.set(bytes, end);
    end += bytes.length;
  }

  function take(): Uint8Array {
    closePiece();
    let joined = pieces[0]!;
    if (pieces.length !== 1) {
      joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
      let offset = 0;
      for (const piece of pieces) {
        joined.set(piece, offset);
        offset += piece.length;
      }
    }
    pieces = [];
    size = 0;
    return joined;
  }

  function closePiece(): void {
    if (end > begin) pieces.push(page.subarray(begin, end));
    begin = end;
    if (size <= wholeUpTo) return;
    let first = 0;
    let last = pieces.length;
    for (let kept = 0; kept < keptAtEnds && first < last;) kept += pieces[first++]!.length;
    for (let kept = 0; kept < keptAtEnds && first < last;) kept += pieces[--last]!.length;
    pieces.splice(first, last - first);
  }

  return {
    get size() {
      return size;
    },
    add,
    take,
  };
}
