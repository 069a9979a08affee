import type { RuntimeFile } from "../runtime/runtime.ts";

/**
 * Replaces the content of an open file. It writes the part beyond the old end first, since only that needs space: if the disk
 * is full, the file stays unchanged.
 */
export async function writeInPlace(file: RuntimeFile, bytes: Uint8Array): Promise<void> {
  const { size } = await file.info();
  try {
    await writePart(file, bytes, size, bytes.length);
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
  await writePart(file, bytes, 0, Math.min(size, bytes.length));
  if (size > bytes.length) await file.truncate(bytes.length);
}

/** Writes some of the bytes to where they belong in the file. */
export async function writePart(file: RuntimeFile, bytes: Uint8Array, from: number, to: number): Promise<void> {
  let position = from;
  while (position < to) position += await file.write(bytes.subarray(position, to), position);
}
