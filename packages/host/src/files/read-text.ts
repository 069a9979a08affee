import { closedAfter, type CheckedFiles } from "./checked-files.ts";
import type { ConfinedPath } from "./confine-path.ts";
import { fileError } from "./file-error.ts";
import { lineFeed, LinePicker, type LineRange } from "./line-range.ts";

/** The most that is read at once, in bytes. */
const chunkSize = 256 * 1024;

/**
 * Reads a file, or some of its lines. Keeps a byte order mark and the line ends, so writing the text back changes
 * nothing.
 *
 * @throws {RequestError} with `data.reason` if it is not a file, not UTF-8, or if the lines do not end within `maxBytes`.
 * @throws {MovedError} if the path leads elsewhere by now.
 * @throws the reason of `signal` once it aborts.
 */
export async function readText(
  checked: CheckedFiles,
  file: ConfinedPath,
  range: LineRange,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const opened = await checked.openToRead(file);
  return closedAfter(opened, async () => {
    const lines = new LinePicker(range);
    const chunks: Uint8Array[] = [];
    // Most files are small. One byte more shows the end, or that it does not come.
    const { size } = await opened.info();
    for (let left = maxBytes; !lines.done;) {
      const chunk = new Uint8Array(Math.min(Math.max(size, 4_096) + 1, left + 1, chunkSize));
      // One part of the file after the other.
      const count = await opened.read(chunk);
      signal.throwIfAborted();
      if (count === 0) break;
      const picked = lines.pick(chunk.subarray(0, Math.min(count, left)));
      if (picked.length > 0) chunks.push(picked);
      if (count > left && !lines.done) throw tooLarge(file.path, range, maxBytes, lines.begun, chunks.some(hasLineEnd));
      left -= count;
    }
    return decode(chunks, file.path);
  });
}

/**
 * The same for a text in memory.
 *
 * @throws {RequestError} with `data.reason` if the lines do not end within `maxBytes` in UTF-8.
 */
export function pickText(text: string, path: string, range: LineRange, maxBytes: number): string {
  const { start, stop } = findLines(text, range);
  // A code unit takes three bytes at most, so hardly any text has to be encoded.
  if (stop * 3 > maxBytes && new TextEncoder().encode(text.slice(0, stop)).length > maxBytes) {
    const isBegun = new TextEncoder().encode(text.slice(0, start)).length <= maxBytes;
    throw tooLarge(path, range, maxBytes, isBegun, text.slice(start, stop).includes("\n"));
  }
  return text.slice(start, stop);
}

/** Picks lines of a text. */
export function pickLines(text: string, range: LineRange): string {
  const { start, stop } = findLines(text, range);
  return text.slice(start, stop);
}

function findLines(text: string, { line, limit }: LineRange): { readonly start: number; readonly stop: number } {
  if (limit === 0) return { start: 0, stop: 0 };
  let start = 0;
  for (let skipped = 1; skipped < line; skipped += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return { start: text.length, stop: text.length };
    start = end + 1;
  }
  let stop = start;
  for (let taken = 0; taken < limit; taken += 1) {
    const end = text.indexOf("\n", stop);
    if (end === -1) return { start, stop: text.length };
    stop = end + 1;
  }
  return { start, stop };
}

function decode(chunks: readonly Uint8Array[], path: string): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  } catch (error) {
    throw fileError("invalid_utf8", path, `Not a text in UTF-8: ${path}`, error);
  }
}

function hasLineEnd(chunk: Uint8Array): boolean {
  return chunk.includes(lineFeed);
}

function tooLarge(
  path: string,
  { line, limit }: LineRange,
  maxBytes: number,
  isBegun: boolean,
  hasWholeLine: boolean,
): Error {
  const bound = `${maxBytes} bytes, the most that this client reads of a file (maxFileBytes)`;
  return fileError("too_large", path, `${describe()}: ${path}`);

  function describe(): string {
    if (!isBegun) return `Line ${line} begins after more than ${bound}`;
    if (hasWholeLine && limit > 1) return `More than ${bound}; read fewer lines with limit`;
    return line === 1
      ? `Line 1 alone has more than ${bound}, and no part of a line can be read`
      : `Line ${line} ends after more than ${bound}`;
  }
}
