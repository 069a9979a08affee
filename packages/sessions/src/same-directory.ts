import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";

/**
 * Names directories, so that two paths have the same name if they lead to the same directory: through links, with `..` or a
 * slash at the end, or in another case where the file system does not care. A directory that is gone is named by its path in
 * the nearest one that is not.
 */
export function createDirectoryNames(): (path: string) => Promise<string> {
  const names = new Map<string, Promise<string>>();
  return function nameOf(path) {
    const name = names.get(path) ?? readName(path, nameOf);
    names.set(path, name);
    return name;
  };
}

async function readName(path: string, nameOf: (path: string) => Promise<string>): Promise<string> {
  try {
    // As it is: what `..` means behind a link, only the file system knows.
    const { dev, ino } = await stat(path, { bigint: true });
    if (ino !== 0n) return `${dev}:${ino}`;
  } catch {
    // It is gone, or cannot be looked at.
  }
  const whole = resolve(path);
  const parent = dirname(whole);
  return parent === whole ? whole : `${await nameOf(parent)}/${basename(whole)}`;
}
