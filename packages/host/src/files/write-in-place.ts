/** A file opened for writing, as Node's file handles are. */
export interface WritableFile {
  stat(): Promise<{ readonly size: number }>;
  /** Writes a part of `bytes` at a position of the file, and returns how much of it. */
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Replaces the content of a file and closes it. It writes the part beyond the old end first, since only that needs room:
 * if there is none, the file stays unchanged.
 */
export async function writeInPlace(file: WritableFile, bytes: Uint8Array): Promise<void> {
  try {
    const { size } = await file.stat();
    try {
      await writePart(file, bytes, size, bytes.length);
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
    await writePart(file, bytes, 0, Math.min(size, bytes.length));
    if (size > bytes.length) await file.truncate(bytes.length);
  } finally {
    await file.close();
  }
}

async function writePart(file: WritableFile, bytes: Uint8Array, from: number, to: number): Promise<void> {
  let position = from;
  while (position < to) position += (await file.write(bytes, position, to - position, position)).bytesWritten;
}
