import { appendFile, open, stat, truncate } from "node:fs/promises";

const newline = 0x0a;
const chunkSize = 64 * 1024;

/**
 * A file with a line of JSON for each entry. A line is written at once, and counts when its end is there: whatever a crash has
 * left behind the last one is cut off when the journal is opened again.
 */
export class Journal {
  readonly #path: string;
  #pending: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  /** Whether a write has failed: part of a line may be there. */
  #isBroken = false;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Opens a journal to write to. The caller holds the lock of the session. */
  static async open(path: string): Promise<Journal> {
    const { size } = await stat(path);
    const end = await endOfLines(path, size);
    if (end < size) await truncate(path, end);
    return new Journal(path);
  }

  /** Adds a line. Lines that come while others are written go together. */
  append(line: string): Promise<void> {
    this.#pending.push(line);
    if (this.#pending.length === 1) {
      this.#writing = this.#writing.then(
        () => this.#flush(),
        () => this.#flush(),
      );
    }
    return this.#writing;
  }

  /** Resolves when everything is written, or has failed. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  async #flush(): Promise<void> {
    const lines = this.#pending.splice(0).map((line) => `${line}\n`);
    // The end of a line that was not written to its end: it becomes a line of its own, which readers skip.
    if (this.#isBroken) lines.unshift("\n");
    this.#isBroken = true;
    await appendFile(this.#path, lines.join(""));
    this.#isBroken = false;
  }
}

/** Reads the lines of a journal that another process may be writing. What is no JSON is left out, as is an unfinished line. */
export async function* readJournal(path: string): AsyncGenerator {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    // What there is of a line whose end was not read yet.
    let parts: Buffer[] = [];
    for (let at = 0; at < size;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(chunkSize, size - at)), 0, undefined, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const chunk = buffer.subarray(0, bytesRead);
      const end = chunk.lastIndexOf(newline) + 1;
      if (end > 0) {
        const lines = Buffer.concat([...parts, chunk.subarray(0, end)])
          .toString("utf8")
          .split("\n");
        for (const line of lines) {
          const value = line === "" ? undefined : parse(line);
          if (value !== undefined) yield value;
        }
        parts = [];
      }
      parts.push(chunk.subarray(end));
    }
  } finally {
    await file.close();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The number of bytes up to the end of the last whole line. */
async function endOfLines(path: string, size: number): Promise<number> {
  const file = await open(path, "r");
  try {
    for (let end = size; end > 0;) {
      const start = Math.max(0, end - chunkSize);
      const chunk = Buffer.alloc(end - start);
      await file.read(chunk, 0, chunk.length, start);
      const last = chunk.lastIndexOf(newline);
      if (last >= 0) return start + last + 1;
      end = start;
    }
    return 0;
  } finally {
    await file.close();
  }
}
