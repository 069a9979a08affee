import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";

/** What is in the files concerns nobody but their owner. */
const ownerOnly = 0o600;

/**
 * Replaces a file at once: whoever reads it meanwhile gets the old content or the new one. It is on the disk before it gets its
 * name, so that not even a loss of power leaves half of it.
 *
 * @param mayReplace Asked last of all: whether the file may still be replaced.
 */
export async function replaceFile(
  path: string,
  content: string,
  mayReplace: () => boolean = () => true,
): Promise<void> {
  const draft = draftOf(path);
  try {
    const file = await open(draft, "wx", ownerOnly);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    if (mayReplace()) await rename(draft, path);
    else await rm(draft);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The same, for callers that cannot wait. */
export function replaceFileSync(path: string, content: string, mayReplace: () => boolean = () => true): void {
  const draft = draftOf(path);
  try {
    const file = openSync(draft, "wx", ownerOnly);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (mayReplace()) renameSync(draft, path);
    else rmSync(draft);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A place beside it, so that it is on the same disk. */
function draftOf(path: string): string {
  return `${path}.${randomBytes(8).toString("hex")}`;
}
