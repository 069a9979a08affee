import type { FileHandle } from "node:fs/promises";

const newline = 0x0a;
const chunkSize = 64 * 1024;

/**
 * The lines between two places of a file, as many at a time as come with a read, without their ends. What follows the last end
 * of a line is left out.
 */
export async function* readLineBatches(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer[]> {
  // What there is of a line whose end was not read yet.
  let parts: Buffer[] = [];
  for (let at = start; at < end;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(chunkSize, end - at)), 0, undefined, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    const lines: Buffer[] = [];
    let from = 0;
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      lines.push(parts.length === 0 ? chunk.subarray(from, to) : Buffer.concat([...parts, chunk.subarray(from, to)]));
      parts = [];
      from = to + 1;
    }
    if (from < bytesRead) parts.push(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
}
