import type { Runtime } from "../runtime/runtime.ts";
import { fileError } from "./file-error.ts";
import { lineFeed, LinePicker, type LineRange } from "./line-range.ts";

/**
 * Reads a file, or some of its lines. Keeps a byte order mark and the line ends, so writing the text back changes
 * nothing.
 *
 * @throws {RequestError} with `data.reason` if it is no file, no UTF-8, or more than `maxBytes`.
 * @throws the reason of `signal` once it aborts.
 */
export async function readText(
  runtime: Runtime,
  file: { readonly path: string; readonly realPath: string },
  range: LineRange,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const info = await runtime.files.stat(file.realPath);
  if (info.kind === "directory") throw fileError("is_directory", file.path, `Is a directory: ${file.path}`);
  if (info.kind !== "file") throw fileError("not_a_file", file.path, `Not a regular file: ${file.path}`);

  const lines = new LinePicker(range);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!lines.done) {
    for await (const chunk of runtime.files.read(file.realPath)) {
      // The line may be far down. Leaving the loop closes the file.
      signal.throwIfAborted();
      const picked = lines.pick(chunk);
      size += picked.length;
      if (picked.length > 0) chunks.push(picked);
      if (size > maxBytes) throw tooLarge(file.path, range, maxBytes, !chunks.some(hasLineEnd));
      if (lines.done) break;
    }
  }
  return decode(chunks, file.path);
}

/**
 * The same for a text in memory.
 *
 * @throws {RequestError} with `data.reason` if it is more than `maxBytes` in UTF-8.
 */
export function pickText(text: string, path: string, range: LineRange, maxBytes: number): string {
  const picked = pickLines(text, range);
  // A code unit takes three bytes at most, so hardly any text has to be encoded.
  if (picked.length * 3 > maxBytes && new TextEncoder().encode(picked).length > maxBytes) {
    throw tooLarge(path, range, maxBytes, !picked.includes("\n"));
  }
  return picked;
}

/** Picks lines of a text. */
export function pickLines(text: string, { line, limit }: LineRange): string {
  if (limit === 0) return "";
  let start = 0;
  for (let skipped = 1; skipped < line; skipped += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return "";
    start = end + 1;
  }
  let stop = start;
  for (let taken = 0; taken < limit; taken += 1) {
    const end = text.indexOf("\n", stop);
    if (end === -1) return text.slice(start);
    stop = end + 1;
  }
  return text.slice(start, stop);
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

function tooLarge(path: string, { line, limit }: LineRange, maxBytes: number, isOneLine: boolean): Error {
  const what =
    isOneLine || limit === 1
      ? `Line ${line} alone has more than ${maxBytes} bytes, and no part of a line can be read`
      : `More than ${maxBytes} bytes, read it in parts with line and limit`;
  return fileError("too_large", path, `${what}: ${path}`);
}
