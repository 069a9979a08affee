import { join } from "node:path";

/**
 * The path of an archive's entry below the folder in which it is unpacked.
 *
 * @throws if it would lead out of the folder, or means something else on Windows.
 */
export function safePath(folder: string, name: string): string {
  const parts = name.split(/[/\\]/u).filter((part) => part !== "" && part !== ".");
  const isSafe =
    parts.length > 0 && !/^[/\\]/u.test(name) && parts.every((part) => part !== ".." && !/[:\0]/u.test(part));
  if (!isSafe) throw new Error(`The archive has an unsafe path: ${JSON.stringify(name)}`);
  return join(folder, ...parts);
}
