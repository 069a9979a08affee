import { closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

import { continued } from "./segment-index.ts";
import { rawName } from "./segments.ts";

/** A segment that has grown to this is followed by another one, in bytes. */
const longestSegment = 4 * 1024 * 1024;

/** Adds entries to the segments of a session. */
export class SegmentWriter {
  /** The number of the next entry. */
  next: number;
  readonly #folder: string;
  readonly #epoch: number;
  #path = "";
  /** What there is of the segment, in bytes. */
  #size = 0;
  /** Whether part of a write may be there that failed. */
  #isTorn = false;

  constructor({ path, epoch, next }: { readonly path: string; readonly epoch: number; readonly next: number }) {
    this.#folder = path;
    this.#epoch = epoch;
    this.next = next;
    this.#begin();
  }

  /** Adds entries in one write: either all of them are there afterwards or none, also if this process is killed meanwhile. */
  append(entries: readonly string[]): void {
    if (this.#isTorn) this.#mend();
    if (this.#size > longestSegment) this.#begin();
    const bytes = Buffer.from(`${entries.join(`${continued}\n`)}\n`);
    this.#isTorn = true;
    try {
      writeAt(this.#path, bytes, this.#size);
    } catch (error) {
      this.#tryToMend();
      throw error;
    }
    this.#isTorn = false;
    this.#size += bytes.length;
    this.next += entries.length;
  }

  /** Begins another segment if everything in this one is compacted, and removes this one. */
  leave(): void {
    if (this.#size === 0) return;
    const old = this.#path;
    this.#begin();
    rmSync(old, { force: true });
  }

  /** Resolves when everything that was written is on the disk. */
  async sync(): Promise<void> {
    for (const path of [this.#path, this.#folder]) await syncFile(path);
  }

  #begin(): void {
    const path = join(this.#folder, rawName({ epoch: this.#epoch, n: this.next }));
    writeFileSync(path, "", { mode: 0o600 });
    this.#path = path;
    this.#size = 0;
    this.#isTorn = false;
  }

  #mend(): void {
    truncateSync(this.#path, this.#size);
    this.#isTorn = false;
  }

  #tryToMend(): void {
    try {
      this.#mend();
    } catch {
      // The next write tries it again.
    }
  }
}

/** Writes at a place of a file that is there: one that was removed is not made again. */
function writeAt(path: string, bytes: Uint8Array, position: number): void {
  const file = openSync(path, "r+");
  try {
    for (let done = 0; done < bytes.length;) {
      // As a rule this writes everything; a disk that gets full takes a part.
      done += writeSync(file, bytes, done, bytes.length - done, position + done);
    }
  } finally {
    closeSync(file);
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
