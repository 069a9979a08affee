import { open } from "node:fs/promises";

/** How much of a file is looked at, in bytes. */
const sampleSize = 8192;

/** Whether a file is no text: a NUL byte is in its beginning, as Git decides it. */
export async function isBinary(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleSize), 0, sampleSize, 0);
    return buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await file.close();
  }
}
