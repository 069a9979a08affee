import { type FileHandle, open, readdir } from "node:fs/promises";
import { codeOf, readLineBatches } from "@acp/sessions/internal";

import type { Cursor } from "../cursor.ts";
import type { Page } from "../journal.ts";
import { findPlace } from "../place.ts";
import { SegmentIndex, textOfLine } from "./segment-index.ts";
import { arrangeSegments, type Segments } from "./segments.ts";

/** Files whose places are remembered. */
const mostIndexes = 256;

/** Reads entries from files that another process may be writing or replacing. */
export class PageReader {
  readonly #indexes = new Map<string, SegmentIndex>();

  /** The entries behind a place in the folder of a session. */
  async read(path: string, after: Cursor | "start", limit: number): Promise<Page | "gone" | undefined> {
    for (;;) {
      const segments = await segmentsIn(path);
      if (segments === undefined) return undefined;
      try {
        return await this.#readPage(segments, after, limit);
      } catch (error) {
        // Compaction has replaced a file meanwhile: nothing of this page counts.
        if (codeOf(error) !== "ENOENT") throw error;
      }
    }
  }

  /** The last entry. */
  async findEnd({ raw, compacted }: Segments): Promise<Cursor | undefined> {
    for (const segment of raw.toReversed()) {
      const last = await this.#with(segment.path, async (file, index) => {
        return (await index.seek(file, segment.end - 1)).before;
      });
      if (last !== undefined) return last;
    }
    return compacted?.upTo;
  }

  /** The entries of a file behind a number. */
  async entriesBehind(path: string, n: number): Promise<readonly string[]> {
    const page = new PageBuilder(Infinity);
    await this.#readFrom(path, n, Infinity, page);
    return page.entries;
  }

  /** Where the entries of a file end, in bytes. */
  async sizeOf(path: string): Promise<number> {
    return await this.#with(path, async (_, index) => index.end);
  }

  async #readPage(segments: Segments, after: Cursor | "start", limit: number): Promise<Page | "gone"> {
    const { compacted, raw } = segments;
    const place = after === "start" ? { epoch: 0, n: 0 } : after;
    const page = new PageBuilder(limit);
    let isFound = after === "start";
    let isFirst = true;
    // Behind all that was compacted.
    const isBehind = compacted !== undefined && isSame(compacted.upTo, place);
    if (compacted !== undefined && !isBehind && place.n <= compacted.upTo.n) {
      const before = await this.#readFrom(compacted.path, place.n, Infinity, page);
      isFound ||= before !== undefined && isSame(before, place);
      if (!isFound) return "gone";
      isFirst = false;
    }
    isFound ||= isBehind;
    const from = Math.max(place.n, compacted?.upTo.n ?? 0);
    for (const segment of raw) {
      if (page.isFull) break;
      if (segment.end <= from) continue;
      const before = await this.#readFrom(segment.path, from, segment.end, page);
      isFound ||= isFirst && before !== undefined && isSame(before, place);
      if (!isFound) return "gone";
      isFirst = false;
    }
    if (!isFound) return "gone";
    const last = after === "start" ? (page.last ?? compacted?.upTo) : (page.last ?? after);
    return { entries: page.entries, cursor: last, more: page.isFull };
  }

  /** Adds the entries of a file behind a number to a page. Returns the entry before them. */
  async #readFrom(path: string, after: number, end: number, page: PageBuilder): Promise<Cursor | undefined> {
    return await this.#with(path, async (file, index) => {
      const { offset, before } = await index.seek(file, after);
      for await (const lines of readLineBatches(file, offset, index.end)) {
        for (const line of lines) if (!page.add(textOfLine(line), end)) return before;
      }
      return before;
    });
  }

  /** Runs something with a file and what is known about it. */
  async #with<Result>(path: string, run: (file: FileHandle, index: SegmentIndex) => Promise<Result>): Promise<Result> {
    const file = await open(path, "r");
    try {
      const { ino, birthtimeMs, size } = await file.stat();
      // A file that replaces another one is found out by these.
      const index = this.#indexOf(`${path} ${ino} ${birthtimeMs}`);
      await index.update(file, size);
      return await run(file, index);
    } finally {
      await file.close();
    }
  }

  #indexOf(file: string): SegmentIndex {
    const index = this.#indexes.get(file) ?? new SegmentIndex();
    // The last that was used is the last to be forgotten.
    this.#indexes.delete(file);
    this.#indexes.set(file, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > mostIndexes && oldest !== undefined) this.#indexes.delete(oldest);
    return index;
  }
}

/** The segments in the folder of a session; `undefined` if there is none. */
export async function segmentsIn(path: string): Promise<Segments | undefined> {
  try {
    return arrangeSegments(path, await readdir(path));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Entries of a page, up to its limit. */
class PageBuilder {
  readonly entries: string[] = [];
  last: Cursor | undefined;
  /** Whether an entry found no room. */
  isFull = false;
  #room: number;

  constructor(limit: number) {
    this.#room = limit;
  }

  /** Adds an entry with a number below `end`. Returns whether others may follow. */
  add(text: string, end: number): boolean {
    const place = findPlace(text);
    if (place === undefined) return true;
    if (place.n >= end) return false;
    if (this.entries.length > 0 && text.length > this.#room) {
      this.isFull = true;
      return false;
    }
    this.#room -= text.length;
    this.last = place;
    this.entries.push(text);
    return true;
  }
}

function isSame(a: Cursor, b: Cursor): boolean {
  return a.n === b.n && a.epoch === b.epoch;
}
