import { keptBytes } from "./limits.ts";

/** What an issue shows, one byte that reveals a longer message, and the marks around a line. */
const keptAtEnds = keptBytes + 5;

/** Chunks from this size on are kept as they are; smaller ones are copied together. */
const largeChunk = 16 * 1024;
const pageSize = 64 * 1024;

/**
 * The received part of a message, or both ends of a discarded one.
 *
 * The pieces are joined once, when the message is complete. So work is linear for any chunks, and memory follows what was
 * received, not what a header claims.
 */
export interface HeldBytes {
  /** How many bytes were added. */
  readonly size: number;
  /** @param size The size of what `bytes` are both ends of, if they are. */
  add(bytes: Uint8Array, size?: number): void;
  /** Returns the bytes in one piece, and holds nothing afterwards. */
  take(): Uint8Array;
}

/** @param wholeUpTo Above this size the middle is discarded: at least `keptAtEnds` bytes of either end stay, in whole pieces. */
export function createHeldBytes(wholeUpTo: number = Infinity): HeldBytes {
  let size = 0;
  /** Large chunks, and parts of pages. */
  let pieces: Uint8Array[] = [];
  /** Small chunks are copied here. No piece has the part from `begin` to `end` yet. */
  let page: Uint8Array = new Uint8Array(0);
  let begin = 0;
  let end = 0;

  function add(bytes: Uint8Array, added: number = bytes.length): void {
    size += added;
    if (bytes.length >= largeChunk) {
      closePiece();
      pieces.push(bytes);
      return;
    }
    if (end + bytes.length > page.length) {
      closePiece();
      // The first page is small: it mostly holds the end of a chunk until the next one comes.
      page = new Uint8Array(end > 0 ? pageSize : largeChunk);
      begin = end = 0;
    }
    page.set(bytes, end);
    end += bytes.length;
  }

  function take(): Uint8Array {
    closePiece();
    let joined = pieces[0] ?? page.subarray(0, 0);
    if (pieces.length > 1) {
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
