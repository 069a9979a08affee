import type { FileHandle } from "node:fs/promises";
import { readLineBatches } from "@acp/sessions/internal";

import type { Cursor } from "../cursor.ts";
import { findPlace } from "../place.ts";

/** So many bytes lie between two places that are remembered. */
const blockSize = 64 * 1024;

/** The end of a line behind which the same write goes on: it counts when the last line of its write is there. */
export const continued = " ";
const continuedByte = continued.charCodeAt(0);

interface Mark {
  /** The number of the entry that begins there. */
  readonly n: number;
  readonly offset: number;
}

/** A place in a file of entries. */
export interface Found {
  /** Where the first entry behind it begins, in bytes. */
  readonly offset: number;
  /** The entry before that. */
  readonly before: Cursor | undefined;
}

/** What this process has found out about a file of entries, so that it need not read all of it again. */
export class SegmentIndex {
  /** Where the entries end that were written as a whole, in bytes. */
  end = 0;
  /** The last of them. */
  last: Cursor | undefined;
  readonly #marks: Mark[] = [];
  #updating: Promise<void> = Promise.resolve();

  /** Reads what was added to the file, which has so many bytes now. */
  update(file: FileHandle, size: number): Promise<void> {
    const updating = this.#updating.then(() => this.#readAdded(file, size));
    this.#updating = updating.catch(() => {});
    return updating;
  }

  /** Finds the first entry behind a number. */
  async seek(file: FileHandle, n: number): Promise<Found> {
    if (this.last !== undefined && this.last.n <= n) return { offset: this.end, before: this.last };
    let offset = this.#marks.findLast((mark) => mark.n <= n)?.offset ?? 0;
    let before: Cursor | undefined;
    for await (const lines of readLineBatches(file, offset, this.end)) {
      for (const line of lines) {
        const place = placeOfLine(line);
        if (place !== undefined && place.n > n) return { offset, before };
        before = place ?? before;
        offset += line.length + 1;
      }
    }
    return { offset, before };
  }

  async #readAdded(file: FileHandle, size: number): Promise<void> {
    let offset = this.end;
    let found: Mark[] = [];
    for await (const lines of readLineBatches(file, offset, size)) {
      for (const line of lines) {
        const last = found.at(-1) ?? this.#marks.at(-1);
        if (last === undefined || offset - last.offset >= blockSize) {
          const place = placeOfLine(line);
          if (place !== undefined) found.push({ n: place.n, offset });
        }
        offset += line.length + 1;
        if (line.at(-1) === continuedByte) continue;
        this.#marks.push(...found);
        found = [];
        this.last = placeOfLine(line) ?? this.last;
        this.end = offset;
      }
    }
  }
}

/** The text of a line as it was appended. */
export function textOfLine(line: Buffer): string {
  return line.toString("utf8", 0, line.at(-1) === continuedByte ? line.length - 1 : line.length);
}

/** `undefined` for a line that no journal has written, such as zeros after a loss of power. */
function placeOfLine(line: Buffer): Cursor | undefined {
  return findPlace(line.toString("latin1", 0, 50));
}
