import { appendFileSync } from "node:fs";
import { appendFile, open, stat, truncate } from "node:fs/promises";

import { grownMark, hasGrown, ownMark, parseLine, type ReadLine } from "./journal-line.ts";
import { readLineBatches } from "./read-lines.ts";

const newline = 0x0a;
const chunkSize = 64 * 1024;
/** A text that grows longer than this goes on in another line, in characters. */
const longestText = 64 * 1024;

/** Why a line is left out. */
export interface SkippedLine {
  /** Counts from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A line whose text may grow. */
interface Growing {
  /** Everything before the text. */
  readonly start: string;
  /** Everything behind it. */
  readonly end: string;
  length: number;
}

/**
 * A file with a line of JSON for each entry. Everything is written at once and before the call returns: what was shown to a user
 * after that survives the end of this process. A line counts when its end is there, except one whose text grows.
 */
export class Journal {
  readonly #path: string;
  #growing: Growing | undefined;
  /** Whether a write has failed: part of a line may be there. */
  #isBroken = false;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Opens a journal to write to, and ends its last line. The caller holds the lock of the session. */
  static async open(path: string, onSkipped: (skipped: SkippedLine) => void): Promise<Journal> {
    const { size } = await stat(path);
    const end = await endOfLines(path, size);
    const journal = new Journal(path);
    if (end < size) {
      // Where that cannot be written, it goes before the next line, once one can.
      await endLastLine(path, end, onSkipped).catch(() => {
        journal.#isBroken = true;
      });
    }
    return journal;
  }

  /** Adds a line. With the text that it ends with, later ones that differ in that alone are joined to it. */
  append(line: string, text?: string): void {
    if (text !== undefined && this.#grow(line, text)) return;
    this.end();
    const growing = text === undefined ? undefined : toGrowing(line, text);
    if (growing === undefined) return this.#write(`${line}\n`);
    this.#write(`${grownMark}${line.slice(0, line.length - growing.end.length)}`);
    this.#growing = growing;
  }

  /** Adds a line of the store itself, which is no entry. */
  appendOwn(line: string): void {
    this.end();
    this.#write(`${ownMark}${line}\n`);
  }

  /** Ends a line that could still grow. */
  end(): void {
    const growing = this.#growing;
    this.#growing = undefined;
    if (growing !== undefined) this.#write(`${growing.end}\n`);
  }

  #grow(line: string, text: string): boolean {
    const growing = this.#growing;
    if (growing === undefined || growing.length + text.length > longestText) return false;
    if (!line.startsWith(growing.start) || !line.endsWith(growing.end)) return false;
    const added = line.slice(growing.start.length, line.length - growing.end.length);
    if (added !== escape(text)) return false;
    this.#write(added);
    growing.length += text.length;
    return true;
  }

  #write(text: string): void {
    // What there is of a line that was not written to its end becomes a line of its own, which readers skip.
    const whole = this.#isBroken ? `\n${text}` : text;
    this.#isBroken = true;
    try {
      appendFileSync(this.#path, whole);
    } catch (error) {
      this.#growing = undefined;
      throw error;
    }
    this.#isBroken = false;
  }
}

function toGrowing(line: string, text: string): Growing | undefined {
  const end = /"\}+$/u.exec(line)?.[0];
  if (end === undefined || !line.endsWith(`"${escape(text)}${end}`)) return undefined;
  const start = line.slice(0, line.length - end.length - escape(text).length);
  return { start, end, length: text.length };
}

/** A text as it stands between the quotes of JSON. */
function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reads the lines of a journal that another process may be writing. What is no JSON is left out, as is an unfinished line. */
export async function* readJournal(
  path: string,
  onSkipped: (skipped: SkippedLine) => void,
): AsyncGenerator<ReadLine & { readonly line: number }> {
  let line = 0;
  for await (const bytes of readLines(path)) {
    line += 1;
    if (bytes.length === 0) continue;
    const read = parseLine(bytes);
    if ("reason" in read) onSkipped({ line, reason: read.reason });
    else yield { ...read, line };
  }
}

/** The lines of a file, without what follows the last end of a line. */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    for await (const lines of readLineBatches(file, 0, size)) yield* lines;
  } finally {
    await file.close();
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

/** What a crash has left of a line is cut off, unless it can be read: a text that was growing can, as far as it had come. */
async function endLastLine(path: string, at: number, onSkipped: (skipped: SkippedLine) => void): Promise<void> {
  const file = await open(path, "r");
  let bytes: Buffer;
  try {
    const { size } = await file.stat();
    bytes = Buffer.alloc(size - at);
    await file.read(bytes, 0, bytes.length, at);
  } finally {
    await file.close();
  }
  // A number could be the beginning of a longer one.
  const isWhole = !("reason" in parseLine(bytes)) && (hasGrown(bytes) || /[}\]"]\s*$/u.test(bytes.toString("latin1")));
  if (isWhole) return appendFile(path, "\n");
  let lines = 0;
  for await (const { length } of readLines(path)) lines += length < 0 ? 0 : 1;
  onSkipped({ line: lines + 1, reason: "it is not finished" });
  await truncate(path, at);
}
